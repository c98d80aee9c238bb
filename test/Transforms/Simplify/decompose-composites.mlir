// RUN: ms-opt %s -mindir-decompose-composites | FileCheck %s
// RUN: ms-opt %s -mindir-decompose-composites=keep-checked | FileCheck %s --check-prefix=KEEP

// CHECK-LABEL: func.func @softmax
// CHECK: mindir.reduce_max
// CHECK: mindir.exp
// CHECK: mindir.reduce_sum
// CHECK: mindir.div
func.func @softmax(%x: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %r = mindir.softmax %x axis = 1 : tensor<?x3xf32>
  return %r : tensor<?x3xf32>
}

// f16 is computed in f32 and rounded once.
// CHECK-LABEL: func.func @log_softmax_half
// CHECK: mindir.cast {{.*}} -> tensor<2x3xf32>
// CHECK-NOT: f16
// CHECK: mindir.cast {{.*}} -> tensor<2x3xf16>
func.func @log_softmax_half(%x: tensor<2x3xf16>) -> tensor<2x3xf16> {
  %r = mindir.log_softmax %x axis = 1 : tensor<2x3xf16>
  return %r : tensor<2x3xf16>
}

// CHECK-LABEL: func.func @cross_entropy
// CHECK-NOT: mindir.cross_entropy
// KEEP: mindir.cross_entropy
func.func @cross_entropy(%x: tensor<2x3xf32>, %l: tensor<2xi32>) -> tensor<2xf32> {
  %r = mindir.cross_entropy %x, %l : tensor<2x3xf32>, tensor<2xi32> -> tensor<2xf32>
  return %r : tensor<2xf32>
}
