// RUN: ms-run --reference --grid=@grid --every-function %s --input='dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 6.0]> : tensor<8xf32>' | FileCheck %s
// RUN: not ms-run --reference --entry=sum %s 2>&1 | FileCheck %s --check-prefix=NOGRID

// Devices (0, 0), (0, 1), (1, 0), (1, 1) hold [0, 1], [2, 3], [4, 5], [6, 6].
shard.grid @grid(shape = 2x2)

// NOGRID: NotImplementedError: 'mindir.all_reduce' needs a process grid, and this run has none
// CHECK-LABEL: @sum
// CHECK-NEXT: tensor<4xf32> [4, 6, 8, 9]
func.func @sum(%x: tensor<2xf32> {mindir.sharding = #mindir.sharding<@grid, [[0, 1]]>})
    -> (tensor<2xf32> {mindir.sharding = #mindir.sharding<@grid, [[1]]>}) {
  %0 = mindir.all_reduce sum, %x on @grid axes = [0] : tensor<2xf32>
  return %0 : tensor<2xf32>
}

// CHECK-LABEL: @least
// CHECK-NEXT: tensor<2xf32> [0, 1]
func.func @least(%x: tensor<2xf32> {mindir.sharding = #mindir.sharding<@grid, [[0, 1]]>}) -> tensor<2xf32> {
  %0 = mindir.all_reduce min, %x on @grid axes = [0, 1] : tensor<2xf32>
  return %0 : tensor<2xf32>
}

// CHECK-LABEL: @gather_inner
// CHECK-NEXT: tensor<8xf32> [0, 1, 2, 3, 4, 5, 6, 6]
func.func @gather_inner(%x: tensor<2xf32> {mindir.sharding = #mindir.sharding<@grid, [[0, 1]]>})
    -> (tensor<4xf32> {mindir.sharding = #mindir.sharding<@grid, [[0]]>}) {
  %0 = mindir.all_gather %x axis = 0 on @grid axes = [1] : tensor<2xf32> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// The order of the axes is that of the group.
// CHECK-LABEL: @gather_exchanged
// CHECK-NEXT: tensor<8xf32> [0, 1, 4, 5, 2, 3, 6, 6]
func.func @gather_exchanged(%x: tensor<2xf32> {mindir.sharding = #mindir.sharding<@grid, [[0, 1]]>}) -> tensor<8xf32> {
  %0 = mindir.all_gather %x axis = 0 on @grid axes = [1, 0] : tensor<2xf32> -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// CHECK-LABEL: @slice
// CHECK-NEXT: tensor<8xf32> [0, 1, 2, 3, 4, 5, 6, 6]
func.func @slice(%x: tensor<8xf32>) -> (tensor<4xf32> {mindir.sharding = #mindir.sharding<@grid, [[1]]>}) {
  %0 = mindir.all_slice %x axis = 0 on @grid axes = [1] : tensor<8xf32> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: @scatter
// CHECK-NEXT: tensor<2xf32> [8, 9]
func.func @scatter(%x: tensor<2xf32> {mindir.sharding = #mindir.sharding<@grid, [[0, 1]]>})
    -> (tensor<1xf32> {mindir.sharding = #mindir.sharding<@grid, [[0]]>}) {
  %0 = mindir.reduce_scatter sum, %x axis = 0 on @grid axes = [0] : tensor<2xf32> -> tensor<1xf32>
  %1 = mindir.all_reduce max, %0 on @grid axes = [1] : tensor<1xf32>
  return %1 : tensor<1xf32>
}

// Rows become columns: the matrix [[0, 1, 2, 3], [4, 5, 6, 6]] stays.
// CHECK-LABEL: @exchange
// CHECK-NEXT: tensor<2x4xf32>
// CHECK-SAME: 0, 1, 2, 3
// CHECK-SAME: 4, 5, 6, 6
func.func @exchange(%x: tensor<8xf32>) -> (tensor<2x2xf32> {mindir.sharding = #mindir.sharding<@grid, [[], [0]]>}) {
  %0 = mindir.reshape %x : tensor<8xf32> -> tensor<2x4xf32>
  %1 = mindir.all_slice %0 axis = 0 on @grid axes = [0] : tensor<2x4xf32> -> tensor<1x4xf32>
  %2 = mindir.all_to_all %1 split = 1 concat = 0 on @grid axes = [0] : tensor<1x4xf32> -> tensor<2x2xf32>
  return %2 : tensor<2x2xf32>
}
