// RUN: ms-opt --convert-shard-to-mindir --verify-diagnostics --split-input-file %s

shard.grid @grid(shape = 2)
func.func @unknown(%x: tensor<4xf32>) {
  // expected-error @+1 {{NotImplementedError: there is no mindir collective for 'shard.shift'}}
  %0 = shard.shift %x on @grid grid_axes = [0] shift_axis = 0 offset = 1 rotate : tensor<4xf32> -> tensor<4xf32>
  return
}

// -----

shard.grid @grid(shape = 2)
func.func @kind(%x: tensor<4xf32>) {
  // expected-error @+1 {{NotImplementedError: there is no mindir collective for 'shard.all_reduce'}}
  %0 = shard.all_reduce %x on @grid grid_axes = [0] reduction = average : tensor<4xf32> -> tensor<4xf32>
  return
}
