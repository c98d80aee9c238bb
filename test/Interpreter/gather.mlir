// RUN: ms-run --reference --every-function %s | FileCheck %s

// Negative indices count from the end.
// CHECK-LABEL: @plain
// CHECK-NEXT: tensor<2x2x2xi32> {{\[\[}}[2, 2], [0, 0]], {{\[\[}}5, 5], [3, 3]]]{{$}}
func.func @plain() -> tensor<2x2x2xi32> {
  %a = mindir.constant dense<[[0, 1, 2], [3, 4, 5]]> : tensor<2x3xi32>
  %b = mindir.constant dense<[[2, -1], [0, 0]]> : tensor<2x2xi64>
  %r = mindir.gather %a, %b axis = 1 : tensor<2x3xi32>, tensor<2x2xi64> -> tensor<2x2x2xi32>
  return %r : tensor<2x2x2xi32>
}
