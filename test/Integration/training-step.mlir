// A training step: convolution, batch norm, relu, convolution, batch norm, residual,
// relu, mean square loss; backward; momentum. docs/Rationale/Bufferization.md has its
// figures at full size.
//
// No buffer is copied, one arena is allocated beside the returned loss, and every
// Parameter and momentum is updated in its own buffer.
// RUN: ms-opt %s "-mindir-cpu-pipeline=compile-to=memory libraries=onednn" | FileCheck %s
// CHECK-LABEL: func.func @main
// CHECK-SAME: -> memref<f32>
// CHECK-NOT: memref.copy
// CHECK: memref.alloc() : memref<{{[0-9]+}}xi8>
// CHECK-NOT: memref.alloc()
// CHECK: %[[LOSS:.*]] = memref.alloc() : memref<f32>
// CHECK-NOT: memref.alloc()
// CHECK-NOT: memref.copy
// CHECK: return %[[LOSS]] : memref<f32>
//
// The compiled step agrees with the reference interpreter.
// RUN: ms-opt %s -mindir-autodiff-pipeline -o %t.mlir
// RUN: ms-run --compare --entry=main --tolerance=1e-4 %t.mlir

func.func private @loss(%x: tensor<2x6x6x8xf32>, %t: tensor<2x6x6x8xf32>, %w1: tensor<8x8x3x3xf32>, %g1: tensor<8xf32>, %o1: tensor<8xf32>, %w2: tensor<8x8x3x3xf32>, %g2: tensor<8xf32>, %o2: tensor<8xf32>) -> tensor<f32> {
  %c1 = mindir.conv2d %x, %w1 {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, layout = #mindir<layout nhwc>} : tensor<2x6x6x8xf32>, tensor<8x8x3x3xf32> -> tensor<2x6x6x8xf32>
  %n1, %m1, %v1 = mindir.batch_norm_training %c1, %g1, %o1 axis = 3 epsilon = 1.0e-5 : tensor<2x6x6x8xf32>, tensor<8xf32>, tensor<8xf32> -> tensor<2x6x6x8xf32>, tensor<8xf32>, tensor<8xf32>
  %r1 = mindir.relu %n1 : tensor<2x6x6x8xf32>
  %c2 = mindir.conv2d %r1, %w2 {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, layout = #mindir<layout nhwc>} : tensor<2x6x6x8xf32>, tensor<8x8x3x3xf32> -> tensor<2x6x6x8xf32>
  %n2, %m2, %v2 = mindir.batch_norm_training %c2, %g2, %o2 axis = 3 epsilon = 1.0e-5 : tensor<2x6x6x8xf32>, tensor<8xf32>, tensor<8xf32> -> tensor<2x6x6x8xf32>, tensor<8xf32>, tensor<8xf32>
  %s = mindir.add %n2, %x : tensor<2x6x6x8xf32>
  %y = mindir.relu %s : tensor<2x6x6x8xf32>
  %d = mindir.sub %y, %t : tensor<2x6x6x8xf32>
  %q = mindir.mul %d, %d : tensor<2x6x6x8xf32>
  %sum = mindir.reduce_sum %q axes = [0, 1, 2, 3] : tensor<2x6x6x8xf32> -> tensor<f32>
  %n = mindir.constant dense<576.0> : tensor<f32>
  %loss = mindir.div %sum, %n : tensor<f32>
  return %loss : tensor<f32>
}
func.func @main(%x: tensor<2x6x6x8xf32>, %t: tensor<2x6x6x8xf32>, %w1: tensor<8x8x3x3xf32> {mindir.parameter, mindir.donated}, %g1: tensor<8xf32> {mindir.parameter, mindir.donated}, %o1: tensor<8xf32> {mindir.parameter, mindir.donated}, %w2: tensor<8x8x3x3xf32> {mindir.parameter, mindir.donated}, %g2: tensor<8xf32> {mindir.parameter, mindir.donated}, %o2: tensor<8xf32> {mindir.parameter, mindir.donated}, %m_w1: tensor<8x8x3x3xf32> {mindir.parameter, mindir.donated}, %m_g1: tensor<8xf32> {mindir.parameter, mindir.donated}, %m_o1: tensor<8xf32> {mindir.parameter, mindir.donated}, %m_w2: tensor<8x8x3x3xf32> {mindir.parameter, mindir.donated}, %m_g2: tensor<8xf32> {mindir.parameter, mindir.donated}, %m_o2: tensor<8xf32> {mindir.parameter, mindir.donated})
    -> (tensor<f32>, tensor<8x8x3x3xf32> {mindir.updates = 2 : i64}, tensor<8xf32> {mindir.updates = 3 : i64}, tensor<8xf32> {mindir.updates = 4 : i64}, tensor<8x8x3x3xf32> {mindir.updates = 5 : i64}, tensor<8xf32> {mindir.updates = 6 : i64}, tensor<8xf32> {mindir.updates = 7 : i64}, tensor<8x8x3x3xf32> {mindir.updates = 8 : i64}, tensor<8xf32> {mindir.updates = 9 : i64}, tensor<8xf32> {mindir.updates = 10 : i64}, tensor<8x8x3x3xf32> {mindir.updates = 11 : i64}, tensor<8xf32> {mindir.updates = 12 : i64}, tensor<8xf32> {mindir.updates = 13 : i64}) {
  %seed = mindir.constant dense<1.0> : tensor<f32>
  %r:7 = mindir.vjp @loss(%x, %t, %w1, %g1, %o1, %w2, %g2, %o2, %seed) wrt = [2, 3, 4, 5, 6, 7] : (tensor<2x6x6x8xf32>, tensor<2x6x6x8xf32>, tensor<8x8x3x3xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8x8x3x3xf32>, tensor<8xf32>, tensor<8xf32>, tensor<f32>) -> (tensor<f32>, tensor<8x8x3x3xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8x8x3x3xf32>, tensor<8xf32>, tensor<8xf32>)
  %mu = mindir.constant dense<0.9> : tensor<f32>
  %lr = mindir.constant dense<0.01> : tensor<f32>
  %mu_w1 = mindir.broadcast_to %mu : tensor<f32> -> tensor<8x8x3x3xf32>
  %lr_w1 = mindir.broadcast_to %lr : tensor<f32> -> tensor<8x8x3x3xf32>
  %a_w1 = mindir.mul %m_w1, %mu_w1 : tensor<8x8x3x3xf32>
  %nm_w1 = mindir.add %a_w1, %r#1 : tensor<8x8x3x3xf32>
  %b_w1 = mindir.mul %nm_w1, %lr_w1 : tensor<8x8x3x3xf32>
  %nw_w1 = mindir.sub %w1, %b_w1 : tensor<8x8x3x3xf32>
  %mu_g1 = mindir.broadcast_to %mu : tensor<f32> -> tensor<8xf32>
  %lr_g1 = mindir.broadcast_to %lr : tensor<f32> -> tensor<8xf32>
  %a_g1 = mindir.mul %m_g1, %mu_g1 : tensor<8xf32>
  %nm_g1 = mindir.add %a_g1, %r#2 : tensor<8xf32>
  %b_g1 = mindir.mul %nm_g1, %lr_g1 : tensor<8xf32>
  %nw_g1 = mindir.sub %g1, %b_g1 : tensor<8xf32>
  %mu_o1 = mindir.broadcast_to %mu : tensor<f32> -> tensor<8xf32>
  %lr_o1 = mindir.broadcast_to %lr : tensor<f32> -> tensor<8xf32>
  %a_o1 = mindir.mul %m_o1, %mu_o1 : tensor<8xf32>
  %nm_o1 = mindir.add %a_o1, %r#3 : tensor<8xf32>
  %b_o1 = mindir.mul %nm_o1, %lr_o1 : tensor<8xf32>
  %nw_o1 = mindir.sub %o1, %b_o1 : tensor<8xf32>
  %mu_w2 = mindir.broadcast_to %mu : tensor<f32> -> tensor<8x8x3x3xf32>
  %lr_w2 = mindir.broadcast_to %lr : tensor<f32> -> tensor<8x8x3x3xf32>
  %a_w2 = mindir.mul %m_w2, %mu_w2 : tensor<8x8x3x3xf32>
  %nm_w2 = mindir.add %a_w2, %r#4 : tensor<8x8x3x3xf32>
  %b_w2 = mindir.mul %nm_w2, %lr_w2 : tensor<8x8x3x3xf32>
  %nw_w2 = mindir.sub %w2, %b_w2 : tensor<8x8x3x3xf32>
  %mu_g2 = mindir.broadcast_to %mu : tensor<f32> -> tensor<8xf32>
  %lr_g2 = mindir.broadcast_to %lr : tensor<f32> -> tensor<8xf32>
  %a_g2 = mindir.mul %m_g2, %mu_g2 : tensor<8xf32>
  %nm_g2 = mindir.add %a_g2, %r#5 : tensor<8xf32>
  %b_g2 = mindir.mul %nm_g2, %lr_g2 : tensor<8xf32>
  %nw_g2 = mindir.sub %g2, %b_g2 : tensor<8xf32>
  %mu_o2 = mindir.broadcast_to %mu : tensor<f32> -> tensor<8xf32>
  %lr_o2 = mindir.broadcast_to %lr : tensor<f32> -> tensor<8xf32>
  %a_o2 = mindir.mul %m_o2, %mu_o2 : tensor<8xf32>
  %nm_o2 = mindir.add %a_o2, %r#6 : tensor<8xf32>
  %b_o2 = mindir.mul %nm_o2, %lr_o2 : tensor<8xf32>
  %nw_o2 = mindir.sub %o2, %b_o2 : tensor<8xf32>
  return %r#0, %nw_w1, %nw_g1, %nw_o1, %nw_w2, %nw_g2, %nw_o2, %nm_w1, %nm_g1, %nm_o1, %nm_w2, %nm_g2, %nm_o2 : tensor<f32>, tensor<8x8x3x3xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8x8x3x3xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8x8x3x3xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8x8x3x3xf32>, tensor<8xf32>, tensor<8xf32>
}
