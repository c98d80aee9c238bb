// RUN: ms-opt --verify-diagnostics --split-input-file %s

func.func @launch_c1(%x: tensor<4xf32>) {
  // expected-error @+1 {{'nowhere' is not a function}}
  %0 = mindir.launch @nowhere ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @launch_c1_types(%x: tensor<4xf32>, %y: tensor<5xf32>) {
  // expected-error @+1 {{operands do not fit the kernel of type '(tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>'}}
  %0 = mindir.launch @k ins(%y : tensor<5xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  return
}
func.func private @k(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

func.func @launch_c1_buffers(%x: memref<4xf32>, %y: memref<5xf32>) {
  // expected-error @+1 {{operands do not fit the kernel of type '(tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>'}}
  mindir.launch @k ins(%y : memref<5xf32>) outs(%x : memref<4xf32>)
  return
}
func.func private @k(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

func.func @launch_c2(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected type of operand #1 ('tensor<4xf32>') to match type of corresponding result ('tensor<5xf32>')}}
  %0 = mindir.launch @k ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<5xf32>
  return
}
func.func private @k(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

func.func @launch_c2_buffers(%x: memref<4xf32>) {
  // expected-error @+1 {{expected the number of tensor results (1) to be equal to the number of output tensors (0)}}
  %0 = mindir.launch @k ins(%x : memref<4xf32>) outs(%x : memref<4xf32>) -> tensor<4xf32>
  return
}
func.func private @k(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
