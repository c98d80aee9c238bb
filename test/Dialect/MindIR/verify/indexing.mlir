// RUN: ms-opt --verify-diagnostics --split-input-file %s

func.func @iota_c1() {
  // expected-error @+1 {{ValueError: For 'Range', the axis must lie in [0, 1) for a tensor of rank 1, but got 1}}
  %0 = mindir.iota axis = 1 : tensor<4xi32>
  return
}

// -----

func.func @iota_c2() {
  // expected-error @+1 {{expected one dynamic size for each of the 1 unknown sizes of 'tensor<?xi32>', but got 0}}
  %0 = mindir.iota axis = 0 : tensor<?xi32>
  return
}

// -----

func.func @one_hot_c1(%i: tensor<2xi64>) {
  // expected-error @+2 {{ValueError: For 'OneHot', the depth must not be negative, but got -1}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = mindir.one_hot %i depth = -1 : tensor<2xi64> -> tensor<2x1xf32> as f32
  return
}

// -----

func.func @gather_c1(%x: tensor<4x3xf32>, %i: tensor<2xi64>) {
  // expected-error @+2 {{ValueError: For 'Gather', the axis must lie in [0, 2) for a tensor of rank 2, but got -1}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = mindir.gather %x, %i axis = -1 : tensor<4x3xf32>, tensor<2xi64> -> tensor<4x2xf32>
  return
}

// -----

func.func @scatter_add_c1(%x: tensor<4x3xf32>, %i: tensor<2xi64>, %u: tensor<3x3xf32>) {
  // expected-error @+1 {{ValueError: For 'ScatterAdd', the updates must have type 'tensor<2x3xf32>', but got 'tensor<3x3xf32>'}}
  %0 = mindir.scatter_add %x, %i, %u axis = 0 : tensor<4x3xf32>, tensor<2xi64>, tensor<3x3xf32>
  return
}

// -----

func.func @scatter_add_c1_axis(%x: tensor<4x3xf32>, %i: tensor<2xi64>, %u: tensor<2x3xf32>) {
  // expected-error @+1 {{ValueError: For 'ScatterAdd', the axis must lie in [0, 2) for a tensor of rank 2, but got 2}}
  %0 = mindir.scatter_add %x, %i, %u axis = 2 : tensor<4x3xf32>, tensor<2xi64>, tensor<2x3xf32>
  return
}
