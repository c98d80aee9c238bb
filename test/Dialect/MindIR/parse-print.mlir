// RUN: ms-opt %s | ms-opt | FileCheck %s

// CHECK-LABEL: func.func @elementwise
func.func @elementwise(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: mindir.add %{{.*}}, %{{.*}} : tensor<4xf32>
  %0 = mindir.add %a, %b : tensor<4xf32>
  // CHECK: mindir.compare lt, %{{.*}}, %{{.*}} : tensor<4xf32>
  %1 = mindir.compare lt, %0, %b : tensor<4xf32>
  // CHECK: mindir.select %{{.*}}, %{{.*}}, %{{.*}} : tensor<4xi1>, tensor<4xf32>
  %2 = mindir.select %1, %a, %b : tensor<4xi1>, tensor<4xf32>
  return %2 : tensor<4xf32>
}

// CHECK-LABEL: func.func @linear
func.func @linear(%a: tensor<8x4xf32>, %b: tensor<3x4xf32>, %x: tensor<?x3x8x8xf32>,
                  %w: tensor<5x3x3x3xf32>) -> tensor<?x5x8x8xf32> {
  // CHECK: mindir.matmul %{{.*}}, %{{.*}} {transpose_rhs} : tensor<8x4xf32>, tensor<3x4xf32> -> tensor<8x3xf32>
  %0 = mindir.matmul %a, %b {transpose_rhs}
    : tensor<8x4xf32>, tensor<3x4xf32> -> tensor<8x3xf32>
  // CHECK: mindir.conv2d {{.*}} -> tensor<?x5x8x8xf32>
  %1 = mindir.conv2d %x, %w {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>,
                             dilations = array<i64: 1, 1>}
    : tensor<?x3x8x8xf32>, tensor<5x3x3x3xf32> -> tensor<?x5x8x8xf32>
  return %1 : tensor<?x5x8x8xf32>
}

// CHECK-LABEL: func.func @reductions
func.func @reductions(%x: tensor<2x3x4xf32>) -> tensor<1x3x1xf32> {
  // CHECK: mindir.reduce_sum %{{.*}} axes = [0, 2] keep_dims : tensor<2x3x4xf32> -> tensor<1x3x1xf32>
  %0 = mindir.reduce_sum %x axes = [0, 2] keep_dims : tensor<2x3x4xf32> -> tensor<1x3x1xf32>
  return %0 : tensor<1x3x1xf32>
}

// CHECK-LABEL: func.func @derivative
func.func @derivative(%x: tensor<4xf32>, %dy: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: mindir.vjp @square(%{{.*}}, %{{.*}}) wrt = [0]
  %y, %dx = mindir.vjp @square(%x, %dy) wrt = [0]
    : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  return %dx : tensor<4xf32>
}

func.func private @square(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = mindir.mul %x, %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @tape
func.func @tape(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = mindir.tape_empty
  // CHECK: mindir.tape_push %{{.*}}, %{{.*}} : tensor<?xf32>
  %1 = mindir.tape_push %0, %x : tensor<?xf32>
  // CHECK: mindir.tape_pop %{{.*}} : tensor<?xf32>
  %2, %3 = mindir.tape_pop %1 : tensor<?xf32>
  return %3 : tensor<?xf32>
}
