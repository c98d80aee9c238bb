// RUN: ms-opt %s -convert-mindir-to-linalg -mindir-fuse-elementwise -split-input-file | FileCheck %s
// RUN: ms-opt %s -convert-mindir-to-linalg -mindir-fuse-elementwise -split-input-file \
// RUN:   --remark-policy=all --remarks-filter=fusion 2>&1 | FileCheck %s --check-prefix=REMARK

// An elementwise producer moves into the reduction that reads it.
// CHECK-LABEL: func.func @into_reduction
// CHECK-COUNT-1: linalg.generic
// CHECK: math.exp
// CHECK: arith.addf
// CHECK-NOT: linalg.generic
// REMARK: fused into its only consumer
func.func @into_reduction(%x: tensor<8x16xf32>) -> tensor<8xf32> {
  %e = mindir.exp %x : tensor<8x16xf32>
  %s = mindir.reduce_sum %e axes = [1] : tensor<8x16xf32> -> tensor<8xf32>
  return %s : tensor<8xf32>
}

// -----

// A vector that is repeated along the rows is computed once, not for each element.
// CHECK-LABEL: func.func @repeated
// CHECK: math.sqrt
// CHECK: linalg.generic
// CHECK-NOT: math.sqrt
// CHECK: arith.mulf
func.func @repeated(%x: tensor<8x16xf32>, %v: tensor<16xf32>) -> tensor<8x16xf32> {
  %r = mindir.sqrt %v : tensor<16xf32>
  %b = mindir.broadcast_to %r : tensor<16xf32> -> tensor<8x16xf32>
  %p = mindir.mul %x, %b : tensor<8x16xf32>
  return %p : tensor<8x16xf32>
}

// -----

// A result that several ops read stays, unless it is cheap.
// CHECK-LABEL: func.func @several_uses
// CHECK-COUNT-1: math.exp
// CHECK-NOT: math.exp
// REMARK: not fused: several ops use the result, and it is not cheap
func.func @several_uses(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<f32>) {
  %e = mindir.exp %x : tensor<8xf32>
  %a = mindir.add %e, %x : tensor<8xf32>
  %s = mindir.reduce_sum %e axes = [0] : tensor<8xf32> -> tensor<f32>
  return %a, %s : tensor<8xf32>, tensor<f32>
}
