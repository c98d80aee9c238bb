// RUN: ms-opt --convert-shard-to-mindir %s | FileCheck %s

// CHECK: shard.grid @grid
shard.grid @grid(shape = 2x3)

// CHECK-LABEL: func @collectives
// CHECK-NEXT: mindir.all_reduce sum, %{{.*}} on @grid axes = [0, 1] : tensor<6x4xf32>
// CHECK-NEXT: mindir.all_reduce min, %{{.*}} on @grid axes = [1] : tensor<6x4xf32>
// CHECK-NEXT: mindir.all_gather %{{.*}} axis = 1 on @grid axes = [1] : tensor<6x4xf32> -> tensor<6x12xf32>
// CHECK-NEXT: mindir.all_slice %{{.*}} axis = 0 on @grid axes = [0] : tensor<6x4xf32> -> tensor<3x4xf32>
// CHECK-NEXT: mindir.all_to_all %{{.*}} split = 0 concat = 1 on @grid axes = [0] : tensor<6x4xf32> -> tensor<3x8xf32>
// CHECK-NEXT: mindir.reduce_scatter max, %{{.*}} axis = 1 on @grid axes = [0] : tensor<6x4xf32> -> tensor<6x2xf32>
// CHECK-NEXT: %[[WIDE:.*]] = mindir.cast %{{.*}} : tensor<6x4xf32> -> tensor<6x4xf64>
// CHECK-NEXT: mindir.all_reduce sum, %[[WIDE]] on @grid axes = [0] : tensor<6x4xf64>
func.func @collectives(%x: tensor<6x4xf32>) {
  %0 = shard.all_reduce %x on @grid grid_axes = [0, 1] : tensor<6x4xf32> -> tensor<6x4xf32>
  %1 = shard.all_reduce %x on @grid grid_axes = [1] reduction = min : tensor<6x4xf32> -> tensor<6x4xf32>
  %2 = shard.all_gather %x on @grid grid_axes = [1] gather_axis = 1 : tensor<6x4xf32> -> tensor<6x12xf32>
  %3 = shard.all_slice %x on @grid grid_axes = [0] slice_axis = 0 : tensor<6x4xf32> -> tensor<3x4xf32>
  %4 = shard.all_to_all %x on @grid grid_axes = [0] split_axis = 0 concat_axis = 1 : tensor<6x4xf32> -> tensor<3x8xf32>
  %5 = shard.reduce_scatter %x on @grid grid_axes = [0] reduction = max scatter_axis = 1 : tensor<6x4xf32> -> tensor<6x2xf32>
  %6 = shard.all_reduce %x on @grid grid_axes = [0] : tensor<6x4xf32> -> tensor<6x4xf64>
  return
}
