// Reverse mode of branches and loops: residuals go on a tape.
// RUN: ms-opt %s --mindir-resolve-transforms | FileCheck %s

// The forward loop counts its iterations and pushes what the body's rules read; the
// backward loop runs as often and pops it.
// CHECK-LABEL: func.func private @power.fwd(
// CHECK: %[[T:.*]] = mindir.tape_empty
// CHECK: scf.while ({{.*}}, %{{.*}} = %[[T]])
// CHECK: mindir.tape_push
// CHECK: arith.addi %{{.*}}, %{{.*}} : i64
// CHECK-LABEL: func.func private @power.bwd(
// CHECK: scf.for
// CHECK-NEXT: mindir.tape_pop %{{.*}} : tensor<f32>
// CHECK-NOT: mindir.tape_push
func.func private @power(%x: tensor<f32>, %n: tensor<i64>) -> tensor<f32> {
  %zero = mindir.constant dense<0> : tensor<i64>
  %step = mindir.constant dense<1> : tensor<i64>
  %r:2 = scf.while (%a = %x, %i = %zero) : (tensor<f32>, tensor<i64>) -> (tensor<f32>, tensor<i64>) {
    %c = mindir.compare lt, %i, %n : tensor<i64>
    %go = tensor.extract %c[] : tensor<i1>
    scf.condition(%go) %a, %i : tensor<f32>, tensor<i64>
  } do {
  ^bb0(%a: tensor<f32>, %i: tensor<i64>):
    %b = mindir.mul %a, %x : tensor<f32>
    %j = mindir.add %i, %step : tensor<i64>
    scf.yield %b, %j : tensor<f32>, tensor<i64>
  }
  return %r#0 : tensor<f32>
}
func.func @grad_power(%x: tensor<f32>, %n: tensor<i64>, %dy: tensor<f32>) -> tensor<f32> {
  %y, %dx = mindir.vjp @power(%x, %n, %dy) wrt = [0]
    : (tensor<f32>, tensor<i64>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return %dx : tensor<f32>
}

// A loop without residuals has no tape.
// CHECK-LABEL: func.func private @scale.fwd(
// CHECK-NOT: tape
// CHECK-LABEL: func.func private @scale.bwd(
// CHECK: scf.for
// CHECK-NOT: tape
// CHECK: return
func.func private @scale(%x: tensor<f32>, %w: tensor<f32>) -> tensor<f32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %0 = scf.for %i = %c0 to %c5 step %c1 iter_args(%a = %x) -> (tensor<f32>) {
    %1 = mindir.mul %a, %w : tensor<f32>
    scf.yield %1 : tensor<f32>
  }
  return %0 : tensor<f32>
}
func.func @grad_scale(%x: tensor<f32>, %w: tensor<f32>, %dy: tensor<f32>) -> tensor<f32> {
  %y, %dx = mindir.vjp @scale(%x, %w, %dy) wrt = [0]
    : (tensor<f32>, tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return %dx : tensor<f32>
}

// The tape of a recursive function is an argument and a result of its derivatives.
// CHECK-LABEL: func.func private @recursive.fwd_
// CHECK-SAME: tensor<i64>, %{{.*}}: !mindir.tape) -> (tensor<f32>, !mindir.tape)
// CHECK: call @recursive.fwd_
// CHECK-LABEL: func.func private @recursive.bwd_
// CHECK-SAME: tensor<f32>, %{{.*}}: !mindir.tape) -> (tensor<f32>, !mindir.tape)
// CHECK: call @recursive.bwd_
func.func private @recursive(%x: tensor<f32>, %n: tensor<i64>) -> tensor<f32> {
  %zero = mindir.constant dense<0> : tensor<i64>
  %one = mindir.constant dense<1> : tensor<i64>
  %c = mindir.compare gt, %n, %zero : tensor<i64>
  %go = tensor.extract %c[] : tensor<i1>
  %r = scf.if %go -> (tensor<f32>) {
    %m = mindir.sub %n, %one : tensor<i64>
    %0 = func.call @recursive(%x, %m) : (tensor<f32>, tensor<i64>) -> tensor<f32>
    %1 = mindir.mul %0, %x : tensor<f32>
    scf.yield %1 : tensor<f32>
  } else {
    scf.yield %x : tensor<f32>
  }
  return %r : tensor<f32>
}
func.func @grad_recursive(%x: tensor<f32>, %n: tensor<i64>, %dy: tensor<f32>) -> tensor<f32> {
  %y, %dx = mindir.vjp @recursive(%x, %n, %dy) wrt = [0]
    : (tensor<f32>, tensor<i64>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return %dx : tensor<f32>
}
