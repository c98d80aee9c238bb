// RUN: ms-opt --mindir-propagate-shardings --verify-diagnostics --split-input-file %s

shard.grid @grid(shape = 2x2)
shard.grid @other(shape = 4)
// expected-error @+1 {{ValueError: expected one grid in the module, but found}}
func.func @two_grids(%x: tensor<4x4xf32> {mindir.sharding = #mindir.sharding<@grid, [[0]]>},
                     %y: tensor<4x4xf32> {mindir.sharding = #mindir.sharding<@other, [[0]]>}) {
  return
}

// -----

shard.grid @grid(shape = 2x2)
func.func @two_shardings(%x: tensor<4x4xf32>) {
  %s = shard.sharding @grid split_axes = [[0]] : !shard.sharding
  %t = shard.sharding @grid split_axes = [[1]] : !shard.sharding
  %0 = shard.shard %x to %s : tensor<4x4xf32>
  // expected-error @+1 {{ValueError: the tensor has two different shardings}}
  %1 = shard.shard %x to %t : tensor<4x4xf32>
  return
}
