// RUN: ms-opt --verify-diagnostics --split-input-file %s

func.func @vjp_c2(%x: tensor<4xi32>, %dy: tensor<4xf32>) {
  // expected-error @+1 {{argument 0 of type 'tensor<4xi32>' has no derivative; only float tensors have}}
  %y, %dx = mindir.vjp @f(%x, %dy) wrt = [0] : (tensor<4xi32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xi32>)
  return
}
func.func private @f(%x: tensor<4xi32>) -> tensor<4xf32> {
  %0 = mindir.cast %x : tensor<4xi32> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @vjp_unknown_callee(%x: tensor<4xf32>) {
  // expected-error @+1 {{'nowhere' is not a function}}
  %y, %dx = mindir.vjp @nowhere(%x, %x) wrt = [0] : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @vjp_c1(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected operands of types ('tensor<4xf32>', 'tensor<4xf32>'), but got ('tensor<4xf32>')}}
  %y, %dx = mindir.vjp @f(%x) wrt = [0] : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  return
}
func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

func.func @vjp_c1_results(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected results of types ('tensor<4xf32>', 'tensor<4xf32>'), but got ('tensor<4xf32>')}}
  %y = mindir.vjp @f(%x, %x) wrt = [0] : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}
func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

func.func @vjp_c2_range(%x: tensor<4xf32>) {
  // expected-error @+1 {{wrt names argument 1, but 'f' has 1}}
  %y, %dx = mindir.vjp @f(%x, %x) wrt = [1] : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  return
}
func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

func.func @jvp_c1(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected operands of types ('tensor<4xf32>', 'tensor<4xf32>'), but got ('tensor<4xf32>')}}
  %y, %dy = mindir.jvp @f(%x) wrt = [0] : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  return
}
func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

func.func @jvp_c1_results(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected results of types ('tensor<4xf32>', 'tensor<4xf32>'), but got ('tensor<4xf32>')}}
  %y = mindir.jvp @f(%x, %x) wrt = [0] : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}
func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

func.func @jvp_c2(%x: tensor<4xi32>) {
  // expected-error @+1 {{argument 0 of type 'tensor<4xi32>' has no derivative; only float tensors have}}
  %y, %dy = mindir.jvp @g(%x, %x) wrt = [0] : (tensor<4xi32>, tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>)
  return
}
func.func private @g(%x: tensor<4xi32>) -> tensor<4xi32> {
  return %x : tensor<4xi32>
}

// -----

func.func @vmap_c1(%x: tensor<4xf32>) {
  // expected-error @+1 {{operands and results do not fit the callee of type '(tensor<4xf32>) -> tensor<4xf32>'}}
  %y = mindir.vmap @f(%x) wrt = [0] : (tensor<4xf32>) -> tensor<4xf32>
  return
}
func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

func.func @vmap_c1_lanes(%x: tensor<3x4xf32>) {
  // expected-error @+1 {{operands and results do not fit the callee of type '(tensor<4xf32>) -> tensor<4xf32>'}}
  %y = mindir.vmap @f(%x) wrt = [0] : (tensor<3x4xf32>) -> tensor<5x4xf32>
  return
}
func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
