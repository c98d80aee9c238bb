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
