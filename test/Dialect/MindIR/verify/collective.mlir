// RUN: ms-opt --verify-diagnostics --split-input-file %s

func.func @all_reduce_c1(%x: tensor<4xf32>) {
  // expected-error @+1 {{ValueError: For 'AllReduce', expected the name of a shard.grid, but found 'nowhere'}}
  %0 = mindir.all_reduce sum, %x on @nowhere axes = [0] : tensor<4xf32>
  return
}

// -----

shard.grid @grid(shape = 2x3)
func.func @all_reduce_c2(%x: tensor<4xf32>) {
  // expected-error @+1 {{ValueError: For 'AllReduce', expected distinct axes of grid 'grid' of shape [2, 3], but got [1, 1]}}
  %0 = mindir.all_reduce sum, %x on @grid axes = [1, 1] : tensor<4xf32>
  return
}

// -----

shard.grid @grid(shape = 2x3)
func.func @all_gather_c3(%x: tensor<4xf32>) {
  // expected-error @+1 {{ValueError: For 'AllGather', the axis must lie in [0, 1) for a tensor of rank 1, but got 1}}
  %0 = mindir.all_gather %x axis = 1 on @grid axes = [0] : tensor<4xf32> -> tensor<8xf32>
  return
}

// -----

shard.grid @grid(shape = 2x3)
func.func @all_gather_c4(%x: tensor<4xf32>) {
  // expected-error @+1 {{ValueError: For 'AllGather', over groups of 6 devices, 'tensor<4xf32>' becomes 'tensor<24xf32>', but the result has 'tensor<8xf32>'}}
  %0 = mindir.all_gather %x axis = 0 on @grid axes = [0, 1] : tensor<4xf32> -> tensor<8xf32>
  return
}

// -----

shard.grid @grid(shape = 2x3)
func.func @all_slice_c4(%x: tensor<4x4xf32>) {
  // expected-error @+1 {{ValueError: For 'AllSlice', dimension 1 has size 4, which the 3 devices of a group do not divide}}
  %0 = mindir.all_slice %x axis = 1 on @grid axes = [1] : tensor<4x4xf32> -> tensor<4x1xf32>
  return
}

// -----

shard.grid @grid(shape = 2x3)
func.func @reduce_scatter_c4(%x: tensor<5xf32>) {
  // expected-error @+1 {{ValueError: For 'ReduceScatter', dimension 0 has size 5, which the 2 devices of a group do not divide}}
  %0 = mindir.reduce_scatter sum, %x axis = 0 on @grid axes = [0] : tensor<5xf32> -> tensor<2xf32>
  return
}

// -----

shard.grid @grid(shape = 2x3)
func.func @all_to_all_c4(%x: tensor<4x2xf32>) {
  // expected-error @+1 {{ValueError: For 'AllToAll', over groups of 2 devices, 'tensor<4x2xf32>' becomes 'tensor<2x4xf32>', but the result has 'tensor<4x4xf32>'}}
  %0 = mindir.all_to_all %x split = 0 concat = 1 on @grid axes = [0] : tensor<4x2xf32> -> tensor<4x4xf32>
  return
}

// -----

shard.grid @grid(shape = 2x3)
func.func @all_reduce_c2_range(%x: tensor<4xf32>) {
  // expected-error @+1 {{ValueError: For 'AllReduce', expected distinct axes of grid 'grid' of shape [2, 3], but got [2]}}
  %0 = mindir.all_reduce sum, %x on @grid axes = [2] : tensor<4xf32>
  return
}

// -----

func.func @all_gather_c1(%x: tensor<4xf32>) {
  // expected-error @+1 {{ValueError: For 'AllGather', expected the name of a shard.grid, but found 'nowhere'}}
  %0 = mindir.all_gather %x axis = 0 on @nowhere axes = [0] : tensor<4xf32> -> tensor<8xf32>
  return
}

// -----

shard.grid @grid(shape = 2x3)
func.func @all_gather_c2(%x: tensor<4xf32>) {
  // expected-error @+1 {{ValueError: For 'AllGather', expected distinct axes of grid 'grid' of shape [2, 3], but got [0, 0]}}
  %0 = mindir.all_gather %x axis = 0 on @grid axes = [0, 0] : tensor<4xf32> -> tensor<8xf32>
  return
}

// -----

shard.grid @grid(shape = 2x3)
func.func @all_gather_c2_range(%x: tensor<4xf32>) {
  // expected-error @+1 {{ValueError: For 'AllGather', expected distinct axes of grid 'grid' of shape [2, 3], but got [2]}}
  %0 = mindir.all_gather %x axis = 0 on @grid axes = [2] : tensor<4xf32> -> tensor<8xf32>
  return
}

// -----

func.func @all_slice_c1(%x: tensor<4xf32>) {
  // expected-error @+1 {{ValueError: For 'AllSlice', expected the name of a shard.grid, but found 'nowhere'}}
  %0 = mindir.all_slice %x axis = 0 on @nowhere axes = [0] : tensor<4xf32> -> tensor<2xf32>
  return
}

// -----

shard.grid @grid(shape = 2x3)
func.func @all_slice_c2(%x: tensor<4xf32>) {
  // expected-error @+1 {{ValueError: For 'AllSlice', expected distinct axes of grid 'grid' of shape [2, 3], but got [0, 0]}}
  %0 = mindir.all_slice %x axis = 0 on @grid axes = [0, 0] : tensor<4xf32> -> tensor<2xf32>
  return
}

// -----

