// Errors of automatic differentiation name the op and where it stands.
// RUN: ms-opt %s --mindir-resolve-transforms --split-input-file --verify-diagnostics

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

shard.grid @grid(shape = 2)
func.func private @maximum(%x: tensor<f32>) -> tensor<f32> {
  // expected-error@+1 {{For 'AllReduce', expected the kind sum on the path of a derivative, but got max}}
  %0 = mindir.all_reduce max, %x on @grid axes = [0] : tensor<f32>
  return %0 : tensor<f32>
}
func.func @grad(%x: tensor<f32>) -> tensor<f32> {
  %y, %dx = mindir.vjp @maximum(%x, %x) wrt = [0] : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return %dx : tensor<f32>
}

// -----

shard.grid @grid(shape = 2)
// The error stands deep in control flow.
func.func private @nested(%x: tensor<f32>, %c: i1) -> tensor<f32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %0 = scf.for %i = %c0 to %c5 step %c1 iter_args(%a = %x) -> (tensor<f32>) {
    %1 = scf.if %c -> (tensor<f32>) {
      // expected-error@+1 {{For 'AllReduce', expected the kind sum on the path of a derivative, but got min}}
      %2 = mindir.all_reduce min, %a on @grid axes = [0] : tensor<f32>
      scf.yield %2 : tensor<f32>
    } else {
      %2 = mindir.exp %a : tensor<f32>
      scf.yield %2 : tensor<f32>
    }
    scf.yield %1 : tensor<f32>
  }
  return %0 : tensor<f32>
}
func.func @grad(%x: tensor<f32>, %c: i1) -> tensor<f32> {
  %y, %dx = mindir.vjp @nested(%x, %c, %x) wrt = [0] : (tensor<f32>, i1, tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return %dx : tensor<f32>
}

// -----

// Lanes that disagree on the shape of a branch's result.
func.func private @ragged(%x: tensor<?xf32>) -> tensor<?xf32> {
  %zero = mindir.constant dense<0.0> : tensor<f32>
  %s = mindir.reduce_sum %x axes = [0] : tensor<?xf32> -> tensor<f32>
  %c = mindir.compare gt, %s, %zero : tensor<f32>
  %go = tensor.extract %c[] : tensor<i1>
  // expected-error@+1 {{For 'if' under vmap with a condition that differs between lanes, expected results of one known shape}}
  %r = scf.if %go -> (tensor<?xf32>) {
    %0 = mindir.concat %x, %x axis = 0 : tensor<?xf32>, tensor<?xf32> -> tensor<?xf32>
    scf.yield %0 : tensor<?xf32>
  } else {
    scf.yield %x : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}
func.func @lanes(%x: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %y = mindir.vmap @ragged(%x) wrt = [0] : (tensor<4x?xf32>) -> tensor<4x?xf32>
  return %y : tensor<4x?xf32>
}

// -----

shard.grid @grid(shape = 2)
func.func private @forward(%x: tensor<f32>, %c: i1) -> tensor<f32> {
  %1 = scf.if %c -> (tensor<f32>) {
    // expected-error@+1 {{For 'AllReduce', expected the kind sum on the path of a derivative, but got min}}
    %2 = mindir.all_reduce min, %x on @grid axes = [0] : tensor<f32>
    scf.yield %2 : tensor<f32>
  } else {
    scf.yield %x : tensor<f32>
  }
  return %1 : tensor<f32>
}
func.func @jvp(%x: tensor<f32>, %c: i1) -> tensor<f32> {
  %y, %dx = mindir.jvp @forward(%x, %c, %x) wrt = [0] : (tensor<f32>, i1, tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return %dx : tensor<f32>
}
