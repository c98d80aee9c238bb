// Derivatives where a formula would give NaN or is not unique.
// RUN: ms-opt %s --mindir-autodiff-pipeline -o %t.mlir
// RUN: ms-run --reference --every-function %t.mlir | FileCheck %s

// x^y by x: y x^(y-1), zero for y = 0; by y: zero for a zero base.
// CHECK-LABEL: @pow_slopes
// CHECK-NEXT: tensor<5xf64> [0, 0, 1, 0, 12]
// CHECK-NEXT: tensor<5xf64> [0, 0, 0, 0.693{{[0-9]*}}, 0]
func.func private @pow(%x: tensor<5xf64>, %y: tensor<5xf64>) -> tensor<5xf64> {
  %0 = mindir.pow %x, %y : tensor<5xf64>
  return %0 : tensor<5xf64>
}
func.func @pow_slopes() -> (tensor<5xf64>, tensor<5xf64>) {
  %x = mindir.constant dense<[0.0, 0.0, 0.0, 2.0, 1.0]> : tensor<5xf64>
  %y = mindir.constant dense<[0.0, 2.0, 1.0, 0.0, 12.0]> : tensor<5xf64>
  %one = mindir.constant dense<1.0> : tensor<5xf64>
  %0, %dx, %dy = mindir.vjp @pow(%x, %y, %one) wrt = [0, 1]
    : (tensor<5xf64>, tensor<5xf64>, tensor<5xf64>) -> (tensor<5xf64>, tensor<5xf64>, tensor<5xf64>)
  return %dx, %dy : tensor<5xf64>, tensor<5xf64>
}

// The second derivative of x^2 at zero is two, that of x^0 and x^1 zero.
// CHECK-LABEL: @pow_curvature
// CHECK-NEXT: tensor<3xf64> [0, 2, 0]
func.func private @power(%x: tensor<3xf64>) -> tensor<3xf64> {
  %y = mindir.constant dense<[0.0, 2.0, 1.0]> : tensor<3xf64>
  %0 = mindir.pow %x, %y : tensor<3xf64>
  return %0 : tensor<3xf64>
}
func.func private @power_slope(%x: tensor<3xf64>) -> tensor<3xf64> {
  %one = mindir.constant dense<1.0> : tensor<3xf64>
  %0, %dx = mindir.vjp @power(%x, %one) wrt = [0] : (tensor<3xf64>, tensor<3xf64>) -> (tensor<3xf64>, tensor<3xf64>)
  return %dx : tensor<3xf64>
}
func.func @pow_curvature() -> tensor<3xf64> {
  %x = mindir.constant dense<0.0> : tensor<3xf64>
  %one = mindir.constant dense<1.0> : tensor<3xf64>
  %0, %dx = mindir.vjp @power_slope(%x, %one) wrt = [0] : (tensor<3xf64>, tensor<3xf64>) -> (tensor<3xf64>, tensor<3xf64>)
  return %dx : tensor<3xf64>
}

// A product's derivative is made of the other factors, zeros among them.
// CHECK-LABEL: @product_of_zeros
// CHECK-NEXT: tensor<2x3xf64> {{\[}}[0, 6, 0], [0, 0, 0]]
func.func private @product(%x: tensor<2x3xf64>) -> tensor<2xf64> {
  %0 = mindir.reduce_prod %x axes = [1] : tensor<2x3xf64> -> tensor<2xf64>
  return %0 : tensor<2xf64>
}
func.func @product_of_zeros() -> tensor<2x3xf64> {
  %x = mindir.constant dense<[[2.0, 0.0, 3.0], [0.0, 0.0, 3.0]]> : tensor<2x3xf64>
  %one = mindir.constant dense<1.0> : tensor<2xf64>
  %0, %dx = mindir.vjp @product(%x, %one) wrt = [0] : (tensor<2x3xf64>, tensor<2xf64>) -> (tensor<2xf64>, tensor<2x3xf64>)
  return %dx : tensor<2x3xf64>
}

// Of two equal operands the first gets all; equal elements of a reduction share.
// CHECK-LABEL: @ties
// CHECK-NEXT: tensor<2xf64> [1, 1]
// CHECK-NEXT: tensor<2xf64> [0, 0]
// CHECK-NEXT: tensor<2xf64> [5, 5]
func.func private @extremes(%a: tensor<2xf64>, %b: tensor<2xf64>, %c: tensor<2xf64>) -> (tensor<2xf64>, tensor<f64>) {
  %0 = mindir.maximum %a, %b : tensor<2xf64>
  %1 = mindir.reduce_max %c axes = [0] : tensor<2xf64> -> tensor<f64>
  return %0, %1 : tensor<2xf64>, tensor<f64>
}
func.func @ties() -> (tensor<2xf64>, tensor<2xf64>, tensor<2xf64>) {
  %x = mindir.constant dense<3.0> : tensor<2xf64>
  %one = mindir.constant dense<1.0> : tensor<2xf64>
  %ten = mindir.constant dense<10.0> : tensor<f64>
  %0, %1, %da, %db, %dc = mindir.vjp @extremes(%x, %x, %x, %one, %ten) wrt = [0, 1, 2]
    : (tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<f64>)
    -> (tensor<2xf64>, tensor<f64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>)
  return %da, %db, %dc : tensor<2xf64>, tensor<2xf64>, tensor<2xf64>
}

// Zero slopes of abs and relu at zero, and an infinite one of sqrt.
// CHECK-LABEL: @corners
// CHECK-NEXT: tensor<f64> 0
// CHECK-NEXT: tensor<f64> inf
func.func private @corner(%x: tensor<f64>) -> (tensor<f64>, tensor<f64>) {
  %0 = mindir.abs %x : tensor<f64>
  %1 = mindir.relu %x : tensor<f64>
  %2 = mindir.add %0, %1 : tensor<f64>
  %3 = mindir.sqrt %x : tensor<f64>
  return %2, %3 : tensor<f64>, tensor<f64>
}
func.func @corners() -> (tensor<f64>, tensor<f64>) {
  %x = mindir.constant dense<0.0> : tensor<f64>
  %one = mindir.constant dense<1.0> : tensor<f64>
  %r:4 = mindir.jvp @corner(%x, %one) wrt = [0] : (tensor<f64>, tensor<f64>) -> (tensor<f64>, tensor<f64>, tensor<f64>, tensor<f64>)
  return %r#2, %r#3 : tensor<f64>, tensor<f64>
}

// The side that select does not take, be it NaN, has a zero cotangent.
// CHECK-LABEL: @untaken
// CHECK-NEXT: tensor<f64> 0
func.func private @choose(%a: tensor<f64>, %b: tensor<f64>) -> tensor<f64> {
  %true = mindir.constant dense<true> : tensor<i1>
  %0 = mindir.select %true, %a, %b : tensor<i1>, tensor<f64>
  return %0 : tensor<f64>
}
func.func @untaken() -> tensor<f64> {
  %nan = mindir.constant dense<0x7FF8000000000000> : tensor<f64>
  %one = mindir.constant dense<1.0> : tensor<f64>
  %0, %da, %db = mindir.vjp @choose(%one, %nan, %nan) wrt = [0, 1]
    : (tensor<f64>, tensor<f64>, tensor<f64>) -> (tensor<f64>, tensor<f64>, tensor<f64>)
  return %db : tensor<f64>
}
