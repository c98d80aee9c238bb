// A convolution of few products is faster in generated loops than in a library call.
// RUN: ms-opt %s "-mindir-cpu-pipeline=compile-to=linalg libraries=onednn" | FileCheck %s

// CHECK-LABEL: func @few
// CHECK-NOT: mindir.library_call
// CHECK: return
func.func @few(%x: tensor<1x8x8x3xf32>, %w: tensor<4x3x3x3xf32>) -> tensor<1x8x8x4xf32> {
  %0 = mindir.conv2d %x, %w {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, layout = #mindir<layout nhwc>} : tensor<1x8x8x3xf32>, tensor<4x3x3x3xf32> -> tensor<1x8x8x4xf32>
  return %0 : tensor<1x8x8x4xf32>
}

// CHECK-LABEL: func @enough
// CHECK: mindir.library_call "onednn.convolution"
func.func @enough(%x: tensor<2x8x8x4xf32>, %w: tensor<4x4x3x3xf32>) -> tensor<2x8x8x4xf32> {
  %0 = mindir.conv2d %x, %w {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, layout = #mindir<layout nhwc>} : tensor<2x8x8x4xf32>, tensor<4x4x3x3xf32> -> tensor<2x8x8x4xf32>
  return %0 : tensor<2x8x8x4xf32>
}

// CHECK-LABEL: func @unknown
// CHECK: mindir.library_call "onednn.convolution"
func.func @unknown(%x: tensor<?x8x8x4xf32>, %w: tensor<4x4x3x3xf32>) -> tensor<?x8x8x4xf32> {
  %0 = mindir.conv2d %x, %w {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, layout = #mindir<layout nhwc>} : tensor<?x8x8x4xf32>, tensor<4x4x3x3xf32> -> tensor<?x8x8x4xf32>
  return %0 : tensor<?x8x8x4xf32>
}
