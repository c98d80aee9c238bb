// RUN: ms-opt %s -mindir-layout-pipeline -split-input-file | FileCheck %s

// A chain of ops on images is transposed once where it begins and once where it ends;
// the vectors of the normalization, and the weights, stay.
// CHECK-LABEL: func @chain
// CHECK-SAME: %[[X:.*]]: tensor<2x3x8x8xf32>, %[[W1:.*]]: tensor<4x3x3x3xf32>
// CHECK: %[[T:.*]] = mindir.transpose %[[X]] permutation = [0, 2, 3, 1]
// CHECK: mindir.conv2d %[[T]], %[[W1]] {{.*}}layout nhwc{{.*}} -> tensor<2x8x8x4xf32>
// CHECK: mindir.batch_norm_inference {{.*}} axis = 3
// CHECK-NOT: mindir.transpose
// CHECK: mindir.max_pool2d {{.*}}layout nhwc{{.*}} -> tensor<2x4x4x4xf32>
// CHECK-NOT: mindir.transpose
// CHECK: %[[C:.*]] = mindir.conv2d
// CHECK: %[[BACK:.*]] = mindir.transpose %[[C]] permutation = [0, 3, 1, 2]
// CHECK: mindir.relu %[[BACK]]
// CHECK-NEXT: return
func.func @chain(%x: tensor<2x3x8x8xf32>, %w1: tensor<4x3x3x3xf32>, %w2: tensor<4x4x3x3xf32>, %v: tensor<4xf32>) -> tensor<2x4x4x4xf32> {
  %0 = mindir.conv2d %x, %w1 {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>} : tensor<2x3x8x8xf32>, tensor<4x3x3x3xf32> -> tensor<2x4x8x8xf32>
  %1 = mindir.batch_norm_inference %0, %v, %v, %v, %v axis = 1 epsilon = 1.0e-5 : tensor<2x4x8x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32> -> tensor<2x4x8x8xf32>
  %2, %i = mindir.max_pool2d %1 {window = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>} : tensor<2x4x8x8xf32> -> tensor<2x4x4x4xf32>, tensor<2x4x4x4xi64>
  %3 = mindir.conv2d %2, %w2 {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>} : tensor<2x4x4x4xf32>, tensor<4x4x3x3xf32> -> tensor<2x4x4x4xf32>
  %4 = mindir.relu %3 : tensor<2x4x4x4xf32>
  return %4 : tensor<2x4x4x4xf32>
}

// -----

// The mean over an image is the same in both orders, and one channel needs no move.
// CHECK-LABEL: func @ends
// CHECK-NOT: mindir.transpose
// CHECK: mindir.reshape {{.*}} tensor<2x1x8x8xf32> -> tensor<2x8x8x1xf32>
// CHECK-NOT: mindir.transpose
// CHECK: mindir.broadcast_to {{.*}} tensor<1x1x1x4xf32> -> tensor<2x8x8x4xf32>
// CHECK: mindir.reduce_sum {{.*}} axes = [1, 2] : tensor<2x8x8x4xf32> -> tensor<2x4xf32>
// CHECK-NOT: mindir.transpose
func.func @ends(%x: tensor<2x1x8x8xf32>, %w: tensor<4x1x3x3xf32>, %b: tensor<4xf32>) -> tensor<2x4xf32> {
  %0 = mindir.conv2d %x, %w {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>} : tensor<2x1x8x8xf32>, tensor<4x1x3x3xf32> -> tensor<2x4x8x8xf32>
  %1 = mindir.reshape %b : tensor<4xf32> -> tensor<1x4x1x1xf32>
  %2 = mindir.broadcast_to %1 : tensor<1x4x1x1xf32> -> tensor<2x4x8x8xf32>
  %3 = mindir.add %0, %2 : tensor<2x4x8x8xf32>
  %4 = mindir.reduce_sum %3 axes = [2, 3] : tensor<2x4x8x8xf32> -> tensor<2x4xf32>
  return %4 : tensor<2x4xf32>
}

// -----

// Where an image must be natural again, the smallest value is moved: here the pooled.
// CHECK-LABEL: func @cheapest
// CHECK: mindir.avg_pool2d {{.*}}layout nhwc
// CHECK: mindir.transpose {{.*}} tensor<2x2x2x4xf32> -> tensor<2x4x2x2xf32>
// CHECK: mindir.reshape
func.func @cheapest(%x: tensor<2x1x8x8xf32>, %w: tensor<4x1x3x3xf32>) -> tensor<2x16xf32> {
  %0 = mindir.conv2d %x, %w {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>} : tensor<2x1x8x8xf32>, tensor<4x1x3x3xf32> -> tensor<2x4x8x8xf32>
  %1 = mindir.avg_pool2d %0 {window = array<i64: 4, 4>, strides = array<i64: 4, 4>, padding = array<i64: 0, 0, 0, 0>} : tensor<2x4x8x8xf32> -> tensor<2x4x2x2xf32>
  %2 = mindir.relu %1 : tensor<2x4x2x2xf32>
  %3 = mindir.reshape %2 : tensor<2x4x2x2xf32> -> tensor<2x16xf32>
  return %3 : tensor<2x16xf32>
}

// -----

