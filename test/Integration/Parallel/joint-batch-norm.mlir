// Batch normalization with the batch split: its statistics are those of all devices'
// parts. In f32, and in bf16, whose statistics are combined in f32.
//
// RUN: ms-opt %s -mindir-parallel-pipeline -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: rm -rf %t && mkdir %t
// RUN: ms-run --reference %s --seed=5 --output-directory=%t/whole
// RUN: ms-run --reference %t.mlir --grid=@grid --seed=5 --output-directory=%t/grid
// RUN: %python %S/Inputs/compare.py %t/whole %t/grid 4 | FileCheck %s --check-prefix=RESULT
// RESULT: equal
//
// CHECK: mindir.batch_norm_training {{.*}} : tensor<2x3x1xf32>, {{.*}} -> tensor<2x3x1xf32>, tensor<3xf32>, tensor<3xf32>
// CHECK: mindir.all_reduce sum, {{.*}} on @grid axes = [0, 1] : tensor<3xf32>
// CHECK: mindir.all_reduce sum, {{.*}} on @grid axes = [0, 1] : tensor<3xf32>
// CHECK: mindir.batch_norm_inference {{.*}} -> tensor<2x3x1xf32>
// CHECK: mindir.cast {{.*}} : tensor<2x3xbf16> -> tensor<2x3xf32>
// CHECK: mindir.all_reduce sum, {{.*}} on @grid axes = [0] : tensor<3xf32>
// CHECK-NOT: mindir.all_gather

shard.grid @grid(shape = 2x3)

func.func @main(%x: tensor<4x3x3xf32> {mindir.sharding = #mindir.sharding<@grid, [[0], [], [1]]>},
                %scale: tensor<3xf32>, %offset: tensor<3xf32>,
                %y: tensor<4x3xbf16> {mindir.sharding = #mindir.sharding<@grid, [[0]]>})
    -> (tensor<4x3x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<4x3xf32>) {
  %0, %mean, %variance = mindir.batch_norm_training %x, %scale, %offset axis = 1 epsilon = 1.0e-3
    : tensor<4x3x3xf32>, tensor<3xf32>, tensor<3xf32> -> tensor<4x3x3xf32>, tensor<3xf32>, tensor<3xf32>
  %s = mindir.cast %scale : tensor<3xf32> -> tensor<3xbf16>
  %o = mindir.cast %offset : tensor<3xf32> -> tensor<3xbf16>
  %1, %mean1, %variance1 = mindir.batch_norm_training %y, %s, %o axis = 1 epsilon = 1.0e-3
    : tensor<4x3xbf16>, tensor<3xbf16>, tensor<3xbf16> -> tensor<4x3xbf16>, tensor<3xbf16>, tensor<3xbf16>
  %2 = mindir.cast %1 : tensor<4x3xbf16> -> tensor<4x3xf32>
  return %0, %mean, %variance, %2 : tensor<4x3x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<4x3xf32>
}
