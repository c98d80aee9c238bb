// RUN: ms-opt %s -mindir-cpu-pipeline=compile-to=memory | FileCheck %s

// An update before the last reader of its argument moves behind it, and is computed
// in the argument's buffer. Two sums have a fill each.
// CHECK-LABEL: func.func @main
// CHECK-SAME: (%[[W:.*]]: memref<4xf32>)
// CHECK-NOT: memref.copy
// CHECK: call @[[READER:kernel_[0-9a-f]+]](%{{.*}}, %[[W]])
// CHECK-NOT: memref.copy
// CHECK: call @{{kernel_[0-9a-f]+}}(%[[W]])
// CHECK-NOT: memref.copy
// CHECK: return
func.func @main(%w: tensor<4xf32> {mindir.donated}) -> (tensor<4xf32> {mindir.updates = 0 : i64}, tensor<f32>) {
  %new = mindir.add %w, %w : tensor<4xf32>
  %sum = mindir.reduce_sum %w axes = [0] : tensor<4xf32> -> tensor<f32>
  return %new, %sum : tensor<4xf32>, tensor<f32>
}
