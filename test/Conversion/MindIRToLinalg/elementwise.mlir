// RUN: ms-opt %s -convert-mindir-to-linalg -split-input-file | FileCheck %s

// Unsigned elements become signless; the signedness is in the arithmetic.
// CHECK-LABEL: func.func @unsigned_divide
// CHECK-SAME: tensor<4xi8>
// CHECK: linalg.generic
// CHECK: arith.divui
func.func @unsigned_divide(%a: tensor<4xui8>, %b: tensor<4xui8>) -> tensor<4xui8> {
  %0 = mindir.floor_div %a, %b : tensor<4xui8>
  return %0 : tensor<4xui8>
}

// -----

// Half floats are computed in f32 and rounded by each op.
// CHECK-LABEL: func.func @half
// CHECK: arith.extf {{.*}} : f16 to f32
// CHECK: arith.addf {{.*}} : f32
// CHECK: arith.truncf {{.*}} : f32 to f16
func.func @half(%a: tensor<4xf16>) -> tensor<4xf16> {
  %0 = mindir.add %a, %a : tensor<4xf16>
  return %0 : tensor<4xf16>
}

// -----

// What an integer cannot hold saturates; NaN gives zero.
// CHECK-LABEL: func.func @saturate
// CHECK: arith.fptosi
// CHECK: arith.cmpf oge
// CHECK: arith.cmpf ole
// CHECK: arith.cmpf une
func.func @saturate(%a: tensor<?xf32>) -> tensor<?xi32> {
  %0 = mindir.cast %a : tensor<?xf32> -> tensor<?xi32>
  return %0 : tensor<?xi32>
}

// -----

// A splat is filled when run; a scalar stays a constant.
// CHECK-LABEL: func.func @constants
// CHECK: linalg.fill
// CHECK: arith.constant dense<-1> : tensor<i64>
func.func @constants() -> (tensor<1000xf32>, tensor<ui64>) {
  %0 = mindir.constant dense<0.5> : tensor<1000xf32>
  %1 = mindir.constant dense<18446744073709551615> : tensor<ui64>
  return %0, %1 : tensor<1000xf32>, tensor<ui64>
}
