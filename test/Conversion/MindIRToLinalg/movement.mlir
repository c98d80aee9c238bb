// RUN: ms-opt %s -convert-mindir-to-linalg -split-input-file | FileCheck %s

// CHECK-LABEL: func.func @reshape
// CHECK: tensor.collapse_shape {{.*}} : tensor<2x6xf32> into tensor<12xf32>
// CHECK: tensor.expand_shape {{.*}} : tensor<12xf32> into tensor<3x4xf32>
func.func @reshape(%a: tensor<2x6xf32>) -> tensor<3x4xf32> {
  %0 = mindir.reshape %a : tensor<2x6xf32> -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}

// -----

// CHECK-LABEL: func.func @reshape_dynamic
// CHECK: tensor.from_elements
// CHECK: tensor.reshape
func.func @reshape_dynamic(%a: tensor<?x6xf32>, %n: index) -> tensor<?x3xf32> {
  %0 = mindir.reshape %a sizes(%n) : tensor<?x6xf32> -> tensor<?x3xf32>
  return %0 : tensor<?x3xf32>
}

// -----

// A block that does not lie inside is recorded as an error and moved inside.
// CHECK-LABEL: func.func @dynamic_slice
// CHECK: scf.if
// CHECK: func.call @mindrt_fail
// CHECK: tensor.extract_slice
func.func @dynamic_slice(%a: tensor<8xf32>, %i: tensor<i64>) -> tensor<2xf32> {
  %0 = mindir.dynamic_slice %a[%i] : tensor<8xf32> -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// CHECK-LABEL: func.func @pad
// CHECK: linalg.fill
// CHECK: tensor.insert_slice {{.*}}[1] [3] [2]
func.func @pad(%a: tensor<3xf32>, %v: tensor<f32>) -> tensor<8xf32> {
  %0 = mindir.pad %a, %v low = [1] high = [2] interior = [1] : tensor<3xf32>, tensor<f32> -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