shard.grid @grid(shape = 2x3)
func.func @all_slice_c2_range(%x: tensor<4xf32>) {
  // expected-error @+1 {{ValueError: For 'AllSlice', expected distinct axes of grid 'grid' of shape [2, 3], but got [2]}}
  %0 = mindir.all_slice %x axis = 0 on @grid axes = [2] : tensor<4xf32> -> tensor<2xf32>
  return
}

// -----

func.func @reduce_scatter_c1(%x: tensor<4xf32>) {
  // expected-error @+1 {{ValueError: For 'ReduceScatter', expected the name of a shard.grid, but found 'nowhere'}}
  %0 = mindir.reduce_scatter sum, %x axis = 0 on @nowhere axes = [0] : tensor<4xf32> -> tensor<2xf32>
  return
}

// -----

shard.grid @grid(shape = 2x3)
func.func @reduce_scatter_c2(%x: tensor<4xf32>) {
  // expected-error @+1 {{ValueError: For 'ReduceScatter', expected distinct axes of grid 'grid' of shape [2, 3], but got [0, 0]}}
  %0 = mindir.reduce_scatter sum, %x axis = 0 on @grid axes = [0, 0] : tensor<4xf32> -> tensor<2xf32>
  return
}

// -----

shard.grid @grid(shape = 2x3)
func.func @reduce_scatter_c2_range(%x: tensor<4xf32>) {
  // expected-error @+1 {{ValueError: For 'ReduceScatter', expected distinct axes of grid 'grid' of shape [2, 3], but got [2]}}
  %0 = mindir.reduce_scatter sum, %x axis = 0 on @grid axes = [2] : tensor<4xf32> -> tensor<2xf32>
  return
}

// -----

func.func @all_to_all_c1(%x: tensor<4xf32>) {
  // expected-error @+1 {{ValueError: For 'AllToAll', expected the name of a shard.grid, but found 'nowhere'}}
  %0 = mindir.all_to_all %x split = 0 concat = 0 on @nowhere axes = [0] : tensor<4xf32> -> tensor<4xf32>
  return
}

// -----

shard.grid @grid(shape = 2x3)
func.func @all_to_all_c2(%x: tensor<4xf32>) {
  // expected-error @+1 {{ValueError: For 'AllToAll', expected distinct axes of grid 'grid' of shape [2, 3], but got [0, 0]}}
  %0 = mindir.all_to_all %x split = 0 concat = 0 on @grid axes = [0, 0] : tensor<4xf32> -> tensor<4xf32>
  return
}

// -----

shard.grid @grid(shape = 2x3)
func.func @all_to_all_c2_range(%x: tensor<4xf32>) {
  // expected-error @+1 {{ValueError: For 'AllToAll', expected distinct axes of grid 'grid' of shape [2, 3], but got [2]}}
  %0 = mindir.all_to_all %x split = 0 concat = 0 on @grid axes = [2] : tensor<4xf32> -> tensor<4xf32>
  return
}

// -----

shard.grid @grid(shape = 2x3)
func.func @all_slice_c3(%x: tensor<4xf32>) {
  // expected-error @+1 {{ValueError: For 'AllSlice', the axis must lie in [0, 1) for a tensor of rank 1, but got 1}}
  %0 = mindir.all_slice %x axis = 1 on @grid axes = [0] : tensor<4xf32> -> tensor<2xf32>
  return
}

// -----

shard.grid @grid(shape = 2x3)
func.func @all_slice_c3_negative(%x: tensor<4xf32>) {
  // expected-error @+1 {{ValueError: For 'AllSlice', the axis must lie in [0, 1) for a tensor of rank 1, but got -1}}
  %0 = mindir.all_slice %x axis = -1 on @grid axes = [0] : tensor<4xf32> -> tensor<4xf32>
  return
}

// -----

shard.grid @grid(shape = 2x3)
func.func @all_gather_c3_negative(%x: tensor<4xf32>) {
  // expected-error @+1 {{ValueError: For 'AllGather', the axis must lie in [0, 1) for a tensor of rank 1, but got -1}}
  %0 = mindir.all_gather %x axis = -1 on @grid axes = [0] : tensor<4xf32> -> tensor<4xf32>
  return
}

// -----

shard.grid @grid(shape = 2x3)
func.func @reduce_scatter_c3(%x: tensor<4xf32>) {
  // expected-error @+1 {{ValueError: For 'ReduceScatter', the axis must lie in [0, 1) for a tensor of rank 1, but got 1}}
  %0 = mindir.reduce_scatter sum, %x axis = 1 on @grid axes = [0] : tensor<4xf32> -> tensor<2xf32>
  return
}

// -----

shard.grid @grid(shape = 2x3)
func.func @all_to_all_c3(%x: tensor<4xf32>) {
  // expected-error @+1 {{ValueError: For 'AllToAll', the axis must lie in [0, 1) for a tensor of rank 1, but got 1}}
  %0 = mindir.all_to_all %x split = 0 concat = 1 on @grid axes = [0] : tensor<4xf32> -> tensor<4xf32>
  return
}

// -----

shard.grid @grid(shape = 2x3)
func.func @all_to_all_c3_split(%x: tensor<4xf32>) {
  // expected-error @+1 {{ValueError: For 'AllToAll', the axis must lie in [0, 1) for a tensor of rank 1, but got -1}}
  %0 = mindir.all_to_all %x split = -1 concat = 0 on @grid axes = [0] : tensor<4xf32> -> tensor<8xf32>
  return
}
