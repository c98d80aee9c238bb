// RUN: ms-run --reference --every-function %s | FileCheck %s

// CHECK-LABEL: @plain
// CHECK-NEXT: tensor<1x1x3x3xf32> {{\[\[}}{{\[\[}}1, 3, 2], [4, 1e+01, 6], [3, 7, 4]]]]{{$}}
func.func @plain() -> tensor<1x1x3x3xf32> {
  %a = mindir.constant dense<[[[[4.0, 8.0], [12.0, 16.0]]]]> : tensor<1x1x2x2xf32>
  %r = mindir.avg_pool2d_grad %a {window = array<i64: 2, 2>, strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>} : tensor<1x1x2x2xf32> -> tensor<1x1x3x3xf32>
  return %r : tensor<1x1x3x3xf32>
}

// CHECK-LABEL: @padded
// CHECK-NEXT: tensor<1x1x3x3xf32> {{\[\[}}{{\[\[}}4, 4, 4], [6, 4, 4], [6, 4, 4]]]]{{$}}
func.func @padded() -> tensor<1x1x3x3xf32> {
  %a = mindir.constant dense<[[[[4.0, 8.0], [12.0, 16.0]]]]> : tensor<1x1x2x2xf32>
  %r = mindir.avg_pool2d_grad %a {window = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 1, 0, 1, 0>} : tensor<1x1x2x2xf32> -> tensor<1x1x3x3xf32>
  return %r : tensor<1x1x3x3xf32>
}
