// A batch that the devices do not divide is refused by name: upstream's partition
// would drop its last row.
// RUN: ms-opt %s -mindir-parallel-pipeline --verify-diagnostics

shard.grid @grid(shape = 2x2)

// expected-error @+1 {{ValueError: For 'Shard', dimension 0 of argument 0 of 'main' has size 7, which the 2 devices of grid 'grid' of shape [2, 2] along its axes do not divide; pad the dimension or split another one}}
func.func @main(%x: tensor<7x6xf32> {mindir.sharding = #mindir.sharding<@grid, [[0]]>}, %w: tensor<6x4xf32>) -> tensor<7x4xf32> {
  %0 = mindir.matmul %x, %w : tensor<7x6xf32>, tensor<6x4xf32> -> tensor<7x4xf32>
  return %0 : tensor<7x4xf32>
}
