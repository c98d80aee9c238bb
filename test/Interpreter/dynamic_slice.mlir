// RUN: ms-run --reference --every-function %s | FileCheck %s

// CHECK-LABEL: @plain
// CHECK-NEXT: tensor<1x2xi32> {{\[\[}}3, 4]]{{$}}
func.func @plain() -> tensor<1x2xi32> {
  %a = mindir.constant dense<[[0, 1, 2], [3, 4, 5]]> : tensor<2x3xi32>
  %b = mindir.constant dense<1> : tensor<i64>
  %c = mindir.constant dense<0> : tensor<i64>
  %r = mindir.dynamic_slice %a[%b, %c] : tensor<2x3xi32> -> tensor<1x2xi32>
  return %r : tensor<1x2xi32>
}
