// Each function gives on a grid what it gives whole: integers, so exactly.
//
// RUN: ms-opt %s -mindir-parallel-pipeline -o %t.mlir
// RUN: ms-run --reference --every-function %s > %t.whole
// RUN: ms-run --reference --every-function --grid=@grid %t.mlir > %t.grid
// RUN: diff %t.whole %t.grid

shard.grid @grid(shape = 2x3)

// Rows over axis 0, the contraction over axis 1.
func.func @product(%a: tensor<4x6xi32> {mindir.sharding = #mindir.sharding<@grid, [[0], [1]]>},
                   %b: tensor<6x3xi32>) -> tensor<4x3xi32> {
  %0 = mindir.matmul %a, %b : tensor<4x6xi32>, tensor<6x3xi32> -> tensor<4x3xi32>
  return %0 : tensor<4x3xi32>
}

// Both operands transposed, and a result that wants the axis of the contraction.
func.func @transposed_product(%a: tensor<6x4xi32> {mindir.sharding = #mindir.sharding<@grid, [[1], [0]]>},
                              %b: tensor<3x6xi32>)
    -> (tensor<4x3xi32> {mindir.sharding = #mindir.sharding<@grid, [[], [1]]>}) {
  %0 = mindir.matmul %a, %b {transpose_lhs, transpose_rhs} : tensor<6x4xi32>, tensor<3x6xi32> -> tensor<4x3xi32>
  return %0 : tensor<4x3xi32>
}

func.func @batched_product(%a: tensor<6x2x2xi32> {mindir.sharding = #mindir.sharding<@grid, [[0, 1]]>},
                           %b: tensor<6x2x2xi32>) -> tensor<6x2x2xi32> {
  %0 = mindir.matmul %a, %b : tensor<6x2x2xi32>, tensor<6x2x2xi32> -> tensor<6x2x2xi32>
  return %0 : tensor<6x2x2xi32>
}

// A reduction over two dimensions, split over two axes, by each kind.
func.func @reductions(%x: tensor<6x4x2xi64> {mindir.sharding = #mindir.sharding<@grid, [[1], [0]]>})
    -> (tensor<2xi64>, tensor<4xi64>, tensor<6x1x2xi64>, tensor<1x4x2xi64>) {
  %0 = mindir.reduce_sum %x axes = [0, 1] : tensor<6x4x2xi64> -> tensor<2xi64>
  %1 = mindir.reduce_prod %x axes = [0, 2] : tensor<6x4x2xi64> -> tensor<4xi64>
  %2 = mindir.reduce_max %x axes = [1] keep_dims : tensor<6x4x2xi64> -> tensor<6x1x2xi64>
  %3 = mindir.reduce_min %x axes = [0] keep_dims : tensor<6x4x2xi64> -> tensor<1x4x2xi64>
  return %0, %1, %2, %3 : tensor<2xi64>, tensor<4xi64>, tensor<6x1x2xi64>, tensor<1x4x2xi64>
}

// Any, of bools, is not joined by a collective: the operand is gathered.
func.func @any(%x: tensor<6x2xi32> {mindir.sharding = #mindir.sharding<@grid, [[1]]>}) -> tensor<2xi1> {
  %zero = mindir.constant dense<0> : tensor<6x2xi32>
  %0 = mindir.compare gt, %x, %zero : tensor<6x2xi32>
  %1 = mindir.reduce_max %0 axes = [0] : tensor<6x2xi1> -> tensor<2xi1>
  return %1 : tensor<2xi1>
}

func.func @movement(%x: tensor<6x4xi32> {mindir.sharding = #mindir.sharding<@grid, [[1], [0]]>}, %y: tensor<4xi32>)
    -> (tensor<4x6xi32>, tensor<24xi32>, tensor<2x3x4xi32>, tensor<6x4xi32>, tensor<6x1x4xi32>) {
  %0 = mindir.transpose %x permutation = [1, 0] : tensor<6x4xi32> -> tensor<4x6xi32>
  %1 = mindir.reshape %x : tensor<6x4xi32> -> tensor<24xi32>
  %2 = mindir.reshape %x : tensor<6x4xi32> -> tensor<2x3x4xi32>
  %3 = mindir.broadcast_to %y : tensor<4xi32> -> tensor<6x4xi32>
  %4 = mindir.add %x, %3 : tensor<6x4xi32>
  %5 = mindir.reshape %x : tensor<6x4xi32> -> tensor<6x1x4xi32>
  return %0, %1, %2, %4, %5 : tensor<4x6xi32>, tensor<24xi32>, tensor<2x3x4xi32>, tensor<6x4xi32>, tensor<6x1x4xi32>
}

// From each sharding of two axes to others.
func.func @reshardings(%x: tensor<6x12xi32> {mindir.sharding = #mindir.sharding<@grid, [[0, 1]]>})
    -> (tensor<6x12xi32> {mindir.sharding = #mindir.sharding<@grid, [[], [0, 1]]>},
        tensor<6x12xi32> {mindir.sharding = #mindir.sharding<@grid, [[1, 0]]>},
        tensor<6x12xi32> {mindir.sharding = #mindir.sharding<@grid, [[0], [1]]>},
        tensor<6x12xi32> {mindir.sharding = #mindir.sharding<@grid, [[1], [0]]>},
        tensor<6x12xi32> {mindir.sharding = #mindir.sharding<@grid, []>}) {
  return %x, %x, %x, %x, %x : tensor<6x12xi32>, tensor<6x12xi32>, tensor<6x12xi32>, tensor<6x12xi32>, tensor<6x12xi32>
}
func.func @exchanged(%x: tensor<6x12xi32> {mindir.sharding = #mindir.sharding<@grid, [[0], [1]]>})
    -> (tensor<6x12xi32> {mindir.sharding = #mindir.sharding<@grid, [[1], [0]]>},
        tensor<6x12xi32> {mindir.sharding = #mindir.sharding<@grid, [[], [1, 0]]>}) {
  return %x, %x : tensor<6x12xi32>, tensor<6x12xi32>
}

// Loops and branches around collectives; the loop's value changes its sharding.
func.func @control_flow(%x: tensor<6x6xi32> {mindir.sharding = #mindir.sharding<@grid, [[0]]>})
    -> (tensor<6x6xi32> {mindir.sharding = #mindir.sharding<@grid, [[], [0]]>}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %large = mindir.constant dense<100> : tensor<i32>
  %0 = scf.for %i = %c0 to %c3 step %c1 iter_args(%y = %x) -> tensor<6x6xi32> {
    %1 = mindir.matmul %y, %y {transpose_rhs} : tensor<6x6xi32>, tensor<6x6xi32> -> tensor<6x6xi32>
    %2 = mindir.reduce_sum %1 axes = [0, 1] : tensor<6x6xi32> -> tensor<i32>
    %3 = mindir.compare gt, %2, %large : tensor<i32>
    %4 = tensor.extract %3[] : tensor<i1>
    %5 = scf.if %4 -> tensor<6x6xi32> {
      %6 = func.call @fold(%1) : (tensor<6x6xi32>) -> tensor<6x6xi32>
      scf.yield %6 : tensor<6x6xi32>
    } else {
      scf.yield %1 : tensor<6x6xi32>
    }
    scf.yield %5 : tensor<6x6xi32>
  }
  return %0 : tensor<6x6xi32>
}
func.func private @fold(%x: tensor<6x6xi32>) -> tensor<6x6xi32> {
  %seven = mindir.constant dense<7> : tensor<6x6xi32>
  %0 = mindir.floor_mod %x, %seven : tensor<6x6xi32>
  return %0 : tensor<6x6xi32>
}

// A recursive function.
func.func @recursion(%x: tensor<6xi32> {mindir.sharding = #mindir.sharding<@grid, [[1]]>}) -> tensor<6xi32> {
  %three = mindir.constant dense<3> : tensor<i32>
  %0 = func.call @count_down(%x, %three) : (tensor<6xi32>, tensor<i32>) -> tensor<6xi32>
  return %0 : tensor<6xi32>
}
func.func private @count_down(%x: tensor<6xi32>, %n: tensor<i32>) -> tensor<6xi32> {
  %zero = mindir.constant dense<0> : tensor<i32>
  %one = mindir.constant dense<1> : tensor<i32>
  %0 = mindir.compare gt, %n, %zero : tensor<i32>
  %1 = tensor.extract %0[] : tensor<i1>
  %2 = scf.if %1 -> tensor<6xi32> {
    %3 = mindir.add %x, %x : tensor<6xi32>
    %4 = mindir.sub %n, %one : tensor<i32>
    %5 = func.call @count_down(%3, %4) : (tensor<6xi32>, tensor<i32>) -> tensor<6xi32>
    scf.yield %5 : tensor<6xi32>
  } else {
    scf.yield %x : tensor<6xi32>
  }
  return %2 : tensor<6xi32>
}

// Convolution: the batch and each kind of channel.
func.func @convolution(%x: tensor<2x3x4x4xf32> {mindir.sharding = #mindir.sharding<@grid, [[0], [1]]>}, %w: tensor<6x3x3x3xf32>)
    -> tensor<2x6x2x2xi32> {
  %whole_x = mindir.round %x : tensor<2x3x4x4xf32>
  %whole_w = mindir.round %w : tensor<6x3x3x3xf32>
  %0 = mindir.conv2d %whole_x, %whole_w {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>}
    : tensor<2x3x4x4xf32>, tensor<6x3x3x3xf32> -> tensor<2x6x2x2xf32>
  %1 = mindir.cast %0 : tensor<2x6x2x2xf32> -> tensor<2x6x2x2xi32>
  return %1 : tensor<2x6x2x2xi32>
}
func.func @convolution_weight(%x: tensor<2x3x4x4xf32> {mindir.sharding = #mindir.sharding<@grid, [[0]]>},
                              %g: tensor<2x6x2x2xf32> {mindir.sharding = #mindir.sharding<@grid, [[0], [1]]>})
    -> (tensor<6x3x3x3xi32>, tensor<2x3x4x4xi32>) {
  %whole_x = mindir.round %x : tensor<2x3x4x4xf32>
  %whole_g = mindir.round %g : tensor<2x6x2x2xf32>
  %w = mindir.conv2d_weight_grad %whole_x, %whole_g {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>}
    : tensor<2x3x4x4xf32>, tensor<2x6x2x2xf32> -> tensor<6x3x3x3xf32>
  %x2 = mindir.conv2d_input_grad %whole_g, %w {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>}
    : tensor<2x6x2x2xf32>, tensor<6x3x3x3xf32> -> tensor<2x3x4x4xf32>
  %0 = mindir.cast %w : tensor<6x3x3x3xf32> -> tensor<6x3x3x3xi32>
  %1 = mindir.cast %x2 : tensor<2x3x4x4xf32> -> tensor<2x3x4x4xi32>
  return %0, %1 : tensor<6x3x3x3xi32>, tensor<2x3x4x4xi32>
}

// A softmax over a split dimension: gathered first.
func.func @softmax(%x: tensor<2x3xf32> {mindir.sharding = #mindir.sharding<@grid, [[0], [1]]>}) -> tensor<2x3xf32> {
  %0 = mindir.softmax %x axis = 1 : tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// Along the axis that it moves or indexes, an op needs the whole.
func.func @whole(%x: tensor<6x3xi32> {mindir.sharding = #mindir.sharding<@grid, [[0], [1]]>}, %i: tensor<2xi64>)
    -> (tensor<6x3xi32> {mindir.sharding = #mindir.sharding<@grid, [[], [1]]>}, tensor<2x3xi32>) {
  %zero = mindir.constant dense<0> : tensor<2xi64>
  %first = mindir.mul %i, %zero : tensor<2xi64>
  %0 = mindir.reverse %x axes = [0] : tensor<6x3xi32>
  %1 = mindir.gather %x, %first axis = 0 : tensor<6x3xi32>, tensor<2xi64> -> tensor<2x3xi32>
  return %0, %1 : tensor<6x3xi32>, tensor<2x3xi32>
}
