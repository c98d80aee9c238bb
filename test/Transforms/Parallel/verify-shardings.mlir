// RUN: ms-opt --mindir-verify-shardings --verify-diagnostics --split-input-file %s

shard.grid @grid(shape = 2x3)
// expected-error @+1 {{ValueError: For 'Shard', dimension 0 of argument 0 of 'arguments' has size 7, which the 2 devices of grid 'grid' of shape [2, 3] along its axes do not divide; pad the dimension or split another one}}
func.func @arguments(%x: tensor<7x6xf32> {mindir.sharding = #mindir.sharding<@grid, [[0], [1]]>}) {
  return
}

// -----

shard.grid @grid(shape = 2x3)
// expected-error @+1 {{ValueError: For 'Shard', dimension 1 of result 0 of 'results' has size 4, which the 6 devices of grid 'grid' of shape [2, 3] along its axes do not divide}}
func.func @results(%x: tensor<6x4xf32>) -> (tensor<6x4xf32> {mindir.sharding = #mindir.sharding<@grid, [[], [1, 0]]>}) {
  return %x : tensor<6x4xf32>
}

// -----

shard.grid @grid(shape = 2x3)
func.func @definition(%x: tensor<8x4xf32>) {
  %s = shard.sharding @grid split_axes = [[1]] : !shard.sharding
  %0 = mindir.relu %x : tensor<8x4xf32>
  // expected-error @+1 {{ValueError: For 'Shard', dimension 0 of result 0 of 'mindir.relu' has size 8, which the 3 devices}}
  %1 = shard.shard %0 to %s : tensor<8x4xf32>
  return
}

// -----

shard.grid @grid(shape = 2x3)
func.func @use(%x: tensor<8x4xf32>) {
  %s = shard.sharding @grid split_axes = [[1]] : !shard.sharding
  // expected-error @+1 {{ValueError: For 'Shard', dimension 0 of operand 0 of 'mindir.relu' has size 8, which the 3 devices}}
  %1 = shard.shard %x to %s annotate_for_users : tensor<8x4xf32>
  %0 = mindir.relu %1 : tensor<8x4xf32>
  return
}

// -----

shard.grid @grid(shape = 2x3)
// expected-error @+1 {{ValueError: For 'Shard', dimension 0 of argument 0 of 'unknown_size' must be of known size to be split over grid 'grid'}}
func.func @unknown_size(%x: tensor<?x4xf32> {mindir.sharding = #mindir.sharding<@grid, [[0]]>}) {
  return
}

// -----

// expected-error @+1 {{ValueError: the sharding of argument 0 of 'no_grid' names grid 'nowhere', which does not exist}}
func.func @no_grid(%x: tensor<4xf32> {mindir.sharding = #mindir.sharding<@nowhere, [[0]]>}) {
  return
}

// -----

shard.grid @grid(shape = 2x3)
// expected-error @+1 {{ValueError: the sharding of argument 0 of 'twice' must use each axis of grid 'grid' at most once and of known extent, but uses axis 0}}
func.func @twice(%x: tensor<4x4xf32> {mindir.sharding = #mindir.sharding<@grid, [[0], [0]]>}) {
  return
}

// -----

shard.grid @grid(shape = 2x3)
// expected-error @+1 {{ValueError: For 'Shard', argument 0 of 'rank' of type 'tensor<4xf32>' has no dimension 1 to split}}
func.func @rank(%x: tensor<4xf32> {mindir.sharding = #mindir.sharding<@grid, [[], [0]]>}) {
  return
}
