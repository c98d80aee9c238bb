// RUN: ms-opt --mindir-propagate-shardings --mindir-partition-module --cse %s | FileCheck %s

shard.grid @grid(shape = 2x2)

// Column split, then row split: one all_reduce, after the second product.
// CHECK-LABEL: func @tensor_parallel
// CHECK-SAME: %{{.*}}: tensor<4x8xf32> {mindir.sharding = #mindir.sharding<@grid, {{\[\[}}]]>}
// CHECK-SAME: %{{.*}}: tensor<8x8xf32> {mindir.sharding = #mindir.sharding<@grid, {{\[\[}}], [0]]>}
// CHECK-SAME: %{{.*}}: tensor<8x6xf32> {mindir.sharding = #mindir.sharding<@grid, {{\[\[}}0]]>}
// CHECK-SAME: -> (tensor<4x6xf32> {mindir.sharding = #mindir.sharding<@grid, {{\[\[}}]]>})
// CHECK-NEXT: mindir.matmul {{.*}} -> tensor<4x8xf32>
// CHECK-NEXT: %[[PART:.*]] = mindir.matmul {{.*}} -> tensor<4x6xf32>
// CHECK-NEXT: %[[SUM:.*]] = shard.all_reduce %[[PART]] on @grid grid_axes = [0]
// CHECK-NEXT: return %[[SUM]]
func.func @tensor_parallel(%x: tensor<4x8xf32>,
    %w1: tensor<8x16xf32> {mindir.sharding = #mindir.sharding<@grid, [[], [0]]>},
    %w2: tensor<16x6xf32>) -> tensor<4x6xf32> {
  %0 = mindir.matmul %x, %w1 : tensor<4x8xf32>, tensor<8x16xf32> -> tensor<4x16xf32>
  %1 = mindir.matmul %0, %w2 : tensor<4x16xf32>, tensor<16x6xf32> -> tensor<4x6xf32>
  return %1 : tensor<4x6xf32>
}

// Maxima and minima join as such; a kept dimension is never split.
// CHECK-LABEL: func @reductions
// CHECK: mindir.reduce_max {{.*}} : tensor<4x3xf32> -> tensor<3xf32>
// CHECK-NEXT: shard.all_reduce {{.*}} reduction = max
// CHECK: mindir.reduce_min {{.*}} keep_dims : tensor<4x3xf32> -> tensor<1x3xf32>
// CHECK-NEXT: shard.all_reduce {{.*}} reduction = min
// CHECK: mindir.broadcast_to {{.*}} : tensor<1x3xf32> -> tensor<4x3xf32>
func.func @reductions(%x: tensor<8x3xf32> {mindir.sharding = #mindir.sharding<@grid, [[1]]>}) -> (tensor<3xf32>, tensor<8x3xf32>) {
  %0 = mindir.reduce_max %x axes = [0] : tensor<8x3xf32> -> tensor<3xf32>
  %1 = mindir.reduce_min %x axes = [0] keep_dims : tensor<8x3xf32> -> tensor<1x3xf32>
  %2 = mindir.broadcast_to %1 : tensor<1x3xf32> -> tensor<8x3xf32>
  %3 = mindir.sub %x, %2 : tensor<8x3xf32>
  return %0, %3 : tensor<3xf32>, tensor<8x3xf32>
}

// An axis that changes its dimension, axes that go and axes that come.
// CHECK-LABEL: func @resharding
// CHECK: shard.all_to_all %{{.*}} on @grid grid_axes = [0] split_axis = 1 concat_axis = 0 : tensor<4x8xf32> -> tensor<8x4xf32>
// CHECK: shard.all_gather {{.*}} : tensor<4x8xf32> -> tensor<8x8xf32>
// CHECK: shard.all_slice %{{.*}} on @grid grid_axes = [1] slice_axis = 0 : tensor<4x8xf32> -> tensor<2x8xf32>
func.func @resharding(%x: tensor<8x8xf32> {mindir.sharding = #mindir.sharding<@grid, [[0]]>})
    -> (tensor<8x8xf32> {mindir.sharding = #mindir.sharding<@grid, [[], [0]]>},
        tensor<8x8xf32> {mindir.sharding = #mindir.sharding<@grid, []>},
        tensor<8x8xf32> {mindir.sharding = #mindir.sharding<@grid, [[0, 1]]>}) {
  return %x, %x, %x : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>
}

// Splat constants are cut, others sliced.
// CHECK-LABEL: func @constants
// CHECK: mindir.constant dense<2.000000e+00> : tensor<2xf32>
// CHECK: %[[WHOLE:.*]] = mindir.constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]>
// CHECK: shard.all_slice %[[WHOLE]] on @grid grid_axes = [0] slice_axis = 0 : tensor<4xf32> -> tensor<2xf32>
func.func @constants(%x: tensor<4xf32> {mindir.sharding = #mindir.sharding<@grid, [[0]]>}) -> tensor<4xf32> {
  %two = mindir.constant dense<2.0> : tensor<4xf32>
  %counts = mindir.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %0 = mindir.mul %x, %two : tensor<4xf32>
  %1 = mindir.add %0, %counts : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// An op without a rule runs whole, on every device.
// CHECK-LABEL: func @no_rule
// CHECK: %[[WHOLE:.*]] = shard.all_gather %arg0
// CHECK: mindir.reverse %[[WHOLE]] {{.*}} : tensor<4xf32>
// CHECK: shard.all_slice
func.func @no_rule(%x: tensor<4xf32> {mindir.sharding = #mindir.sharding<@grid, [[0]]>})
    -> (tensor<4xf32> {mindir.sharding = #mindir.sharding<@grid, [[0]]>}) {
  %0 = mindir.reverse %x axes = [0] : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// Both branches, and the function that one of them calls.
// CHECK-LABEL: func @branches
// CHECK: scf.if {{.*}} -> (tensor<2xf32>)
// CHECK: call @callee({{.*}}) : (tensor<2xf32>) -> tensor<2xf32>
// CHECK: mindir.neg {{.*}} : tensor<2xf32>
func.func @branches(%condition: i1, %x: tensor<4xf32> {mindir.sharding = #mindir.sharding<@grid, [[1]]>}) -> tensor<4xf32> {
  %0 = scf.if %condition -> tensor<4xf32> {
    %1 = func.call @callee(%x) : (tensor<4xf32>) -> tensor<4xf32>
    scf.yield %1 : tensor<4xf32>
  } else {
    %1 = mindir.neg %x : tensor<4xf32>
    scf.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}
// CHECK-LABEL: func private @callee
// CHECK-SAME: tensor<2xf32>
// CHECK: mindir.exp {{.*}} : tensor<2xf32>
func.func private @callee(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = mindir.exp %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
