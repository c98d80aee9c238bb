// Ops that are no loop nests, each split where it can be: a device's program has local
// types and the collectives named here only, and gives on a grid what the whole gives.
//
// RUN: ms-opt %s -mindir-parallel-pipeline -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir --implicit-check-not="mindir.all_"
// RUN: ms-run --reference --every-function %s > %t.whole
// RUN: ms-run --reference --every-function --grid=@grid %t.mlir > %t.grid
// RUN: diff %t.whole %t.grid

shard.grid @grid(shape = 2x3)

// Dimensions along which nothing moves; the explicit limit becomes the part's end.
// CHECK-LABEL: func @movement
// CHECK: mindir.slice {{.*}} starts = [0, 1] limits = [{{-9223372036854775808}}, 4] {{.*}} : tensor<2x5xi32> -> tensor<2x3xi32>
// CHECK: mindir.reverse {{.*}} axes = [1] : tensor<2x5xi32>
// CHECK: mindir.pad {{.*}} : tensor<2x5xi32>, tensor<i32> -> tensor<2x11xi32>
// CHECK: mindir.concat {{.*}} : tensor<2x5xi32>, tensor<2x3xi32> -> tensor<2x8xi32>
func.func @movement(%x: tensor<6x5xi32> {mindir.sharding = #mindir.sharding<@grid, [[1]]>}, %v: tensor<i32>)
    -> (tensor<6x3xi32>, tensor<6x5xi32>, tensor<6x11xi32>, tensor<6x8xi32>) {
  %0 = mindir.slice %x starts = [0, 1] limits = [6, 4] strides = [1, 1] : tensor<6x5xi32> -> tensor<6x3xi32>
  %1 = mindir.reverse %x axes = [1] : tensor<6x5xi32>
  %2 = mindir.pad %x, %v low = [0, 1] high = [0, 1] interior = [0, 1] : tensor<6x5xi32>, tensor<i32> -> tensor<6x11xi32>
  %3 = mindir.concat %x, %0 axis = 1 : tensor<6x5xi32>, tensor<6x3xi32> -> tensor<6x8xi32>
  return %0, %1, %2, %3 : tensor<6x3xi32>, tensor<6x5xi32>, tensor<6x11xi32>, tensor<6x8xi32>
}

// CHECK-LABEL: func @blocks
// CHECK: mindir.dynamic_slice {{.*}} : tensor<2x5xi32> -> tensor<2x2xi32>
// CHECK: mindir.dynamic_update_slice {{.*}} : tensor<2x5xi32>, tensor<2x2xi32>
func.func @blocks(%x: tensor<6x5xi32> {mindir.sharding = #mindir.sharding<@grid, [[1]]>})
    -> (tensor<6x2xi32>, tensor<6x5xi32>) {
  %zero = mindir.constant dense<0> : tensor<i64>
  %two = mindir.constant dense<2> : tensor<i64>
  %0 = mindir.dynamic_slice %x[%zero, %two] : tensor<6x5xi32> -> tensor<6x2xi32>
  %1 = mindir.dynamic_update_slice %x, %0[%zero, %zero] : tensor<6x5xi32>, tensor<6x2xi32>
  return %0, %1 : tensor<6x2xi32>, tensor<6x5xi32>
}

// Along the axis itself the whole is needed, and gathered.
// CHECK-LABEL: func @along_the_axis
// CHECK: mindir.all_gather {{.*}} : tensor<2x5xi32> -> tensor<6x5xi32>
// CHECK: mindir.reverse {{.*}} axes = [0] : tensor<6x5xi32>
// CHECK: mindir.all_slice {{.*}} : tensor<6x5xi32> -> tensor<2x5xi32>
func.func @along_the_axis(%x: tensor<6x5xi32> {mindir.sharding = #mindir.sharding<@grid, [[1]]>})
    -> (tensor<6x5xi32> {mindir.sharding = #mindir.sharding<@grid, [[1]]>}) {
  %0 = mindir.reverse %x axes = [0] : tensor<6x5xi32>
  return %0 : tensor<6x5xi32>
}

// CHECK-LABEL: func @counting
// CHECK: mindir.iota axis = 1 : tensor<2x4xi32>
// CHECK: mindir.argmax {{.*}} axis = 1 : tensor<2x4xi32> -> tensor<2xi64>
// CHECK: mindir.argmin {{.*}} axis = 1 : tensor<2x4xi32> -> tensor<2xi64>
// CHECK: mindir.one_hot {{.*}} depth = 4 : tensor<2xi64> -> tensor<2x4xf32> as f32
func.func @counting(%x: tensor<6x4xi32> {mindir.sharding = #mindir.sharding<@grid, [[1]]>})
    -> (tensor<6x4xi32>, tensor<6xi64>, tensor<6xi64>, tensor<6x4xf32>) {
  %0 = mindir.iota axis = 1 : tensor<6x4xi32>
  %1 = mindir.add %x, %0 : tensor<6x4xi32>
  %2 = mindir.argmax %1 axis = 1 : tensor<6x4xi32> -> tensor<6xi64>
  %3 = mindir.argmin %1 axis = 1 : tensor<6x4xi32> -> tensor<6xi64>
  %4 = mindir.one_hot %2 depth = 4 : tensor<6xi64> -> tensor<6x4xf32> as f32
  return %1, %2, %3, %4 : tensor<6x4xi32>, tensor<6xi64>, tensor<6xi64>, tensor<6x4xf32>
}

// An embedding and its gradient: batch over axis 1, width over axis 0. Each device
// adds up its updates; their sum is the one thing that is communicated.
// CHECK-LABEL: func @embedding
// CHECK: mindir.gather {{.*}} : tensor<5x2xi32>, tensor<2x3xi64> -> tensor<2x3x2xi32>
// CHECK: %[[PART:.*]] = mindir.scatter_add {{.*}} : tensor<5x2xi32>, tensor<2x3xi64>, tensor<2x3x2xi32>
// CHECK: %[[SUM:.*]] = mindir.all_reduce sum, %[[PART]] on @grid axes = [1]
// CHECK: mindir.add %{{.*}}, %[[SUM]] : tensor<5x2xi32>
func.func @embedding(%table: tensor<5x4xi32> {mindir.sharding = #mindir.sharding<@grid, [[], [0]]>},
                     %tokens: tensor<6x3xi64> {mindir.sharding = #mindir.sharding<@grid, [[1]]>})
    -> (tensor<6x3x4xi32>, tensor<5x4xi32>) {
  %five = mindir.constant dense<5> : tensor<6x3xi64>
  %known = mindir.floor_mod %tokens, %five : tensor<6x3xi64>
  %0 = mindir.gather %table, %known axis = 0 : tensor<5x4xi32>, tensor<6x3xi64> -> tensor<6x3x4xi32>
  %1 = mindir.scatter_add %table, %known, %0 axis = 0 : tensor<5x4xi32>, tensor<6x3xi64>, tensor<6x3x4xi32>
  return %0, %1 : tensor<6x3x4xi32>, tensor<5x4xi32>
}

// CHECK-LABEL: func @pooling
// CHECK: mindir.max_pool2d {{.*}} : tensor<1x1x4x4xf32> -> tensor<1x1x2x2xf32>, tensor<1x1x2x2xi64>
// CHECK: mindir.avg_pool2d {{.*}} : tensor<1x1x4x4xf32> -> tensor<1x1x2x2xf32>
// CHECK: mindir.avg_pool2d_grad {{.*}} : tensor<1x1x2x2xf32> -> tensor<1x1x4x4xf32>
// CHECK: mindir.pool_gather {{.*}} : tensor<1x1x4x4xf32>, tensor<1x1x2x2xi64> -> tensor<1x1x2x2xf32>
// CHECK: mindir.pool_scatter {{.*}} : tensor<1x1x2x2xf32>, tensor<1x1x2x2xi64> -> tensor<1x1x4x4xf32>
func.func @pooling(%x: tensor<2x3x4x4xf32> {mindir.sharding = #mindir.sharding<@grid, [[0], [1]]>})
    -> (tensor<2x3x2x2xf32>, tensor<2x3x2x2xi64>, tensor<2x3x2x2xf32>, tensor<2x3x4x4xf32>,
        tensor<2x3x2x2xf32>, tensor<2x3x4x4xf32>) {
  %0, %i = mindir.max_pool2d %x {window = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>}
    : tensor<2x3x4x4xf32> -> tensor<2x3x2x2xf32>, tensor<2x3x2x2xi64>
  %1 = mindir.avg_pool2d %x {window = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>}
    : tensor<2x3x4x4xf32> -> tensor<2x3x2x2xf32>
  %2 = mindir.avg_pool2d_grad %1 {window = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>}
    : tensor<2x3x2x2xf32> -> tensor<2x3x4x4xf32>
  %3 = mindir.pool_gather %2, %i : tensor<2x3x4x4xf32>, tensor<2x3x2x2xi64> -> tensor<2x3x2x2xf32>
  %4 = mindir.pool_scatter %3, %i : tensor<2x3x2x2xf32>, tensor<2x3x2x2xi64> -> tensor<2x3x4x4xf32>
  return %0, %i, %1, %2, %3, %4 : tensor<2x3x2x2xf32>, tensor<2x3x2x2xi64>, tensor<2x3x2x2xf32>, tensor<2x3x4x4xf32>, tensor<2x3x2x2xf32>, tensor<2x3x4x4xf32>
}

// Channels-last: the channels stand elsewhere.
// CHECK-LABEL: func @pooling_channels_last
// CHECK: mindir.avg_pool2d {{.*}} : tensor<1x4x4x1xf32> -> tensor<1x2x2x1xf32>
func.func @pooling_channels_last(%x: tensor<2x4x4x3xf32> {mindir.sharding = #mindir.sharding<@grid, [[0], [], [], [1]]>})
    -> tensor<2x2x2x3xf32> {
  %0 = mindir.avg_pool2d %x {window = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>, layout = #mindir<layout nhwc>}
    : tensor<2x4x4x3xf32> -> tensor<2x2x2x3xf32>
  return %0 : tensor<2x2x2x3xf32>
}

// Normalization by given statistics is elementwise; by the batch's own, it is so in
// the channels.
// CHECK-LABEL: func @channel_statistics
// CHECK: mindir.batch_norm_training {{.*}} : tensor<4x2xf32>, tensor<2xf32>, tensor<2xf32> -> tensor<4x2xf32>, tensor<2xf32>, tensor<2xf32>
// CHECK: mindir.batch_norm_inference {{.*}} : tensor<4x2xf32>, tensor<2xf32>, {{.*}} -> tensor<4x2xf32>
func.func @channel_statistics(%x: tensor<4x6xf32> {mindir.sharding = #mindir.sharding<@grid, [[], [1]]>},
                              %scale: tensor<6xf32>, %offset: tensor<6xf32>)
    -> (tensor<4x6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<4x6xf32>) {
  %0, %mean, %variance = mindir.batch_norm_training %x, %scale, %offset axis = 1 epsilon = 1.0e-3
    : tensor<4x6xf32>, tensor<6xf32>, tensor<6xf32> -> tensor<4x6xf32>, tensor<6xf32>, tensor<6xf32>
  %1 = mindir.batch_norm_inference %x, %scale, %offset, %mean, %variance axis = 1 epsilon = 1.0e-3
    : tensor<4x6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32> -> tensor<4x6xf32>
  return %0, %mean, %variance, %1 : tensor<4x6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<4x6xf32>
}

// CHECK-LABEL: func @rows
// CHECK: mindir.cross_entropy {{.*}} : tensor<2x4xf32>, tensor<2xi64> -> tensor<2xf32>
// CHECK: mindir.stop_gradient {{.*}} : tensor<2xf32>
func.func @rows(%x: tensor<6x4xf32> {mindir.sharding = #mindir.sharding<@grid, [[1]]>}, %labels: tensor<6xi64>) -> tensor<6xf32> {
  %four = mindir.constant dense<4> : tensor<6xi64>
  %known = mindir.floor_mod %labels, %four : tensor<6xi64>
  %0 = mindir.cross_entropy %x, %known : tensor<6x4xf32>, tensor<6xi64> -> tensor<6xf32>
  %1 = mindir.stop_gradient %0 : tensor<6xf32>
  return %1 : tensor<6xf32>
}

// Blocks of whole counters: each device draws its own. The generator goes on as if it
// had drawn all.
// CHECK-LABEL: func @random_blocks
// CHECK: mindir.all_slice {{.*}} : tensor<3x2xui64> -> tensor<1x2xui64>
// CHECK: mindir.random_bits {{.*}} : tensor<2x2xui32>
// CHECK: mindir.all_slice {{.*}} : tensor<3x2xui64> -> tensor<1x2xui64>
// CHECK: mindir.random_uniform {{.*}} : tensor<2x4xf32>
// CHECK: mindir.all_slice {{.*}} axes = [1] : tensor<6x2xui64> -> tensor<2x2xui64>
// CHECK: mindir.all_slice {{.*}} axes = [0] : tensor<2x2xui64> -> tensor<1x2xui64>
// CHECK: mindir.random_normal {{.*}} : tensor<1x1x8xbf16>
func.func @random_blocks(%seed: tensor<2xui64>)
    -> (tensor<6x2xui32> {mindir.sharding = #mindir.sharding<@grid, [[1]]>},
        tensor<6x4xf32> {mindir.sharding = #mindir.sharding<@grid, [[1]]>},
        tensor<1x6x8xbf16> {mindir.sharding = #mindir.sharding<@grid, [[], [1, 0]]>}, tensor<2xui64>) {
  %0, %s0 = mindir.random_bits %seed : tensor<6x2xui32>
  %1, %s1 = mindir.random_uniform %s0 : tensor<6x4xf32>
  %2, %s2 = mindir.random_normal %s1 : tensor<1x6x8xbf16>
  return %0, %1, %2, %s2 : tensor<6x2xui32>, tensor<6x4xf32>, tensor<1x6x8xbf16>, tensor<2xui64>
}

// Other parts are cut from all numbers, without communication.
// CHECK-LABEL: func @random_parts
// CHECK: mindir.random_uniform {{.*}} : tensor<4x6xf32>
// CHECK: mindir.all_slice {{.*}} axis = 0 {{.*}} : tensor<4x6xf32> -> tensor<2x6xf32>
// CHECK: mindir.all_slice {{.*}} axis = 1 {{.*}} : tensor<2x6xf32> -> tensor<2x2xf32>
// CHECK: mindir.random_bits {{.*}} : tensor<6xui32>
// CHECK: mindir.all_slice {{.*}} : tensor<6xui32> -> tensor<2xui32>
func.func @random_parts(%seed: tensor<2xui64>)
    -> (tensor<4x6xf32> {mindir.sharding = #mindir.sharding<@grid, [[0], [1]]>},
        tensor<6xui32> {mindir.sharding = #mindir.sharding<@grid, [[1]]>}, tensor<2xui64>) {
  %0, %s0 = mindir.random_uniform %seed : tensor<4x6xf32>
  %1, %s1 = mindir.random_bits %s0 : tensor<6xui32>
  return %0, %1, %s1 : tensor<4x6xf32>, tensor<6xui32>, tensor<2xui64>
}
