// RUN: not ms-run --reference --grid=@grid --entry=ended %s 2>&1 | FileCheck %s --check-prefix=ENDED
// RUN: not ms-run --reference --grid=@grid --entry=crossed %s 2>&1 | FileCheck %s --check-prefix=CROSSED
// RUN: not ms-run --reference --grid=@grid --entry=replicas %s 2>&1 | FileCheck %s --check-prefix=REPLICAS
// RUN: not ms-run --reference --grid=@grid --entry=failing %s --input='dense<[0.0, 1.0]> : tensor<2xf32>' 2>&1 | FileCheck %s --check-prefix=FAILING
// RUN: not ms-run --reference --grid=@grid --entry=ended %s --input='dense<[1.0, 1.0, 1.0]> : tensor<3xf32>' 2>&1 | FileCheck %s --check-prefix=INPUT
// RUN: not ms-run --reference --grid=@none --entry=ended %s 2>&1 | FileCheck %s --check-prefix=GRID

shard.grid @grid(shape = 2)

// The device whose element is not zero leaves the loop that the other stays in.
// ENDED: error: RuntimeError: the collectives of the devices do not meet: device 0 waits at 'mindir.all_reduce' ({{.*}}collective-errors.mlir{{.*}}), device 1 has ended (on device 0)
// INPUT: error: argument 0: dimension 0 has size 3, which 2 devices do not divide
// GRID: error: there is no shard.grid 'none'
func.func @ended(%x: tensor<1xf32> {mindir.sharding = #mindir.sharding<@grid, [[0]]>}) {
  %part = mindir.iota axis = 0 : tensor<2xf32>
  %mine = mindir.all_slice %part axis = 0 on @grid axes = [0] : tensor<2xf32> -> tensor<1xf32>
  %0 = mindir.reshape %mine : tensor<1xf32> -> tensor<f32>
  %zero = mindir.constant dense<0.0> : tensor<f32>
  %is_first = mindir.compare eq, %0, %zero : tensor<f32>
  %condition = tensor.extract %is_first[] : tensor<i1>
  scf.if %condition {
    %1 = mindir.all_reduce sum, %x on @grid axes = [0] : tensor<1xf32>
    scf.yield
  }
  return
}

// CROSSED: device 0 waits at 'mindir.all_reduce' ({{.*}}), device 1 waits at 'mindir.all_gather' ({{.*}})
func.func @crossed(%x: tensor<1xf32> {mindir.sharding = #mindir.sharding<@grid, [[0]]>}) {
  %part = mindir.iota axis = 0 : tensor<2xf32>
  %mine = mindir.all_slice %part axis = 0 on @grid axes = [0] : tensor<2xf32> -> tensor<1xf32>
  %0 = mindir.reshape %mine : tensor<1xf32> -> tensor<f32>
  %zero = mindir.constant dense<0.0> : tensor<f32>
  %is_first = mindir.compare eq, %0, %zero : tensor<f32>
  %condition = tensor.extract %is_first[] : tensor<i1>
  scf.if %condition {
    %1 = mindir.all_reduce sum, %x on @grid axes = [0] : tensor<1xf32>
    scf.yield
  } else {
    %1 = mindir.all_gather %x axis = 0 on @grid axes = [0] : tensor<1xf32> -> tensor<2xf32>
    scf.yield
  }
  return
}

// REPLICAS: error: result 0: device 0 holds another replica than a later device
func.func @replicas(%x: tensor<1xf32> {mindir.sharding = #mindir.sharding<@grid, [[0]]>}) -> tensor<1xf32> {
  return %x : tensor<1xf32>
}

// The error is that of the device that failed, not of those that waited for it.
// FAILING: IndexError: {{.*}} (on device 1)
func.func @failing(%x: tensor<1xf32> {mindir.sharding = #mindir.sharding<@grid, [[0]]>}) -> tensor<1xf32> {
  %start1 = mindir.cast %x : tensor<1xf32> -> tensor<1xi64>
  %start = mindir.reshape %start1 : tensor<1xi64> -> tensor<i64>
  %0 = mindir.dynamic_slice %x[%start] : tensor<1xf32> -> tensor<1xf32>
  %1 = mindir.all_reduce sum, %0 on @grid axes = [0] : tensor<1xf32>
  return %1 : tensor<1xf32>
}
