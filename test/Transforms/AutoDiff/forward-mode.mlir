// Forward mode: tangents go along with values, zero ones are left out.
// RUN: ms-opt %s --mindir-resolve-transforms | FileCheck %s

// CHECK-LABEL: func.func private @product.jvp(
// CHECK-SAME: %[[X:.*]]: tensor<f32>, %[[W:.*]]: tensor<f32>, %[[T:.*]]: tensor<f32>)
// CHECK: %[[Y:.*]] = mindir.mul %[[X]], %[[W]]
// CHECK-NEXT: %[[DY:.*]] = mindir.mul %[[T]], %[[W]]
// CHECK-NEXT: return %[[Y]], %[[DY]]
func.func private @product(%x: tensor<f32>, %w: tensor<f32>) -> tensor<f32> {
  %0 = mindir.mul %x, %w : tensor<f32>
  return %0 : tensor<f32>
}
func.func @jvp_product(%x: tensor<f32>, %w: tensor<f32>, %t: tensor<f32>) -> tensor<f32> {
  %y, %dy = mindir.jvp @product(%x, %w, %t) wrt = [0]
    : (tensor<f32>, tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return %dy : tensor<f32>
}

// The loop carries a tangent for the value that has one, none for the count.
// CHECK-LABEL: func.func private @power.jvp(
// CHECK: scf.while ({{.*}}) : (tensor<f32>, tensor<i64>, tensor<f32>) -> (tensor<f32>, tensor<i64>, tensor<f32>)
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
func.func @jvp_power(%x: tensor<f32>, %n: tensor<i64>, %t: tensor<f32>) -> tensor<f32> {
  %y, %dy = mindir.jvp @power(%x, %n, %t) wrt = [0]
    : (tensor<f32>, tensor<i64>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return %dy : tensor<f32>
}
