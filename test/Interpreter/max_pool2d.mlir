// RUN: ms-run --reference --every-function %s | FileCheck %s

// The first maximum; a NaN is one.
// CHECK-LABEL: @plain
// CHECK-NEXT: tensor<1x1x2x2xf32> {{\[\[}}{{\[\[}}nan, nan], [nan, nan]]]]{{$}}
// CHECK-NEXT: tensor<1x1x2x2xi64> {{\[\[}}{{\[\[}}4, 4], [4, 4]]]]{{$}}
func.func @plain() -> (tensor<1x1x2x2xf32>, tensor<1x1x2x2xi64>) {
  %a = mindir.constant dense<[[[[1.0, 5.0, 5.0], [4.0, 0x7FC00000, 2.0], [7.0, 8.0, 9.0]]]]> : tensor<1x1x3x3xf32>
  %r0, %r1 = mindir.max_pool2d %a {window = array<i64: 2, 2>, strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>} : tensor<1x1x3x3xf32> -> tensor<1x1x2x2xf32>, tensor<1x1x2x2xi64>
  return %r0, %r1 : tensor<1x1x2x2xf32>, tensor<1x1x2x2xi64>
}

// Padding never wins.
// CHECK-LABEL: @padded
// CHECK-NEXT: tensor<1x1x2x2xf32> {{\[\[}}{{\[\[}}-1, -2], [-4, -5]]]]{{$}}
// CHECK-NEXT: tensor<1x1x2x2xi64> {{\[\[}}{{\[\[}}0, 1], [3, 4]]]]{{$}}
func.func @padded() -> (tensor<1x1x2x2xf32>, tensor<1x1x2x2xi64>) {
  %a = mindir.constant dense<[[[[-1.0, -2.0, -3.0], [-4.0, -5.0, -6.0], [-7.0, -8.0, -9.0]]]]> : tensor<1x1x3x3xf32>
  %r0, %r1 = mindir.max_pool2d %a {window = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 1, 0, 1, 0>} : tensor<1x1x3x3xf32> -> tensor<1x1x2x2xf32>, tensor<1x1x2x2xi64>
  return %r0, %r1 : tensor<1x1x2x2xf32>, tensor<1x1x2x2xi64>
}

// CHECK-LABEL: @channels_last
// CHECK-NEXT: tensor<1x1x1x2xi32> {{\[\[}}{{\[\[}}4, 8]]]]{{$}}
// CHECK-NEXT: tensor<1x1x1x2xi64> {{\[\[}}{{\[\[}}3, 0]]]]{{$}}
func.func @channels_last() -> (tensor<1x1x1x2xi32>, tensor<1x1x1x2xi64>) {
  %a = mindir.constant dense<[[[[1, 8], [2, 7]], [[3, 6], [4, 5]]]]> : tensor<1x2x2x2xi32>
  %r0, %r1 = mindir.max_pool2d %a {window = array<i64: 2, 2>, strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, layout = #mindir<layout nhwc>} : tensor<1x2x2x2xi32> -> tensor<1x1x1x2xi32>, tensor<1x1x1x2xi64>
  return %r0, %r1 : tensor<1x1x1x2xi32>, tensor<1x1x1x2xi64>
}
