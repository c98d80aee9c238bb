// RUN: ms-run --reference --every-function %s | FileCheck %s

// CHECK-LABEL: @plain
// CHECK-NEXT: tensor<2x4xi32> {{\[\[}}0, 1, 2, 8], [3, 4, 5, 9]]{{$}}
func.func @plain() -> tensor<2x4xi32> {
  %a = mindir.constant dense<[[0, 1, 2], [3, 4, 5]]> : tensor<2x3xi32>
  %b = mindir.constant dense<[[8], [9]]> : tensor<2x1xi32>
  %r = mindir.concat %a, %b axis = 1 : tensor<2x3xi32>, tensor<2x1xi32> -> tensor<2x4xi32>
  return %r : tensor<2x4xi32>
}
