// RUN: ms-reduce %s --opt-reduction-pass='opt-pass=symbol-dce test=%S/Inputs/has-tanh.sh' | FileCheck %s

// The pass drops what the script does not look for, and is kept since the module
// gets smaller and stays interesting.
// CHECK-NOT: @without
// CHECK: func.func @with
// CHECK: mindir.tanh
func.func private @without(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = mindir.exp %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

func.func @with(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = mindir.tanh %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
