// Reverse mode of straight-line code: what becomes a residual, and what does not.
// RUN: ms-opt %s --mindir-resolve-transforms | FileCheck %s

// Only values that a rule reads are residuals: exp's result, not its operand, the
// weight as the argument that it is.
// CHECK-LABEL: func.func private @layer.fwd(
// CHECK: %[[E:.*]] = mindir.exp
// CHECK: return %{{.*}}, %{{.*}}, %[[E]] : tensor<f32>, tensor<2x3xf32>, tensor<2x4xf32>
// CHECK-LABEL: func.func private @layer.bwd(
// CHECK-SAME: %[[Y:.*]]: tensor<2x3xf32>, %[[W:.*]]: tensor<4x3xf32>, %[[E:.*]]: tensor<2x4xf32>, %[[DY:.*]]: tensor<f32>)
// CHECK: %[[G:.*]] = mindir.select
// CHECK: mindir.matmul %[[G]], %[[W]] {transpose_rhs}
// CHECK: mindir.matmul %[[E]], %[[G]] {transpose_lhs}
func.func private @layer(%x: tensor<2x4xf32>, %w: tensor<4x3xf32>) -> tensor<f32> {
  %0 = mindir.exp %x : tensor<2x4xf32>
  %1 = mindir.matmul %0, %w : tensor<2x4xf32>, tensor<4x3xf32> -> tensor<2x3xf32>
  %2 = mindir.relu %1 : tensor<2x3xf32>
  %3 = mindir.reduce_sum %2 axes = [0, 1] : tensor<2x3xf32> -> tensor<f32>
  return %3 : tensor<f32>
}
func.func @grad_layer(%x: tensor<2x4xf32>, %w: tensor<4x3xf32>, %dy: tensor<f32>)
    -> (tensor<2x4xf32>, tensor<4x3xf32>) {
  %y, %dx, %dw = mindir.vjp @layer(%x, %w, %dy) wrt = [0, 1]
    : (tensor<2x4xf32>, tensor<4x3xf32>, tensor<f32>)
    -> (tensor<f32>, tensor<2x4xf32>, tensor<4x3xf32>)
  return %dx, %dw : tensor<2x4xf32>, tensor<4x3xf32>
}

// Nothing is computed for an argument that no one asks for.
// CHECK-LABEL: func.func private @inactive.bwd(
// CHECK-SAME: %[[B:.*]]: tensor<f32>, %[[DY:.*]]: tensor<f32>)
// CHECK-NEXT: %[[DA:.*]] = mindir.mul %[[DY]], %[[B]]
// CHECK-NEXT: return %[[DA]]
func.func private @inactive(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
  %0 = mindir.sin %b : tensor<f32>
  %1 = mindir.mul %a, %0 : tensor<f32>
  return %1 : tensor<f32>
}
func.func @grad_inactive(%a: tensor<f32>, %b: tensor<f32>, %dy: tensor<f32>) -> tensor<f32> {
  %y, %da = mindir.vjp @inactive(%a, %b, %dy) wrt = [0]
    : (tensor<f32>, tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return %da : tensor<f32>
}

// A Parameter's new value is no path of the derivative, and what a residual was
// read from is not overwritten behind its back.
// CHECK-LABEL: func.func private @step.fwd(
// CHECK-SAME: -> (tensor<f32>, tensor<f32> {mindir.updates = 1 : i64}, tensor<f32>)
// CHECK-LABEL: func.func private @step.bwd(
// CHECK-SAME: %[[W:.*]]: tensor<f32>, %[[DY:.*]]: tensor<f32>)
// CHECK-NEXT: mindir.mul %[[DY]], %[[W]]
// CHECK-NEXT: return
func.func private @step(%x: tensor<f32>, %w: tensor<f32>)
    -> (tensor<f32>, tensor<f32> {mindir.updates = 1 : i64}) {
  %0 = mindir.mul %x, %w : tensor<f32>
  %1 = mindir.add %x, %w : tensor<f32>
  return %0, %1 : tensor<f32>, tensor<f32>
}
func.func @grad_step(%x: tensor<f32>, %w: tensor<f32>, %dy: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %y, %new, %dx = mindir.vjp @step(%x, %w, %dy, %dy) wrt = [0]
    : (tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>, tensor<f32>)
  return %new, %dx : tensor<f32>, tensor<f32>
}

// A callee is derived once for two equal calls.
// CHECK-LABEL: func.func private @twice.bwd(
// CHECK: call @square.bwd(
// CHECK: call @square.bwd(
// CHECK-NOT: @square.bwd_0
func.func private @square(%x: tensor<f32>) -> tensor<f32> {
  %0 = mindir.mul %x, %x : tensor<f32>
  return %0 : tensor<f32>
}
func.func private @twice(%x: tensor<f32>) -> tensor<f32> {
  %0 = call @square(%x) : (tensor<f32>) -> tensor<f32>
  %1 = call @square(%0) : (tensor<f32>) -> tensor<f32>
  return %1 : tensor<f32>
}
func.func @grad_twice(%x: tensor<f32>, %dy: tensor<f32>) -> tensor<f32> {
  %y, %dx = mindir.vjp @twice(%x, %dy) wrt = [0] : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return %dx : tensor<f32>
}
