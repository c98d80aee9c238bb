// Errors of automatic differentiation name the op and where it stands.
// RUN: ms-opt %s --mindir-autodiff-pipeline --split-input-file --verify-diagnostics

func.func private @no_rule(%x: f32) -> tensor<f32> {
  // expected-error@+1 {{TypeError: For 'arith.addf', expected an op with a derivative, but it has no rule for reverse mode}}
  %0 = arith.addf %x, %x : f32
  %1 = tensor.from_elements %0 : tensor<f32>
  return %1 : tensor<f32>
}
func.func @grad(%x: f32, %dy: tensor<f32>) -> f32 {
  %y, %dx = mindir.vjp @no_rule(%x, %dy) wrt = [0] : (f32, tensor<f32>) -> (tensor<f32>, f32)
  return %dx : f32
}

// -----

func.func private @itself(%x: tensor<f32>) -> tensor<f32> {
  // expected-error@+1 {{'itself' transforms itself; a derivative may not occur in the function that it is taken of}}
  %y, %dx = mindir.vjp @itself(%x, %x) wrt = [0] : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return %dx : tensor<f32>
}

// -----

func.func private @maximum(%x: tensor<f32>) -> tensor<f32> {
  // expected-error@+1 {{For 'AllReduce', expected the kind sum on the path of a derivative, but got max}}
  %0 = mindir.all_reduce max, %x on @grid axes = [0] : tensor<f32>
  return %0 : tensor<f32>
}
func.func @grad(%x: tensor<f32>) -> tensor<f32> {
  %y, %dx = mindir.vjp @maximum(%x, %x) wrt = [0] : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return %dx : tensor<f32>
}
