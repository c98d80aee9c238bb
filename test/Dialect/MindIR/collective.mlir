// RUN: ms-opt %s | ms-opt | FileCheck %s
// RUN: ms-opt --canonicalize %s | FileCheck %s --check-prefix=FOLD

shard.grid @grid(shape = 2x3x1)

// CHECK-LABEL: func @collectives
func.func @collectives(%x: tensor<6x4xf32>) {
  // CHECK: mindir.all_reduce max, %{{.*}} on @grid axes = [1] : tensor<6x4xf32>
  %0 = mindir.all_reduce max, %x on @grid axes = [1] : tensor<6x4xf32>
  // CHECK: mindir.all_gather %{{.*}} axis = 1 on @grid axes = [0, 1] : tensor<6x4xf32> -> tensor<6x24xf32>
  %1 = mindir.all_gather %x axis = 1 on @grid axes = [0, 1] : tensor<6x4xf32> -> tensor<6x24xf32>
  // CHECK: mindir.all_slice %{{.*}} axis = 0 on @grid axes = [1] : tensor<6x4xf32> -> tensor<2x4xf32>
  %2 = mindir.all_slice %x axis = 0 on @grid axes = [1] : tensor<6x4xf32> -> tensor<2x4xf32>
  // CHECK: mindir.reduce_scatter sum, %{{.*}} axis = 1 on @grid axes = [0] : tensor<6x4xf32> -> tensor<6x2xf32>
  %3 = mindir.reduce_scatter sum, %x axis = 1 on @grid axes = [0] : tensor<6x4xf32> -> tensor<6x2xf32>
  // CHECK: mindir.all_to_all %{{.*}} split = 0 concat = 1 on @grid axes = [1] : tensor<6x4xf32> -> tensor<2x12xf32>
  %4 = mindir.all_to_all %x split = 0 concat = 1 on @grid axes = [1] : tensor<6x4xf32> -> tensor<2x12xf32>
  return
}

// A group of one device moves nothing.
// FOLD-LABEL: func @single_devices
// FOLD-SAME: (%[[X:.*]]: tensor<4xf32>)
// FOLD-NEXT: return %[[X]], %[[X]], %[[X]], %[[X]], %[[X]]
func.func @single_devices(%x: tensor<4xf32>)
    -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %0 = mindir.all_reduce sum, %x on @grid axes = [2] : tensor<4xf32>
  %1 = mindir.all_gather %x axis = 0 on @grid axes = [2] : tensor<4xf32> -> tensor<4xf32>
  %2 = mindir.all_slice %x axis = 0 on @grid axes = [] : tensor<4xf32> -> tensor<4xf32>
  %3 = mindir.reduce_scatter sum, %x axis = 0 on @grid axes = [2] : tensor<4xf32> -> tensor<4xf32>
  %4 = mindir.all_to_all %x split = 0 concat = 0 on @grid axes = [2] : tensor<4xf32> -> tensor<4xf32>
  return %0, %1, %2, %3, %4 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func @sharding
// CHECK-SAME: {mindir.sharding = #mindir.sharding<@grid, {{\[\[}}0], [], [1, 2]]>}
// CHECK-SAME: {mindir.sharding = #mindir.sharding<@grid, []>}
func.func @sharding(%x: tensor<4x4x6xf32> {mindir.sharding = #mindir.sharding<@grid, [[0], [], [1, 2]]>},
                    %y: tensor<4xf32> {mindir.sharding = #mindir.sharding<@grid, []>}) {
  return
}