// Pooling alone is left as it is.
// CHECK-LABEL: func @no_convolution
// CHECK-NEXT: mindir.avg_pool2d %arg0 {padding = array<i64: 0, 0, 0, 0>
// CHECK-NEXT: return
func.func @no_convolution(%x: tensor<2x4x8x8xf32>) -> tensor<2x4x2x2xf32> {
  %1 = mindir.avg_pool2d %x {window = array<i64: 4, 4>, strides = array<i64: 4, 4>, padding = array<i64: 0, 0, 0, 0>} : tensor<2x4x8x8xf32> -> tensor<2x4x2x2xf32>
  return %1 : tensor<2x4x2x2xf32>
}

// -----

// A program's own transposes cancel.
// CHECK-LABEL: func @own_transposes
// CHECK-NOT: mindir.transpose
// CHECK: mindir.conv2d %arg0
// CHECK-NOT: mindir.transpose
// CHECK: return
func.func @own_transposes(%x: tensor<2x8x8x3xf32>, %w: tensor<4x3x3x3xf32>) -> tensor<2x8x8x4xf32> {
  %0 = mindir.transpose %x permutation = [0, 3, 1, 2] : tensor<2x8x8x3xf32> -> tensor<2x3x8x8xf32>
  %1 = mindir.conv2d %0, %w {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>} : tensor<2x3x8x8xf32>, tensor<4x3x3x3xf32> -> tensor<2x4x8x8xf32>
  %2 = mindir.transpose %1 permutation = [0, 2, 3, 1] : tensor<2x4x8x8xf32> -> tensor<2x8x8x4xf32>
  return %2 : tensor<2x8x8x4xf32>
}

// -----

// What a loop carries is transposed before it and after it, not in it.
// CHECK-LABEL: func @loop
// CHECK: %[[T:.*]] = mindir.transpose
// CHECK: scf.for {{.*}} iter_args(%[[A:.*]] = %[[T]]) -> (tensor<2x8x8x4xf32>)
// CHECK-NOT: mindir.transpose
// CHECK: scf.if {{.*}} -> (tensor<2x8x8x4xf32>)
// CHECK-NOT: mindir.transpose
// CHECK: return
func.func @loop(%x: tensor<2x4x8x8xf32>, %w: tensor<4x4x3x3xf32>, %c: i1, %n: index) -> tensor<f32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r = scf.for %i = %zero to %n step %one iter_args(%a = %x) -> (tensor<2x4x8x8xf32>) {
    %0 = mindir.conv2d %a, %w {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>} : tensor<2x4x8x8xf32>, tensor<4x4x3x3xf32> -> tensor<2x4x8x8xf32>
    %1 = scf.if %c -> tensor<2x4x8x8xf32> {
      %2 = mindir.relu %0 : tensor<2x4x8x8xf32>
      scf.yield %2 : tensor<2x4x8x8xf32>
    } else {
      %2 = mindir.tanh %0 : tensor<2x4x8x8xf32>
      scf.yield %2 : tensor<2x4x8x8xf32>
    }
    scf.yield %1 : tensor<2x4x8x8xf32>
  }
  %s = mindir.reduce_sum %r axes = [0, 1, 2, 3] : tensor<2x4x8x8xf32> -> tensor<f32>
  return %s : tensor<f32>
}

// -----

// Sizes that are not known go with their dimensions.
// CHECK-LABEL: func @unknown_sizes
// CHECK-SAME: %[[N:[a-z0-9]+]]: index, %[[H:[a-z0-9]+]]: index
// CHECK: mindir.conv2d_input_grad {{.*}} sizes(%[[N]], %[[H]]) {{.*}} -> tensor<?x?x8x4xf32>
func.func @unknown_sizes(%g: tensor<?x4x?x8xf32>, %w: tensor<4x4x3x3xf32>, %n: index, %h: index) -> tensor<?x4x?x8xf32> {
  %0 = mindir.conv2d_input_grad %g, %w sizes(%n, %h) {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>} : tensor<?x4x?x8xf32>, tensor<4x4x3x3xf32> -> tensor<?x4x?x8xf32>
  return %0 : tensor<?x4x?x8xf32>
}

// -----

// Private functions take and give transposed images, in all their calls; an entry does not.
// CHECK-LABEL: func @calls(
// CHECK-SAME: -> tensor<2x4xf32>
// CHECK: %[[C:.*]] = mindir.conv2d {{.*}} -> tensor<2x8x8x4xf32>
// CHECK: %[[A:.*]] = call @scale(%[[C]]) : (tensor<2x8x8x4xf32>) -> tensor<2x8x8x4xf32>
// CHECK: call @scale(%[[A]]) : (tensor<2x8x8x4xf32>) -> tensor<2x8x8x4xf32>
// CHECK: func.func private @scale(%{{.*}}: tensor<2x8x8x4xf32>) -> tensor<2x8x8x4xf32>
// CHECK-NOT: mindir.transpose
func.func @calls(%x: tensor<2x1x8x8xf32>, %w: tensor<4x1x3x3xf32>) -> tensor<2x4xf32> {
  %0 = mindir.conv2d %x, %w {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>} : tensor<2x1x8x8xf32>, tensor<4x1x3x3xf32> -> tensor<2x4x8x8xf32>
  %1 = call @scale(%0) : (tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %2 = call @scale(%1) : (tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %3 = mindir.reduce_sum %2 axes = [2, 3] : tensor<2x4x8x8xf32> -> tensor<2x4xf32>
  return %3 : tensor<2x4xf32>
}
func.func private @scale(%x: tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32> {
  %0 = mindir.tanh %x : tensor<2x4x8x8xf32>
  %1 = mindir.softmax %0 axis = 1 : tensor<2x4x8x8xf32>
  return %1 : tensor<2x4x8x8xf32>
}
