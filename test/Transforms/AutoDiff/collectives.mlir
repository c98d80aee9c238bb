// Each collective's cotangent is the transposed map between the inputs and outputs of
// its group: the loss is the sum over devices.
// RUN: ms-opt %s --mindir-autodiff-pipeline -o %t.mlir
// RUN: ms-run --reference --grid=@grid --every-function %t.mlir --input='dense<0.0> : tensor<2xf32>' --input='dense<[1.0, 2.0]> : tensor<2xf32>' | FileCheck %s

shard.grid @grid(shape = 2)

// Every device gets both cotangents' sum.
// CHECK-LABEL: @all_reduce
// CHECK-NEXT: tensor<2xf32> [3, 3]
func.func private @sum(%x: tensor<1xf32>) -> tensor<1xf32> {
  %0 = mindir.all_reduce sum, %x on @grid axes = [0] : tensor<1xf32>
  return %0 : tensor<1xf32>
}
func.func @all_reduce(%x: tensor<1xf32> {mindir.sharding = #mindir.sharding<@grid, [[0]]>},
                      %g: tensor<1xf32> {mindir.sharding = #mindir.sharding<@grid, [[0]]>})
    -> (tensor<1xf32> {mindir.sharding = #mindir.sharding<@grid, [[0]]>}) {
  %y, %dx = mindir.vjp @sum(%x, %g) wrt = [0] : (tensor<1xf32>, tensor<1xf32>) -> (tensor<1xf32>, tensor<1xf32>)
  return %dx : tensor<1xf32>
}

// Both devices send [1, 2]: each gets twice its share.
// CHECK-LABEL: @all_gather
// CHECK-NEXT: tensor<2xf32> [2, 4]
func.func private @gather(%x: tensor<1xf32>) -> tensor<2xf32> {
  %0 = mindir.all_gather %x axis = 0 on @grid axes = [0] : tensor<1xf32> -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
func.func @all_gather(%x: tensor<1xf32> {mindir.sharding = #mindir.sharding<@grid, [[0]]>}, %g: tensor<2xf32>)
    -> (tensor<1xf32> {mindir.sharding = #mindir.sharding<@grid, [[0]]>}) {
  %y, %dx = mindir.vjp @gather(%x, %g) wrt = [0] : (tensor<1xf32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<1xf32>)
  return %dx : tensor<1xf32>
}

// Each device's own part, among zeros.
// CHECK-LABEL: @all_slice
// CHECK-NEXT: tensor<4xf32> [1, 0, 0, 2]
func.func private @slice(%x: tensor<2xf32>) -> tensor<1xf32> {
  %0 = mindir.all_slice %x axis = 0 on @grid axes = [0] : tensor<2xf32> -> tensor<1xf32>
  return %0 : tensor<1xf32>
}
func.func @all_slice(%x: tensor<2xf32>, %g: tensor<1xf32> {mindir.sharding = #mindir.sharding<@grid, [[0]]>})
    -> (tensor<2xf32> {mindir.sharding = #mindir.sharding<@grid, [[0]]>}) {
  %y, %dx = mindir.vjp @slice(%x, %g) wrt = [0] : (tensor<2xf32>, tensor<1xf32>) -> (tensor<1xf32>, tensor<2xf32>)
  return %dx : tensor<2xf32>
}

// CHECK-LABEL: @reduce_scatter
// CHECK-NEXT: tensor<2xf32> [1, 2]
func.func private @scatter(%x: tensor<2xf32>) -> tensor<1xf32> {
  %0 = mindir.reduce_scatter sum, %x axis = 0 on @grid axes = [0] : tensor<2xf32> -> tensor<1xf32>
  return %0 : tensor<1xf32>
}
func.func @reduce_scatter(%x: tensor<2xf32>, %g: tensor<1xf32> {mindir.sharding = #mindir.sharding<@grid, [[0]]>}) -> tensor<2xf32> {
  %y, %dx = mindir.vjp @scatter(%x, %g) wrt = [0] : (tensor<2xf32>, tensor<1xf32>) -> (tensor<1xf32>, tensor<2xf32>)
  return %dx : tensor<2xf32>
}

// Both devices send [1, 2] along the joined dimension: device i gets back what it sent.
// CHECK-LABEL: @all_to_all
// CHECK-NEXT: tensor<4xf32> [1, 1, 2, 2]
func.func private @exchange(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = mindir.all_to_all %x split = 0 concat = 0 on @grid axes = [0] : tensor<2xf32> -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
func.func @all_to_all(%x: tensor<2xf32>, %g: tensor<2xf32>)
    -> (tensor<2xf32> {mindir.sharding = #mindir.sharding<@grid, [[0]]>}) {
  %y, %dx = mindir.vjp @exchange(%x, %g) wrt = [0] : (tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  return %dx : tensor<2xf32>
}

// Forward: the collective of the tangents.
// CHECK-LABEL: @tangent
// CHECK-NEXT: tensor<2xf32> [1, 2]
func.func @tangent(%x: tensor<1xf32> {mindir.sharding = #mindir.sharding<@grid, [[0]]>},
                   %t: tensor<1xf32> {mindir.sharding = #mindir.sharding<@grid, [[0]]>}) -> tensor<2xf32> {
  %y, %dy = mindir.jvp @gather(%x, %t) wrt = [0] : (tensor<1xf32>, tensor<1xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  return %dy : tensor<2xf32>
}

// Each lane is gathered by itself.
// CHECK-LABEL: @lanes
// CHECK-NEXT: tensor<2x2xf32> {{\[\[}}1, 2], [2, 4]]
func.func @lanes(%x: tensor<1xf32> {mindir.sharding = #mindir.sharding<@grid, [[0]]>},
                 %g: tensor<1xf32> {mindir.sharding = #mindir.sharding<@grid, [[0]]>}) -> tensor<2x2xf32> {
  %first = mindir.reshape %g : tensor<1xf32> -> tensor<1x1xf32>
  %second = mindir.add %first, %first : tensor<1x1xf32>
  %lanes = mindir.concat %first, %second axis = 0 : tensor<1x1xf32>, tensor<1x1xf32> -> tensor<2x1xf32>
  %y = mindir.vmap @gather(%lanes) wrt = [0] : (tensor<2x1xf32>) -> tensor<2x2xf32>
  return %y : tensor<2x2xf32>
}
