// RUN: ms-opt --verify-diagnostics --split-input-file %s

func.func @matmul_c1(%a: tensor<4xf32>, %b: tensor<4x3xf32>) {
  // expected-error @+2 {{ValueError: For 'MatMul', the inputs must have equal ranks of at least 2, but got shapes [4] and [4, 3]}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = "mindir.matmul"(%a, %b) : (tensor<4xf32>, tensor<4x3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @matmul_c3(%a: tensor<2x4xf32>, %b: tensor<5x3xf32>) {
  // expected-error @+2 {{ValueError: For 'MatMul', the contracted sizes must be equal, but got 4 and 5 for shapes [2, 4] and [5, 3]}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = mindir.matmul %a, %b : tensor<2x4xf32>, tensor<5x3xf32> -> tensor<2x3xf32>
  return
}

// -----

func.func @conv2d_c4(%x: tensor<1x4x8x8xf32>, %w: tensor<5x3x3x3xf32>) {
  // expected-error @+2 {{ValueError: For 'Conv2D', the input has 4 channels, but the weight takes 3}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = mindir.conv2d %x, %w {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>}
    : tensor<1x4x8x8xf32>, tensor<5x3x3x3xf32> -> tensor<1x5x6x6xf32>
  return
}

// -----

func.func @conv2d_c5(%x: tensor<1x3x2x2xf32>, %w: tensor<5x3x3x3xf32>) {
  // expected-error @+2 {{ValueError: For 'Conv2D', the dilated kernel is larger than the padded input: input [1, 3, 2, 2], weight [5, 3, 3, 3]}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = mindir.conv2d %x, %w {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>}
    : tensor<1x3x2x2xf32>, tensor<5x3x3x3xf32> -> tensor<1x5x1x1xf32>
  return
}
