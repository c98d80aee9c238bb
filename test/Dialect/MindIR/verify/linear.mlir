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

// -----

func.func @matmul_c1_dtype(%a: tensor<2x4xf32>, %b: tensor<4x3xf64>) {
  // expected-error @+2 {{TypeError: For 'MatMul', the inputs must have the same dtype, but got 'f32' and 'f64'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = mindir.matmul %a, %b : tensor<2x4xf32>, tensor<4x3xf64> -> tensor<2x3xf32>
  return
}

// -----

func.func @matmul_c2(%a: tensor<5x2x4xf32>, %b: tensor<6x4x3xf32>) {
  // expected-error @+2 {{ValueError: For 'MatMul', the batch dimensions must be equal, but got shapes [5, 2, 4] and [6, 4, 3]}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = mindir.matmul %a, %b : tensor<5x2x4xf32>, tensor<6x4x3xf32> -> tensor<5x2x3xf32>
  return
}

// -----

func.func @conv2d_c1(%x: tensor<4x8x8xf32>, %w: tensor<5x4x3x3xf32>) {
  // expected-error @+2 {{ValueError: For 'Conv2D', input and weight must have rank 4, but got shapes [4, 8, 8] and [5, 4, 3, 3]}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = mindir.conv2d %x, %w {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : tensor<4x8x8xf32>, tensor<5x4x3x3xf32> -> tensor<5x6x6xf32>
  return
}

// -----

func.func @conv2d_c1_dtype(%x: tensor<1x4x8x8xf32>, %w: tensor<5x4x3x3xf16>) {
  // expected-error @+2 {{TypeError: For 'Conv2D', input and weight must have the same dtype, but got 'f32' and 'f16'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = mindir.conv2d %x, %w {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : tensor<1x4x8x8xf32>, tensor<5x4x3x3xf16> -> tensor<1x5x6x6xf32>
  return
}

// -----

func.func @conv2d_c2_counts(%x: tensor<1x4x8x8xf32>, %w: tensor<5x4x3x3xf32>) {
  // expected-error @+2 {{ValueError: For 'Conv2D', expected two window sizes, strides and dilations and four paddings, but got 2, 1, 2 and 4}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = mindir.conv2d %x, %w {strides = array<i64: 1>, padding = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : tensor<1x4x8x8xf32>, tensor<5x4x3x3xf32> -> tensor<1x5x6x6xf32>
  return
}

// -----

func.func @conv2d_c2(%x: tensor<1x4x8x8xf32>, %w: tensor<5x4x3x3xf32>) {
  // expected-error @+2 {{ValueError: For 'Conv2D', strides and dilations must be at least 1, but got strides [1, 0] and dilations [1, 1]}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = mindir.conv2d %x, %w {strides = array<i64: 1, 0>, padding = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : tensor<1x4x8x8xf32>, tensor<5x4x3x3xf32> -> tensor<1x5x6x6xf32>
  return
}

// -----

func.func @conv2d_c2_padding(%x: tensor<1x4x8x8xf32>, %w: tensor<5x4x3x3xf32>) {
  // expected-error @+2 {{ValueError: For 'Conv2D', padding must not be negative, but got [0, -1, 0, 0]}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = mindir.conv2d %x, %w {strides = array<i64: 1, 1>, padding = array<i64: 0, -1, 0, 0>, dilations = array<i64: 1, 1>} : tensor<1x4x8x8xf32>, tensor<5x4x3x3xf32> -> tensor<1x5x6x6xf32>
  return
}

// -----

func.func @conv2d_c3(%x: tensor<1x4x8x8xf32>, %w: tensor<5x4x3x3xf32>) {
  // expected-error @+2 {{ValueError: For 'Conv2D', the number of groups, 2, must divide the 4 input channels and the 5 output channels}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = mindir.conv2d %x, %w {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 2 : i64} : tensor<1x4x8x8xf32>, tensor<5x4x3x3xf32> -> tensor<1x5x6x6xf32>
  return
}

// -----

func.func @conv2d_c3_zero(%x: tensor<1x4x8x8xf32>, %w: tensor<5x4x3x3xf32>) {
  // expected-error @+2 {{ValueError: For 'Conv2D', the number of groups, 0, must divide the 4 input channels and the 5 output channels}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = mindir.conv2d %x, %w {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 0 : i64} : tensor<1x4x8x8xf32>, tensor<5x4x3x3xf32> -> tensor<1x5x6x6xf32>
  return
}

// -----

