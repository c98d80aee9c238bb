// Convolutions that go to the library: every attribute reaches it. They are large enough
// (smaller ones are loops); the reference interpreter says what is right.
// RUN: ms-opt %s "-mindir-cpu-pipeline=compile-to=linalg libraries=onednn" | FileCheck %s
// RUN: ms-run --compare --entry=forward_nhwc --tolerance=1e-3 %s > /dev/null
// RUN: ms-run --compare --entry=input_grad_nhwc --tolerance=1e-3 %s > /dev/null
// RUN: ms-run --compare --entry=weight_grad_nhwc --tolerance=1e-3 %s > /dev/null
// RUN: ms-run --compare --entry=forward_nchw --tolerance=1e-3 %s > /dev/null
// RUN: ms-run --compare --entry=input_grad_nchw --tolerance=1e-3 %s > /dev/null
// RUN: ms-run --compare --entry=weight_grad_nchw --tolerance=1e-3 %s > /dev/null

// CHECK-LABEL: func @forward_nhwc
// CHECK: mindir.library_call "onednn.convolution" {{.*}} config = [2, 1, 0, 2, 2, 1, 1, 2, 1, 0, 2, 3, 0]
func.func @forward_nhwc(%a: tensor<4x17x12x8xf32>, %b: tensor<12x4x3x3xf32>) -> tensor<4x9x11x12xf32> {
  %0 = mindir.conv2d %a, %b {strides = array<i64: 2, 1>, padding = array<i64: 1, 2, 0, 3>, dilations = array<i64: 1, 2>, groups = 2 : i64, layout = #mindir<layout nhwc>} : tensor<4x17x12x8xf32>, tensor<12x4x3x3xf32> -> tensor<4x9x11x12xf32>
  return %0 : tensor<4x9x11x12xf32>
}

// CHECK-LABEL: func @input_grad_nhwc
// CHECK: mindir.library_call "onednn.convolution_backward_data" {{.*}} config = [2, 1, 0, 2, 2, 1, 1, 2, 1, 0, 2, 3, 0]
func.func @input_grad_nhwc(%a: tensor<4x9x11x12xf32>, %b: tensor<12x4x3x3xf32>) -> tensor<4x17x12x8xf32> {
  %0 = mindir.conv2d_input_grad %a, %b {strides = array<i64: 2, 1>, padding = array<i64: 1, 2, 0, 3>, dilations = array<i64: 1, 2>, groups = 2 : i64, layout = #mindir<layout nhwc>} : tensor<4x9x11x12xf32>, tensor<12x4x3x3xf32> -> tensor<4x17x12x8xf32>
  return %0 : tensor<4x17x12x8xf32>
}

// CHECK-LABEL: func @weight_grad_nhwc
// CHECK: mindir.library_call "onednn.convolution_backward_weights" {{.*}} config = [2, 1, 0, 2, 2, 1, 1, 2, 1, 0, 2, 3, 0]
func.func @weight_grad_nhwc(%a: tensor<4x17x12x8xf32>, %b: tensor<4x9x11x12xf32>) -> tensor<12x4x3x3xf32> {
  %0 = mindir.conv2d_weight_grad %a, %b {strides = array<i64: 2, 1>, padding = array<i64: 1, 2, 0, 3>, dilations = array<i64: 1, 2>, groups = 2 : i64, layout = #mindir<layout nhwc>} : tensor<4x17x12x8xf32>, tensor<4x9x11x12xf32> -> tensor<12x4x3x3xf32>
  return %0 : tensor<12x4x3x3xf32>
}

// CHECK-LABEL: func @forward_nchw
// CHECK: mindir.library_call "onednn.convolution" {{.*}} config = [2, 1, 0, 2, 2, 1, 1, 2, 1, 0, 2, 3, 0]
func.func @forward_nchw(%a: tensor<4x8x17x12xf32>, %b: tensor<12x4x3x3xf32>) -> tensor<4x12x9x11xf32> {
  %0 = mindir.conv2d %a, %b {strides = array<i64: 2, 1>, padding = array<i64: 1, 2, 0, 3>, dilations = array<i64: 1, 2>, groups = 2 : i64, layout = #mindir<layout nchw>} : tensor<4x8x17x12xf32>, tensor<12x4x3x3xf32> -> tensor<4x12x9x11xf32>
  return %0 : tensor<4x12x9x11xf32>
}

// CHECK-LABEL: func @input_grad_nchw
// CHECK: mindir.library_call "onednn.convolution_backward_data" {{.*}} config = [2, 1, 0, 2, 2, 1, 1, 2, 1, 0, 2, 3, 0]
func.func @input_grad_nchw(%a: tensor<4x12x9x11xf32>, %b: tensor<12x4x3x3xf32>) -> tensor<4x8x17x12xf32> {
  %0 = mindir.conv2d_input_grad %a, %b {strides = array<i64: 2, 1>, padding = array<i64: 1, 2, 0, 3>, dilations = array<i64: 1, 2>, groups = 2 : i64, layout = #mindir<layout nchw>} : tensor<4x12x9x11xf32>, tensor<12x4x3x3xf32> -> tensor<4x8x17x12xf32>
  return %0 : tensor<4x8x17x12xf32>
}

// CHECK-LABEL: func @weight_grad_nchw
// CHECK: mindir.library_call "onednn.convolution_backward_weights" {{.*}} config = [2, 1, 0, 2, 2, 1, 1, 2, 1, 0, 2, 3, 0]
func.func @weight_grad_nchw(%a: tensor<4x8x17x12xf32>, %b: tensor<4x12x9x11xf32>) -> tensor<12x4x3x3xf32> {
  %0 = mindir.conv2d_weight_grad %a, %b {strides = array<i64: 2, 1>, padding = array<i64: 1, 2, 0, 3>, dilations = array<i64: 1, 2>, groups = 2 : i64, layout = #mindir<layout nchw>} : tensor<4x8x17x12xf32>, tensor<4x12x9x11xf32> -> tensor<12x4x3x3xf32>
  return %0 : tensor<12x4x3x3xf32>
}
