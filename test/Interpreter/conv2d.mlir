// RUN: ms-run --reference --every-function %s | FileCheck %s

// CHECK-LABEL: @plain
// CHECK-NEXT: tensor<1x1x2x2xf32> {{\[\[}}{{\[\[}}37, 47], [67, 77]]]]{{$}}
func.func @plain() -> tensor<1x1x2x2xf32> {
  %a = mindir.constant dense<[[[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]]]]> : tensor<1x1x3x3xf32>
  %b = mindir.constant dense<[[[[1.0, 2.0], [3.0, 4.0]]]]> : tensor<1x1x2x2xf32>
  %r = mindir.conv2d %a, %b {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : tensor<1x1x3x3xf32>, tensor<1x1x2x2xf32> -> tensor<1x1x2x2xf32>
  return %r : tensor<1x1x2x2xf32>
}

// Padding differs by side.
// CHECK-LABEL: @padded
// CHECK-NEXT: tensor<1x1x2x3xf32> {{\[\[}}{{\[\[}}11, 18, 9], [67, 77, 33]]]]{{$}}
func.func @padded() -> tensor<1x1x2x3xf32> {
  %a = mindir.constant dense<[[[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]]]]> : tensor<1x1x3x3xf32>
  %b = mindir.constant dense<[[[[1.0, 2.0], [3.0, 4.0]]]]> : tensor<1x1x2x2xf32>
  %r = mindir.conv2d %a, %b {strides = array<i64: 2, 1>, padding = array<i64: 1, 0, 0, 1>, dilations = array<i64: 1, 1>} : tensor<1x1x3x3xf32>, tensor<1x1x2x2xf32> -> tensor<1x1x2x3xf32>
  return %r : tensor<1x1x2x3xf32>
}

// CHECK-LABEL: @dilated
// CHECK-NEXT: tensor<1x1x1x1xf32> {{\[\[}}{{\[\[}}64]]]]{{$}}
func.func @dilated() -> tensor<1x1x1x1xf32> {
  %a = mindir.constant dense<[[[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]]]]> : tensor<1x1x3x3xf32>
  %b = mindir.constant dense<[[[[1.0, 2.0], [3.0, 4.0]]]]> : tensor<1x1x2x2xf32>
  %r = mindir.conv2d %a, %b {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilations = array<i64: 2, 2>} : tensor<1x1x3x3xf32>, tensor<1x1x2x2xf32> -> tensor<1x1x1x1xf32>
  return %r : tensor<1x1x1x1xf32>
}

// CHECK-LABEL: @grouped
// CHECK-NEXT: tensor<1x2x2x2xf32> {{\[\[}}{{\[\[}}1, 2], [3, 4]], {{\[\[}}5e+01, 6e+01], [7e+01, 8e+01]]]]{{$}}
func.func @grouped() -> tensor<1x2x2x2xf32> {
  %a = mindir.constant dense<[[[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]]]]> : tensor<1x2x2x2xf32>
  %b = mindir.constant dense<[[[[1.0]]], [[[10.0]]]]> : tensor<2x1x1x1xf32>
  %r = mindir.conv2d %a, %b {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 2 : i64} : tensor<1x2x2x2xf32>, tensor<2x1x1x1xf32> -> tensor<1x2x2x2xf32>
  return %r : tensor<1x2x2x2xf32>
}

// CHECK-LABEL: @channels_last
// CHECK-NEXT: tensor<1x2x2x1xf32> {{\[\[}}{{\[\[}}51], [62]], {{\[\[}}73], [84]]]]{{$}}
func.func @channels_last() -> tensor<1x2x2x1xf32> {
  %a = mindir.constant dense<[[[[1.0, 5.0], [2.0, 6.0]], [[3.0, 7.0], [4.0, 8.0]]]]> : tensor<1x2x2x2xf32>
  %b = mindir.constant dense<[[[[1.0]], [[10.0]]]]> : tensor<1x2x1x1xf32>
  %r = mindir.conv2d %a, %b {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #mindir<layout nhwc>} : tensor<1x2x2x2xf32>, tensor<1x2x1x1xf32> -> tensor<1x2x2x1xf32>
  return %r : tensor<1x2x2x1xf32>
}
