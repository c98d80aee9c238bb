// RUN: ms-opt --verify-diagnostics --split-input-file %s

func.func @softmax_c1(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{ValueError: For 'Softmax', the axis must lie in [0, 2) for a tensor of rank 2, but got 2}}
  %0 = mindir.softmax %x axis = 2 : tensor<2x3xf32>
  return
}

// -----

func.func @log_softmax_c1(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{ValueError: For 'LogSoftmax', the axis must lie in [0, 2) for a tensor of rank 2, but got 2}}
  %0 = mindir.log_softmax %x axis = 2 : tensor<2x3xf32>
  return
}

// -----

func.func @cross_entropy_c1(%x: tensor<2x3x4xf32>, %l: tensor<2xi64>) {
  // expected-error @+2 {{ValueError: For 'CrossEntropy', logits must have rank 2 and labels rank 1, but got shapes [2, 3, 4] and [2]}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = mindir.cross_entropy %x, %l : tensor<2x3x4xf32>, tensor<2xi64> -> tensor<2xf32>
  return
}

// -----

func.func @cross_entropy_c2(%x: tensor<2x3xf32>, %l: tensor<3xi64>) {
  // expected-error @+2 {{ValueError: For 'CrossEntropy', there must be one label per row of logits, but got 3 labels for 2 rows}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = mindir.cross_entropy %x, %l : tensor<2x3xf32>, tensor<3xi64> -> tensor<2xf32>
  return
}

// -----

func.func @batch_norm_training_c1(%x: tensor<2x3xf32>, %v: tensor<3xf32>) {
  // expected-error @+2 {{ValueError: For 'BatchNorm', the axis must lie in [0, 2) for a tensor of rank 2, but got 3}}
  // expected-error @+1 {{failed to infer returned types}}
  %0, %1, %2 = mindir.batch_norm_training %x, %v, %v axis = 3 epsilon = 1.0e-3 : tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32> -> tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>
  return
}

// -----

func.func @batch_norm_training_c2(%x: tensor<2x3xf32>, %v: tensor<3xf32>, %w: tensor<2xf32>) {
  // expected-error @+2 {{ValueError: For 'BatchNorm', scale, offset, mean and variance must be vectors of size 3, but got shape [2]}}
  // expected-error @+1 {{failed to infer returned types}}
  %0, %1, %2 = mindir.batch_norm_training %x, %v, %w axis = 1 epsilon = 1.0e-3 : tensor<2x3xf32>, tensor<3xf32>, tensor<2xf32> -> tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>
  return
}

// -----

func.func @batch_norm_training_c2_dtype(%x: tensor<2x3xf32>, %v: tensor<3xf32>, %w: tensor<3xf64>) {
  // expected-error @+2 {{TypeError: For 'BatchNorm', all inputs must have the same dtype, but got 'f32' and 'f64'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0, %1, %2 = mindir.batch_norm_training %x, %v, %w axis = 1 epsilon = 1.0e-3 : tensor<2x3xf32>, tensor<3xf32>, tensor<3xf64> -> tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>
  return
}

// -----

func.func @batch_norm_inference_c1(%x: tensor<2x3xf32>, %v: tensor<3xf32>) {
  // expected-error @+2 {{ValueError: For 'BatchNorm', the axis must lie in [0, 2) for a tensor of rank 2, but got -1}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = mindir.batch_norm_inference %x, %v, %v, %v, %v axis = -1 epsilon = 1.0e-3 : tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32> -> tensor<2x3xf32>
  return
}

// -----

func.func @batch_norm_inference_c2(%x: tensor<2x3xf32>, %v: tensor<3xf32>, %w: tensor<3x1xf32>) {
  // expected-error @+2 {{ValueError: For 'BatchNorm', scale, offset, mean and variance must be vectors of size 3, but got shape [3, 1]}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = mindir.batch_norm_inference %x, %v, %v, %v, %w axis = 1 epsilon = 1.0e-3 : tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3x1xf32> -> tensor<2x3xf32>
  return
}
