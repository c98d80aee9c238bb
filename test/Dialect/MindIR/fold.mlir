// RUN: ms-opt --canonicalize --split-input-file %s | FileCheck %s

// CHECK-LABEL: func.func @add_negative_zero
// CHECK-SAME: (%[[X:.*]]: tensor<4xf32>)
// CHECK-NEXT: return %[[X]]
func.func @add_negative_zero(%x: tensor<4xf32>) -> tensor<4xf32> {
  %zero = mindir.constant dense<-0.0> : tensor<4xf32>
  %0 = mindir.add %x, %zero : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// -0 + 0 is 0, so that adding zero is no identity.
// CHECK-LABEL: func.func @add_zero
// CHECK: mindir.add
func.func @add_zero(%x: tensor<4xf32>) -> tensor<4xf32> {
  %zero = mindir.constant dense<0.0> : tensor<4xf32>
  %0 = mindir.add %x, %zero : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @constants
// CHECK: mindir.constant dense<[4, 6]> : tensor<2xi32>
func.func @constants() -> tensor<2xi32> {
  %0 = mindir.constant dense<[1, 2]> : tensor<2xi32>
  %1 = mindir.constant dense<[3, 4]> : tensor<2xi32>
  %2 = mindir.add %0, %1 : tensor<2xi32>
  return %2 : tensor<2xi32>
}

// -----

// CHECK-LABEL: func.func @whole_slice
// CHECK-NEXT: return %arg0
func.func @whole_slice(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = mindir.slice %x starts = [0] limits = [4] strides = [1] : tensor<4xf32> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
