// RUN: ms-run --reference --every-function %s | FileCheck %s

// CHECK-LABEL: @plain
// CHECK-NEXT: tensor<1x1x2x2xf32> {{\[\[}}{{\[\[}}3, 4], [6, 7]]]]{{$}}
func.func @plain() -> tensor<1x1x2x2xf32> {
  %a = mindir.constant dense<[[[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]]]]> : tensor<1x1x3x3xf32>
  %r = mindir.avg_pool2d %a {window = array<i64: 2, 2>, strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>} : tensor<1x1x3x3xf32> -> tensor<1x1x2x2xf32>
  return %r : tensor<1x1x2x2xf32>
}

// The divisor is the number of elements inside the image.
// CHECK-LABEL: @padded
// CHECK-NEXT: tensor<1x1x2x2xf32> {{\[\[}}{{\[\[}}1, 2.5], [5.5, 7]]]]{{$}}
func.func @padded() -> tensor<1x1x2x2xf32> {
  %a = mindir.constant dense<[[[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]]]]> : tensor<1x1x3x3xf32>
  %r = mindir.avg_pool2d %a {window = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 1, 0, 1, 0>} : tensor<1x1x3x3xf32> -> tensor<1x1x2x2xf32>
  return %r : tensor<1x1x2x2xf32>
}

// CHECK-LABEL: @padding_counted
// CHECK-NEXT: tensor<1x1x2x2xf32> {{\[\[}}{{\[\[}}0.25, 1.25], [2.75, 7]]]]{{$}}
func.func @padding_counted() -> tensor<1x1x2x2xf32> {
  %a = mindir.constant dense<[[[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]]]]> : tensor<1x1x3x3xf32>
  %r = mindir.avg_pool2d %a {window = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 1, 0, 1, 0>, count_include_pad} : tensor<1x1x3x3xf32> -> tensor<1x1x2x2xf32>
  return %r : tensor<1x1x2x2xf32>
}
