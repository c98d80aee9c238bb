// RUN: ms-opt %s -split-input-file -mindir-cpu-pipeline=compile-to=memory | FileCheck %s

// An update before the last reader of its argument moves behind it, and is computed
// in the argument's buffer.
// CHECK-LABEL: func.func @main
// CHECK-SAME: (%[[W:.*]]: memref<4x4xf32>)
// CHECK-NOT: memref.copy
// CHECK: mindir.launch @{{kernel_[0-9a-f]+}} ins(%[[W]]{{.*}}outs(%
// CHECK-NOT: memref.copy
// CHECK: mindir.launch @{{kernel_[0-9a-f]+}} ins() outs(%[[W]]
// CHECK-NOT: memref.copy
// CHECK: return
func.func @main(%w: tensor<4x4xf32> {mindir.donated}) -> (tensor<4x4xf32> {mindir.updates = 0 : i64}, tensor<4x4xf32>) {
  %new = mindir.add %w, %w : tensor<4x4xf32>
  %product = mindir.matmul %w, %w : tensor<4x4xf32>, tensor<4x4xf32> -> tensor<4x4xf32>
  return %new, %product : tensor<4x4xf32>, tensor<4x4xf32>
}

// -----

// An update and a sum of the old value are one kernel, in place.
// CHECK-LABEL: func.func @main
// CHECK-SAME: (%[[W:.*]]: memref<4xf32>)
// CHECK-NOT: memref.copy
// CHECK: mindir.launch @{{kernel_[0-9a-f]+}} {{.*}}outs({{.*}}%[[W]]{{.*}}reads_init = array<i1: {{.*}}>
// CHECK-NOT: {{launch|memref.copy}}
// CHECK: return
func.func @main(%w: tensor<4xf32> {mindir.donated}) -> (tensor<4xf32> {mindir.updates = 0 : i64}, tensor<f32>) {
  %new = mindir.add %w, %w : tensor<4xf32>
  %sum = mindir.reduce_sum %w axes = [0] : tensor<4xf32> -> tensor<f32>
  return %new, %sum : tensor<4xf32>, tensor<f32>
}

// -----

// A reader of a view of the argument is a reader of the argument.
// CHECK-LABEL: func.func @main
// CHECK-SAME: (%[[W:.*]]: memref<4xf32>
// CHECK-NOT: memref.copy
// CHECK: memref.expand_shape %[[W]]
// CHECK: mindir.launch @{{kernel_[0-9a-f]+}} ins(%{{.*}}, %{{.*}} : memref<4x1xf32>
// CHECK-NOT: memref.copy
// CHECK: mindir.launch @{{kernel_[0-9a-f]+}} ins() outs(%[[W]]
// CHECK-NOT: memref.copy
// CHECK: return
func.func @main(%w: tensor<4xf32> {mindir.donated}, %x: tensor<4x4xf32>) -> (tensor<4xf32> {mindir.updates = 0 : i64}, tensor<4x4xf32>) {
  %new = mindir.add %w, %w : tensor<4xf32>
  %column = mindir.reshape %w : tensor<4xf32> -> tensor<4x1xf32>
  %all = mindir.broadcast_to %column : tensor<4x1xf32> -> tensor<4x4xf32>
  %product = mindir.matmul %all, %x : tensor<4x4xf32>, tensor<4x4xf32> -> tensor<4x4xf32>
  return %new, %product : tensor<4xf32>, tensor<4x4xf32>
}
