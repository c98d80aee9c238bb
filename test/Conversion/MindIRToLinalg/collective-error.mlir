// RUN: ms-opt %s --convert-mindir-to-linalg --verify-diagnostics

shard.grid @grid(shape = 2)
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @below {{NotImplementedError: expected a program for one process, found 'mindir.all_reduce', which compiled code cannot run yet}}
  %0 = mindir.all_reduce sum, %x on @grid axes = [0] : tensor<2xf32>
  return %0 : tensor<2xf32>
}
