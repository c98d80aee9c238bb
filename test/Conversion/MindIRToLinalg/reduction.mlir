// RUN: ms-opt %s -convert-mindir-to-linalg -split-input-file | FileCheck %s

// f16 accumulates in f32 and is rounded once.
// CHECK-LABEL: func.func @sum_half
// CHECK: linalg.fill {{.*}} -> tensor<2xf32>
// CHECK: linalg.generic {{.*}}"parallel", "reduction"
// CHECK: arith.truncf
func.func @sum_half(%a: tensor<2x3xf16>) -> tensor<2xf16> {
  %0 = mindir.reduce_sum %a axes = [1] : tensor<2x3xf16> -> tensor<2xf16>
  return %0 : tensor<2xf16>
}

// -----

// CHECK-LABEL: func.func @max_empty
// CHECK: arith.constant 0xFF800000 : f32
// CHECK: arith.maximumf
func.func @max_empty(%a: tensor<2x0xf32>) -> tensor<2x1xf32> {
  %0 = mindir.reduce_max %a axes = [1] keep_dims : tensor<2x0xf32> -> tensor<2x1xf32>
  return %0 : tensor<2x1xf32>
}

// -----

// The extreme, then the least index where it stands.
// CHECK-LABEL: func.func @argmax
// CHECK: %[[MAX:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<?xf32>)
// CHECK: arith.maximumf
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %[[MAX]] : tensor<?x3xf32>, tensor<?xf32>) outs(%{{.*}} : tensor<?xi64>)
// CHECK: linalg.index 1
// CHECK: arith.minsi
func.func @argmax(%a: tensor<?x3xf32>) -> tensor<?xi64> {
  %0 = mindir.argmax %a axis = 1 : tensor<?x3xf32> -> tensor<?xi64>
  return %0 : tensor<?xi64>
}
