// vmap: axes move by one, lanes that disagree are masked, derivatives commute.
// RUN: ms-opt %s --mindir-resolve-transforms --symbol-dce --cse -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: ms-run --reference --every-function %t.mlir | FileCheck %s --check-prefix=VALUE

// CHECK-LABEL: func.func private @dot.vmap(
// CHECK-SAME: tensor<2x3xf64>, %{{.*}}: tensor<3xf64>) -> tensor<2xf64>
// CHECK: mindir.broadcast_to
// CHECK: mindir.reduce_sum %{{.*}} axes = [1]
func.func private @dot(%x: tensor<3xf64>, %w: tensor<3xf64>) -> tensor<f64> {
  %0 = mindir.mul %x, %w : tensor<3xf64>
  %1 = mindir.reduce_sum %0 axes = [0] : tensor<3xf64> -> tensor<f64>
  return %1 : tensor<f64>
}
// VALUE-LABEL: @dots
// VALUE-NEXT: tensor<2xf64> [14, 32]
func.func @dots() -> tensor<2xf64> {
  %x = mindir.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf64>
  %w = mindir.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf64>
  %y = mindir.vmap @dot(%x, %w) wrt = [0] : (tensor<2x3xf64>, tensor<3xf64>) -> tensor<2xf64>
  return %y : tensor<2xf64>
}

// Lane i doubles its value until it exceeds 10: each in its own number of steps.
func.func private @double(%x: tensor<f64>) -> tensor<f64> {
  %ten = mindir.constant dense<10.0> : tensor<f64>
  %r = scf.while (%a = %x) : (tensor<f64>) -> tensor<f64> {
    %c = mindir.compare lt, %a, %ten : tensor<f64>
    %go = tensor.extract %c[] : tensor<i1>
    scf.condition(%go) %a : tensor<f64>
  } do {
  ^bb0(%a: tensor<f64>):
    %b = mindir.add %a, %a : tensor<f64>
    scf.yield %b : tensor<f64>
  }
  %c = mindir.compare gt, %r, %ten : tensor<f64>
  %big = tensor.extract %c[] : tensor<i1>
  %s = scf.if %big -> (tensor<f64>) {
    scf.yield %r : tensor<f64>
  } else {
    %n = mindir.neg %r : tensor<f64>
    scf.yield %n : tensor<f64>
  }
  return %s : tensor<f64>
}
func.func private @slope(%x: tensor<f64>) -> tensor<f64> {
  %one = mindir.constant dense<1.0> : tensor<f64>
  %y, %dx = mindir.vjp @double(%x, %one) wrt = [0] : (tensor<f64>, tensor<f64>) -> (tensor<f64>, tensor<f64>)
  return %dx : tensor<f64>
}
// VALUE-LABEL: @doubled
// VALUE-NEXT: tensor<3xf64> [16, 12, {{-10|-1e\+01}}]
// VALUE-NEXT: tensor<3xf64> [16, 4, -1]
func.func @doubled() -> (tensor<3xf64>, tensor<3xf64>) {
  %x = mindir.constant dense<[1.0, 3.0, 10.0]> : tensor<3xf64>
  %y = mindir.vmap @double(%x) wrt = [0] : (tensor<3xf64>) -> tensor<3xf64>
  %dy = mindir.vmap @slope(%x) wrt = [0] : (tensor<3xf64>) -> tensor<3xf64>
  return %y, %dy : tensor<3xf64>, tensor<3xf64>
}

// Each lane takes elements of its own vector: no one op takes them all, a loop does.
// CHECK-LABEL: func private @pick.vmap.fwd(
// CHECK: scf.for
// CHECK: mindir.gather %{{.*}} : tensor<3xf64>, tensor<2xi64> -> tensor<2xf64>
func.func private @pick(%x: tensor<3xf64>, %i: tensor<2xi64>) -> tensor<2xf64> {
  %0 = mindir.gather %x, %i axis = 0 : tensor<3xf64>, tensor<2xi64> -> tensor<2xf64>
  return %0 : tensor<2xf64>
}
func.func private @picks(%x: tensor<2x3xf64>, %i: tensor<2x2xi64>) -> tensor<2x2xf64> {
  %0 = mindir.vmap @pick(%x, %i) wrt = [0, 1] : (tensor<2x3xf64>, tensor<2x2xi64>) -> tensor<2x2xf64>
  return %0 : tensor<2x2xf64>
}
// VALUE-LABEL: @picked
// VALUE-NEXT: tensor<2x2xf64> {{\[\[}}1, 3], [6, 6]]
// VALUE-NEXT: tensor<2x3xf64> {{\[\[}}1, 0, 2], [0, 0, 7]]
func.func @picked() -> (tensor<2x2xf64>, tensor<2x3xf64>) {
  %x = mindir.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf64>
  %i = mindir.constant dense<[[0, 2], [2, -1]]> : tensor<2x2xi64>
  %dy = mindir.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf64>
  %y, %dx = mindir.vjp @picks(%x, %i, %dy) wrt = [0] : (tensor<2x3xf64>, tensor<2x2xi64>, tensor<2x2xf64>) -> (tensor<2x2xf64>, tensor<2x3xf64>)
  return %y, %dx : tensor<2x2xf64>, tensor<2x3xf64>
}
