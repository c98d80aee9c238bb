// RUN: ms-opt %s "-mindir-cpu-pipeline=compile-to=fusion libraries=onednn" -split-input-file | FileCheck %s
// RUN: ms-opt %s "-mindir-cpu-pipeline=compile-to=fusion libraries=onednn" -split-input-file -o /dev/null --remark-policy=all --remarks-filter=fusion 2>&1 | FileCheck %s --check-prefix=REMARK

// A bias and a residual that end in memory: the call adds both.
// CHECK-LABEL: func @residual_stream
// CHECK: %[[Y:.*]] = mindir.library_call "onednn.matmul" ins(%arg0, %arg1, %arg2, %arg3 : {{.*}}) outs({{.*}}) config = [2, 0, 0, 1, 0]
// CHECK-SAME: mindir.permutations = [array<i64>, array<i64: 1, 0>, array<i64>, array<i64>, array<i64>]
// CHECK-NEXT: return %[[Y]]
// REMARK: [Passed] Epilogue{{.*}}taken into the library call
func.func @residual_stream(%x: tensor<64x32xf32>, %w: tensor<16x32xf32>, %b: tensor<16xf32>, %r: tensor<64x16xf32>) -> tensor<64x16xf32> {
  %0 = mindir.matmul %x, %w {transpose_rhs} : tensor<64x32xf32>, tensor<16x32xf32> -> tensor<64x16xf32>
  %1 = mindir.broadcast_to %b : tensor<16xf32> -> tensor<64x16xf32>
  %2 = mindir.add %0, %1 : tensor<64x16xf32>
  %3 = mindir.add %r, %2 : tensor<64x16xf32>
  return %3 : tensor<64x16xf32>
}

// -----

// Normalization with given statistics, without a relu behind it.
// CHECK-LABEL: func @normalization
// CHECK: mindir.library_call "onednn.convolution" {{.*}} config = [2, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 3, 5, 0, 6, 0, 0, 0]
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @normalization(%x: tensor<2x8x8x4xf32>, %w: tensor<4x4x3x3xf32>, %m: tensor<4xf32>, %s: tensor<4xf32>, %o: tensor<4xf32>) -> tensor<2x8x8x4xf32> {
  %0 = mindir.conv2d %x, %w {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, layout = #mindir<layout nhwc>} : tensor<2x8x8x4xf32>, tensor<4x4x3x3xf32> -> tensor<2x8x8x4xf32>
  %m1 = mindir.broadcast_to %m : tensor<4xf32> -> tensor<2x8x8x4xf32>
  %s1 = mindir.broadcast_to %s : tensor<4xf32> -> tensor<2x8x8x4xf32>
  %o1 = mindir.broadcast_to %o : tensor<4xf32> -> tensor<2x8x8x4xf32>
  %1 = mindir.sub %0, %m1 : tensor<2x8x8x4xf32>
  %2 = mindir.mul %s1, %1 : tensor<2x8x8x4xf32>
  %3 = mindir.add %2, %o1 : tensor<2x8x8x4xf32>
  return %3 : tensor<2x8x8x4xf32>
}

// -----

// Cotangents that meet: the gradient's call adds the other.
// CHECK-LABEL: func @accumulated_gradient
// CHECK: mindir.library_call "onednn.convolution_backward_data" ins(%arg0, %arg1, %arg2 : {{.*}} config = [2, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0]
// CHECK-NEXT: return
func.func @accumulated_gradient(%g: tensor<2x8x8x4xf32>, %w: tensor<4x4x3x3xf32>, %skip: tensor<2x8x8x4xf32>) -> tensor<2x8x8x4xf32> {
  %0 = mindir.conv2d_input_grad %g, %w {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, layout = #mindir<layout nhwc>} : tensor<2x8x8x4xf32>, tensor<4x4x3x3xf32> -> tensor<2x8x8x4xf32>
  %1 = mindir.add %0, %skip : tensor<2x8x8x4xf32>
  return %1 : tensor<2x8x8x4xf32>
}

// -----

// A relu is a loop of its own, because oneDNN's loses NaN; it adds the bias on its way.
// What is subtracted from is not a post-op either.
// CHECK-LABEL: func @stays
// CHECK: mindir.library_call {{.*}} config = [0]
// CHECK: linalg.generic
// CHECK: arith.addf
// CHECK: arith.maximumf
// CHECK: mindir.library_call {{.*}} config = [0]
// CHECK: linalg.generic
// CHECK: arith.subf
// REMARK: [Missed] Epilogue{{.*}}not taken into the library call
func.func @stays(%x: tensor<64x32xf32>, %w: tensor<32x16xf32>, %b: tensor<16xf32>) -> (tensor<64x16xf32>, tensor<64x16xf32>) {
  %0 = mindir.matmul %x, %w : tensor<64x32xf32>, tensor<32x16xf32> -> tensor<64x16xf32>
  %1 = mindir.broadcast_to %b : tensor<16xf32> -> tensor<64x16xf32>
  %2 = mindir.add %0, %1 : tensor<64x16xf32>
  %3 = mindir.relu %2 : tensor<64x16xf32>
  %x2 = mindir.neg %x : tensor<64x32xf32>
  %4 = mindir.matmul %x2, %w : tensor<64x32xf32>, tensor<32x16xf32> -> tensor<64x16xf32>
  %5 = mindir.sub %1, %4 : tensor<64x16xf32>
  return %3, %5 : tensor<64x16xf32>, tensor<64x16xf32>
}

// The values are those of the definitions.
// RUN: sed -n '/^func.func @residual/,/^}/p;/^func.func @norm/,/^}/p;/^func.func @accu/,/^}/p;/^func.func @stays/,/^}/p' %s > %t.mlir
// RUN: ms-run --compare --entry=residual_stream --tolerance=1e-4 %t.mlir > /dev/null
// RUN: ms-run --compare --entry=normalization --tolerance=1e-4 %t.mlir > /dev/null
// RUN: ms-run --compare --entry=accumulated_gradient --tolerance=1e-4 %t.mlir > /dev/null
// RUN: ms-run --compare --entry=stays --tolerance=1e-4 %t.mlir > /dev/null
