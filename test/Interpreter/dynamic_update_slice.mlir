// RUN: ms-run --reference --every-function %s | FileCheck %s

// CHECK-LABEL: @plain
// CHECK-NEXT: tensor<2x3xi32> {{\[\[}}0, 8, 9], [3, 4, 5]]{{$}}
func.func @plain() -> tensor<2x3xi32> {
  %a = mindir.constant dense<[[0, 1, 2], [3, 4, 5]]> : tensor<2x3xi32>
  %b = mindir.constant dense<[[8, 9]]> : tensor<1x2xi32>
  %c = mindir.constant dense<0> : tensor<i64>
  %d = mindir.constant dense<1> : tensor<i64>
  %r = mindir.dynamic_update_slice %a, %b[%c, %d] : tensor<2x3xi32>, tensor<1x2xi32>
  return %r : tensor<2x3xi32>
}
