// RUN: ms-opt --verify-diagnostics --split-input-file %s

func.func @reduce_sum_c1(%x: tensor<2x3xf32>) {
  // expected-error @+2 {{ValueError: For 'ReduceSum', the axis must lie in [0, 2) for a tensor of rank 2, but got 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = mindir.reduce_sum %x axes = [0, 2] : tensor<2x3xf32> -> tensor<3xf32>
  return
}

// -----

func.func @reduce_sum_c2(%x: tensor<2x3xf32>) {
  // expected-error @+2 {{ValueError: For 'ReduceSum', axes must be strictly increasing, but got [1, 0]}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = mindir.reduce_sum %x axes = [1, 0] : tensor<2x3xf32> -> tensor<f32>
  return
}

// -----

func.func @reduce_prod_c1(%x: tensor<2x3xf32>) {
  // expected-error @+2 {{ValueError: For 'ReduceProd', the axis must lie in [0, 2) for a tensor of rank 2, but got 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = mindir.reduce_prod %x axes = [0, 2] : tensor<2x3xf32> -> tensor<3xf32>
  return
}

// -----

func.func @reduce_prod_c2(%x: tensor<2x3xf32>) {
  // expected-error @+2 {{ValueError: For 'ReduceProd', axes must be strictly increasing, but got [1, 0]}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = mindir.reduce_prod %x axes = [1, 0] : tensor<2x3xf32> -> tensor<f32>
  return
}

// -----

func.func @reduce_max_c1(%x: tensor<2x3xf32>) {
  // expected-error @+2 {{ValueError: For 'ReduceMax', the axis must lie in [0, 2) for a tensor of rank 2, but got 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = mindir.reduce_max %x axes = [0, 2] : tensor<2x3xf32> -> tensor<3xf32>
  return
}

// -----

func.func @reduce_max_c2(%x: tensor<2x3xf32>) {
  // expected-error @+2 {{ValueError: For 'ReduceMax', axes must be strictly increasing, but got [1, 0]}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = mindir.reduce_max %x axes = [1, 0] : tensor<2x3xf32> -> tensor<f32>
  return
}

// -----

func.func @reduce_min_c1(%x: tensor<2x3xf32>) {
  // expected-error @+2 {{ValueError: For 'ReduceMin', the axis must lie in [0, 2) for a tensor of rank 2, but got 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = mindir.reduce_min %x axes = [0, 2] : tensor<2x3xf32> -> tensor<3xf32>
  return
}

// -----

func.func @reduce_min_c2(%x: tensor<2x3xf32>) {
  // expected-error @+2 {{ValueError: For 'ReduceMin', axes must be strictly increasing, but got [1, 0]}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = mindir.reduce_min %x axes = [1, 0] : tensor<2x3xf32> -> tensor<f32>
  return
}

// -----

func.func @reduce_sum_c2_equal(%x: tensor<2x3xf32>) {
  // expected-error @+2 {{ValueError: For 'ReduceSum', axes must be strictly increasing, but got [1, 1]}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = mindir.reduce_sum %x axes = [1, 1] : tensor<2x3xf32> -> tensor<2xf32>
  return
}

// -----

func.func @argmax_c1(%x: tensor<2x3xf32>) {
  // expected-error @+2 {{ValueError: For 'Argmax', the axis must lie in [0, 2) for a tensor of rank 2, but got -1}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = mindir.argmax %x axis = -1 : tensor<2x3xf32> -> tensor<2xi64>
  return
}

// -----

func.func @argmax_c2(%x: tensor<2x0xf32>) {
  // expected-error @+2 {{ValueError: For 'Argmax', axis 1 has size 0, so there is no extreme}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = mindir.argmax %x axis = 1 : tensor<2x0xf32> -> tensor<2xi64>
  return
}

// -----

func.func @argmin_c1(%x: tensor<2x3xf32>) {
  // expected-error @+2 {{ValueError: For 'Argmin', the axis must lie in [0, 2) for a tensor of rank 2, but got -1}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = mindir.argmin %x axis = -1 : tensor<2x3xf32> -> tensor<2xi64>
  return
}

// -----

func.func @argmin_c2(%x: tensor<2x0xf32>) {
  // expected-error @+2 {{ValueError: For 'Argmin', axis 1 has size 0, so there is no extreme}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = mindir.argmin %x axis = 1 : tensor<2x0xf32> -> tensor<2xi64>
  return
}
