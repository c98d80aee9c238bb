// The gradient of a loop pushes each carried value on a tape after the next value is
// computed: that one needs a buffer of its own in each iteration.
// RUN: ms-opt %s -mindir-autodiff-pipeline -o %t.mlir
// RUN: ms-run --compare --input="dense<[1.0,2.0,-3.0]> : tensor<3xf32>" --input="dense<1.0> : tensor<f32>" %t.mlir | FileCheck %s
// CHECK: tensor<3xf32> [3, 12, 27]
func.func private @cube(%x: tensor<3xf32>) -> tensor<f32> {
  %one = mindir.constant dense<1> : tensor<i32>
  %two = mindir.constant dense<2> : tensor<i32>
  %zero = mindir.constant dense<0> : tensor<i32>
  %r:2 = scf.while (%a = %x, %i = %zero) : (tensor<3xf32>, tensor<i32>) -> (tensor<3xf32>, tensor<i32>) {
    %c = mindir.compare lt, %i, %two : tensor<i32>
    %cc = tensor.extract %c[] : tensor<i1>
    scf.condition(%cc) %a, %i : tensor<3xf32>, tensor<i32>
  } do {
  ^bb0(%a: tensor<3xf32>, %i: tensor<i32>):
    %m = mindir.mul %a, %x : tensor<3xf32>
    %j = mindir.add %i, %one : tensor<i32>
    scf.yield %m, %j : tensor<3xf32>, tensor<i32>
  }
  %s = mindir.reduce_sum %r#0 axes = [0] : tensor<3xf32> -> tensor<f32>
  return %s : tensor<f32>
}
func.func @main(%x: tensor<3xf32>, %g: tensor<f32>) -> (tensor<f32>, tensor<3xf32>) {
  %r:2 = mindir.vjp @cube(%x, %g) wrt = [0] : (tensor<3xf32>, tensor<f32>) -> (tensor<f32>, tensor<3xf32>)
  return %r#0, %r#1 : tensor<f32>, tensor<3xf32>
}
