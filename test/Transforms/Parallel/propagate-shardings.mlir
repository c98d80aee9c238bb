// RUN: ms-opt --mindir-propagate-shardings %s | FileCheck %s

shard.grid @grid(shape = 2x2)

// One seed: the contraction over the split dimension leaves nothing split.
// CHECK-LABEL: func @product
// CHECK-DAG: %[[NONE:.*]] = shard.sharding @grid split_axes = {{\[\[}}]]
// CHECK-DAG: %[[ROWS:.*]] = shard.sharding @grid split_axes = {{\[\[}}0]]
// CHECK-DAG: %[[COLUMNS:.*]] = shard.sharding @grid split_axes = {{\[\[}}], [0]]
// CHECK-DAG: shard.shard %arg0 to %[[COLUMNS]] :
// CHECK-DAG: shard.shard %arg1 to %[[ROWS]] :
// CHECK: shard.shard %{{.*}} to %[[COLUMNS]] annotate_for_users
// CHECK: shard.shard %{{.*}} to %[[ROWS]] annotate_for_users
// CHECK: %[[PRODUCT:.*]] = mindir.matmul
// CHECK: shard.shard %[[PRODUCT]] to %[[NONE]] :
func.func @product(%a: tensor<4x8xf32> {mindir.sharding = #mindir.sharding<@grid, [[], [0]]>},
                   %b: tensor<8x6xf32>) -> tensor<4x6xf32> {
  %0 = mindir.matmul %a, %b : tensor<4x8xf32>, tensor<8x6xf32> -> tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}

// The value that a loop carries and what it depends on, from a seed in its body.
// CHECK-LABEL: func @loop
// CHECK: %[[ROWS:.*]] = shard.sharding @grid split_axes = {{\[\[}}1]]
// CHECK: shard.shard %arg0 to %[[ROWS]] :
// CHECK: %[[LOOP:.*]] = scf.for
// CHECK: shard.shard %arg{{.*}} to %[[ROWS]] :
// CHECK: scf.yield
// CHECK: shard.shard %[[LOOP]] to %[[ROWS]] :
func.func @loop(%x: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%y = %x) -> tensor<4xf32> {
    %s = shard.sharding @grid split_axes = [[1]] : !shard.sharding
    %1 = mindir.exp %y : tensor<4xf32>
    %2 = shard.shard %1 to %s : tensor<4xf32>
    scf.yield %2 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// The batch of a reshape survives as its outermost dimension.
// CHECK-LABEL: func @reshape
// CHECK: %[[BATCH:.*]] = shard.sharding @grid split_axes = {{\[\[}}0, 1]]
// CHECK: %[[FLAT:.*]] = mindir.reshape
// CHECK: shard.shard %[[FLAT]] to %[[BATCH]] :
func.func @reshape(%x: tensor<8x2x3xf32> {mindir.sharding = #mindir.sharding<@grid, [[0, 1]]>}) -> tensor<8x6xf32> {
  %0 = mindir.reshape %x : tensor<8x2x3xf32> -> tensor<8x6xf32>
  return %0 : tensor<8x6xf32>
}

