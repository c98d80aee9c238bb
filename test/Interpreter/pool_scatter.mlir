// RUN: ms-run --reference --every-function %s | FileCheck %s

// Duplicates add up.
// CHECK-LABEL: @plain
// CHECK-NEXT: tensor<1x1x3x3xf32> {{\[\[}}{{\[\[}}2, 0, 0], [0, 7, 0], [0, 0, 1]]]]{{$}}
func.func @plain() -> tensor<1x1x3x3xf32> {
  %a = mindir.constant dense<[[[[1.0, 2.0], [3.0, 4.0]]]]> : tensor<1x1x2x2xf32>
  %b = mindir.constant dense<[[[[8, 0], [4, 4]]]]> : tensor<1x1x2x2xi64>
  %r = mindir.pool_scatter %a, %b : tensor<1x1x2x2xf32>, tensor<1x1x2x2xi64> -> tensor<1x1x3x3xf32>
  return %r : tensor<1x1x3x3xf32>
}
