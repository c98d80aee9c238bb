// RUN: ms-opt %s -convert-mindir-to-linalg -mindir-fuse-elementwise -cse -mindir-merge-loops -split-input-file | FileCheck %s
// RUN: ms-opt %s -convert-mindir-to-linalg -mindir-fuse-elementwise -cse -mindir-merge-loops -split-input-file \
// RUN:   --remark-policy=all --remarks-filter=fusion 2>&1 | FileCheck %s --check-prefix=REMARK

// A tensor, its sum along one axis and its whole sum: one pass, three results.
// CHECK-LABEL: func.func @tensor_and_sums
// CHECK: linalg.generic
// CHECK-SAME: iterator_types = ["reduction", "reduction"]
// CHECK: -> (tensor<8x16xf32>, tensor<16xf32>, tensor<f32>)
// CHECK-NOT: linalg.generic
// REMARK: merged with an op that walks through the same tensor
func.func @tensor_and_sums(%x: tensor<8x16xf32>) -> (tensor<8x16xf32>, tensor<16xf32>, tensor<f32>) {
  %e = mindir.exp %x : tensor<8x16xf32>
  %c = mindir.reduce_sum %e axes = [0] : tensor<8x16xf32> -> tensor<16xf32>
  %a = mindir.reduce_sum %e axes = [0, 1] : tensor<8x16xf32> -> tensor<f32>
  return %e, %c, %a : tensor<8x16xf32>, tensor<16xf32>, tensor<f32>
}

// -----

// A tensor that only merged ops read is not written.
// CHECK-LABEL: func.func @two_sums
// CHECK: linalg.generic
// CHECK-SAME: outs(%{{.*}}, %{{.*}} : tensor<f32>, tensor<f32>)
// CHECK-NOT: linalg.generic
func.func @two_sums(%x: tensor<64xf32>) -> (tensor<f32>, tensor<f32>) {
  %e = mindir.exp %x : tensor<64xf32>
  %p = mindir.mul %e, %x : tensor<64xf32>
  %a = mindir.reduce_sum %e axes = [0] : tensor<64xf32> -> tensor<f32>
  %b = mindir.reduce_sum %p axes = [0] : tensor<64xf32> -> tensor<f32>
  return %a, %b : tensor<f32>, tensor<f32>
}

// -----

// The second needs the whole result of the first: two passes.
// CHECK-LABEL: func.func @centred
// CHECK: linalg.generic
// CHECK: linalg.generic
func.func @centred(%x: tensor<64xf32>) -> (tensor<f32>, tensor<64xf32>) {
  %s = mindir.reduce_sum %x axes = [0] : tensor<64xf32> -> tensor<f32>
  %b = mindir.broadcast_to %s : tensor<f32> -> tensor<64xf32>
  %c = mindir.sub %x, %b : tensor<64xf32>
  return %s, %c : tensor<f32>, tensor<64xf32>
}

// -----

// Sums of rows and of columns have no innermost loop in common.
// CHECK-LABEL: func.func @rows_and_columns
// CHECK: linalg.generic
// CHECK: linalg.generic
func.func @rows_and_columns(%x: tensor<32x16xf32>) -> (tensor<32xf32>, tensor<16xf32>) {
  %r = mindir.reduce_sum %x axes = [1] : tensor<32x16xf32> -> tensor<32xf32>
  %c = mindir.reduce_sum %x axes = [0] : tensor<32x16xf32> -> tensor<16xf32>
  return %r, %c : tensor<32xf32>, tensor<16xf32>
}

// -----

// Momentum: the new velocity and the new weight are one kernel; an op between that
// needs the velocity moves behind.
// CHECK-LABEL: func.func @momentum
// CHECK: %[[BOTH:.*]]:2 = linalg.generic
// CHECK: %[[ROW:.*]] = tensor.expand_shape %[[BOTH]]#0
// CHECK: linalg.generic {{.*}} ins(%[[ROW]]
// CHECK-NOT: linalg.generic
func.func @momentum(%w: tensor<64xf32>, %m: tensor<64xf32>, %g: tensor<64xf32>, %k: tensor<64x3xf32>) -> (tensor<64xf32>, tensor<64xf32>, tensor<3xf32>) {
  %v = mindir.exp %m : tensor<64xf32>
  %a = mindir.add %v, %g : tensor<64xf32>
  %row = mindir.reshape %a : tensor<64xf32> -> tensor<1x64xf32>
  %use = mindir.matmul %row, %k : tensor<1x64xf32>, tensor<64x3xf32> -> tensor<1x3xf32>
  %flat = mindir.reshape %use : tensor<1x3xf32> -> tensor<3xf32>
  %n = mindir.sub %w, %a : tensor<64xf32>
  return %a, %n, %flat : tensor<64xf32>, tensor<64xf32>, tensor<3xf32>
}