func.func @conv2d_input_grad_c1(%g: tensor<1x5x7x6xf32>, %w: tensor<5x4x3x3xf32>) {
  // expected-error @+1 {{ValueError: For 'Conv2DInputGrad', the cotangent must have the type of the forward result, 'tensor<1x5x6x6xf32>', but got 'tensor<1x5x7x6xf32>'}}
  %0 = mindir.conv2d_input_grad %g, %w {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : tensor<1x5x7x6xf32>, tensor<5x4x3x3xf32> -> tensor<1x4x8x8xf32>
  return
}

// -----

func.func @conv2d_input_grad_c2(%g: tensor<?x5x6x6xf32>, %w: tensor<5x4x3x3xf32>) {
  // expected-error @+1 {{expected one dynamic size for each of the 1 unknown sizes of 'tensor<?x4x8x8xf32>', but got 0}}
  %0 = mindir.conv2d_input_grad %g, %w {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : tensor<?x5x6x6xf32>, tensor<5x4x3x3xf32> -> tensor<?x4x8x8xf32>
  return
}

// -----

func.func @conv2d_weight_grad_c1(%x: tensor<1x4x8x8xf32>, %g: tensor<2x5x6x6xf32>) {
  // expected-error @+1 {{ValueError: For 'Conv2DWeightGrad', the cotangent must have the type of the forward result, 'tensor<1x5x6x6xf32>', but got 'tensor<2x5x6x6xf32>'}}
  %0 = mindir.conv2d_weight_grad %x, %g {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : tensor<1x4x8x8xf32>, tensor<2x5x6x6xf32> -> tensor<5x4x3x3xf32>
  return
}

// -----

func.func @conv2d_weight_grad_c2(%x: tensor<1x4x8x8xf32>, %g: tensor<1x?x6x6xf32>, %n: index) {
  // expected-error @+1 {{expected one dynamic size for each of the 1 unknown sizes of 'tensor<?x4x3x3xf32>', but got 2}}
  %0 = mindir.conv2d_weight_grad %x, %g sizes(%n, %n) {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : tensor<1x4x8x8xf32>, tensor<1x?x6x6xf32> -> tensor<?x4x3x3xf32>
  return
}

// -----

func.func @max_pool2d_c1(%x: tensor<3x4x4xf32>) {
  // expected-error @+2 {{ValueError: For 'MaxPool', the input must have rank 4, but got shape [3, 4, 4]}}
  // expected-error @+1 {{failed to infer returned types}}
  %0, %1 = mindir.max_pool2d %x {window = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>} : tensor<3x4x4xf32> -> tensor<3x2x2xf32>, tensor<3x2x2xi64>
  return
}

// -----

func.func @max_pool2d_c2(%x: tensor<1x3x4x4xf32>) {
  // expected-error @+2 {{ValueError: For 'MaxPool', strides and dilations must be at least 1, but got strides [0, 2] and dilations [1, 1]}}
  // expected-error @+1 {{failed to infer returned types}}
  %0, %1 = mindir.max_pool2d %x {window = array<i64: 2, 2>, strides = array<i64: 0, 2>, padding = array<i64: 0, 0, 0, 0>} : tensor<1x3x4x4xf32> -> tensor<1x3x2x2xf32>, tensor<1x3x2x2xi64>
  return
}

// -----

func.func @max_pool2d_c2_counts(%x: tensor<1x3x4x4xf32>) {
  // expected-error @+2 {{ValueError: For 'MaxPool', expected two window sizes, strides and dilations and four paddings, but got 2, 2, 2 and 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %0, %1 = mindir.max_pool2d %x {window = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0>} : tensor<1x3x4x4xf32> -> tensor<1x3x2x2xf32>, tensor<1x3x2x2xi64>
  return
}

// -----

func.func @max_pool2d_c2_window(%x: tensor<1x3x4x4xf32>) {
  // expected-error @+2 {{ValueError: For 'MaxPool', padding must be less than the window, but got window [0, 2] and padding [0, 0, 0, 0]}}
  // expected-error @+1 {{failed to infer returned types}}
  %0, %1 = mindir.max_pool2d %x {window = array<i64: 0, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>} : tensor<1x3x4x4xf32> -> tensor<1x3x2x2xf32>, tensor<1x3x2x2xi64>
  return
}

// -----

func.func @max_pool2d_c3(%x: tensor<1x3x4x4xf32>) {
  // expected-error @+2 {{ValueError: For 'MaxPool', padding must be less than the window, but got window [2, 2] and padding [2, 2, 0, 0]}}
  // expected-error @+1 {{failed to infer returned types}}
  %0, %1 = mindir.max_pool2d %x {window = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 2, 2, 0, 0>} : tensor<1x3x4x4xf32> -> tensor<1x3x4x2xf32>, tensor<1x3x4x2xi64>
  return
}

// -----

func.func @max_pool2d_c4(%x: tensor<1x3x4x1xf32>) {
  // expected-error @+2 {{ValueError: For 'MaxPool', the window [2, 2] is larger than the padded input [1, 3, 4, 1]}}
  // expected-error @+1 {{failed to infer returned types}}
  %0, %1 = mindir.max_pool2d %x {window = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>} : tensor<1x3x4x1xf32> -> tensor<1x3x2x1xf32>, tensor<1x3x2x1xi64>
  return
}

// -----

func.func @avg_pool2d_c1(%x: tensor<3x4x4xf32>) {
  // expected-error @+2 {{ValueError: For 'AvgPool', the input must have rank 4, but got shape [3, 4, 4]}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = mindir.avg_pool2d %x {window = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>} : tensor<3x4x4xf32> -> tensor<3x2x2xf32>
  return
}

// -----

func.func @avg_pool2d_c2(%x: tensor<1x3x4x4xf32>) {
  // expected-error @+2 {{ValueError: For 'AvgPool', strides and dilations must be at least 1, but got strides [0, 2] and dilations [1, 1]}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = mindir.avg_pool2d %x {window = array<i64: 2, 2>, strides = array<i64: 0, 2>, padding = array<i64: 0, 0, 0, 0>} : tensor<1x3x4x4xf32> -> tensor<1x3x2x2xf32>
  return
}

// -----

func.func @avg_pool2d_c2_counts(%x: tensor<1x3x4x4xf32>) {
  // expected-error @+2 {{ValueError: For 'AvgPool', expected two window sizes, strides and dilations and four paddings, but got 2, 2, 2 and 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = mindir.avg_pool2d %x {window = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0>} : tensor<1x3x4x4xf32> -> tensor<1x3x2x2xf32>
  return
}

// -----

func.func @avg_pool2d_c2_window(%x: tensor<1x3x4x4xf32>) {
  // expected-error @+2 {{ValueError: For 'AvgPool', padding must be less than the window, but got window [0, 2] and padding [0, 0, 0, 0]}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = mindir.avg_pool2d %x {window = array<i64: 0, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>} : tensor<1x3x4x4xf32> -> tensor<1x3x2x2xf32>
  return
}

// -----

func.func @avg_pool2d_c3(%x: tensor<1x3x4x4xf32>) {
  // expected-error @+2 {{ValueError: For 'AvgPool', padding must be less than the window, but got window [2, 2] and padding [2, 2, 0, 0]}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = mindir.avg_pool2d %x {window = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 2, 2, 0, 0>} : tensor<1x3x4x4xf32> -> tensor<1x3x4x2xf32>
  return
}

// -----

func.func @avg_pool2d_c4(%x: tensor<1x3x4x1xf32>) {
  // expected-error @+2 {{ValueError: For 'AvgPool', the window [2, 2] is larger than the padded input [1, 3, 4, 1]}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = mindir.avg_pool2d %x {window = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>} : tensor<1x3x4x1xf32> -> tensor<1x3x2x1xf32>
  return
}

// -----

func.func @pool_gather_c1(%x: tensor<1x3x4x4xf32>, %i: tensor<1x2x2x2xi64>) {
  // expected-error @+2 {{ValueError: For 'PoolGather', input and indices must have rank 4 and equal batch and channels, but got shapes [1, 3, 4, 4] and [1, 2, 2, 2]}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = mindir.pool_gather %x, %i : tensor<1x3x4x4xf32>, tensor<1x2x2x2xi64> -> tensor<1x2x2x2xf32>
  return
}

// -----

func.func @pool_scatter_c1(%x: tensor<1x3x2x2xf32>, %i: tensor<1x3x2x3xi64>) {
  // expected-error @+1 {{ValueError: For 'PoolScatter', the cotangent must have the type of the forward result, 'tensor<1x3x2x3xf32>', but got 'tensor<1x3x2x2xf32>'}}
  %0 = mindir.pool_scatter %x, %i : tensor<1x3x2x2xf32>, tensor<1x3x2x3xi64> -> tensor<1x3x4x4xf32>
  return
}

// -----

func.func @pool_scatter_c2(%x: tensor<1x3x2x2xf32>, %i: tensor<1x3x2x2xi64>) {
  // expected-error @+1 {{expected one dynamic size for each of the 2 unknown sizes of 'tensor<1x3x?x?xf32>', but got 0}}
  %0 = mindir.pool_scatter %x, %i : tensor<1x3x2x2xf32>, tensor<1x3x2x2xi64> -> tensor<1x3x?x?xf32>
  return
}

// -----

func.func @avg_pool2d_grad_c1(%g: tensor<1x3x3x2xf32>) {
  // expected-error @+1 {{ValueError: For 'AvgPoolGrad', the cotangent must have the type of the forward result, 'tensor<1x3x2x2xf32>', but got 'tensor<1x3x3x2xf32>'}}
  %0 = mindir.avg_pool2d_grad %g {window = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>} : tensor<1x3x3x2xf32> -> tensor<1x3x4x4xf32>
  return
}

// -----

func.func @avg_pool2d_grad_c2(%g: tensor<?x3x2x2xf32>) {
  // expected-error @+1 {{expected one dynamic size for each of the 1 unknown sizes of 'tensor<?x3x4x4xf32>', but got 0}}
  %0 = mindir.avg_pool2d_grad %g {window = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>} : tensor<?x3x2x2xf32> -> tensor<?x3x4x4xf32>
  return
}
