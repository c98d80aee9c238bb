// The models of mindir ops serve upstream's passes too, on straight-line code.
// RUN: ms-opt %s --pass-pipeline='builtin.module(func.func(sharding-propagation{traversal=forward-backward},shard-partition),canonicalize)' | FileCheck %s

shard.grid @grid(shape = 2)

// CHECK-LABEL: func @tensor_parallel
// CHECK-SAME: (%{{.*}}: tensor<4x8xf32>, %{{.*}}: tensor<8x8xf32>, %{{.*}}: tensor<8x8xf32>) -> tensor<4x8xf32>
// CHECK-NEXT: mindir.matmul {{.*}} -> tensor<4x8xf32>
// CHECK-NEXT: mindir.relu
// CHECK-NEXT: %[[PART:.*]] = mindir.matmul {{.*}} -> tensor<4x8xf32>
// CHECK-NEXT: %[[SUM:.*]] = shard.all_reduce %[[PART]] on @grid grid_axes = [0]
// CHECK-NEXT: return %[[SUM]]
func.func @tensor_parallel(%x: tensor<4x8xf32>, %w1: tensor<8x16xf32>, %w2: tensor<16x8xf32>) -> tensor<4x8xf32> {
  %s = shard.sharding @grid split_axes = [[], [0]] : !shard.sharding
  %w1_defined = shard.shard %w1 to %s : tensor<8x16xf32>
  %w1_used = shard.shard %w1_defined to %s annotate_for_users : tensor<8x16xf32>
  %0 = mindir.matmul %x, %w1_used : tensor<4x8xf32>, tensor<8x16xf32> -> tensor<4x16xf32>
  %1 = mindir.relu %0 : tensor<4x16xf32>
  %2 = mindir.matmul %1, %w2 : tensor<4x16xf32>, tensor<16x8xf32> -> tensor<4x8xf32>
  return %2 : tensor<4x8xf32>
}
