// RUN: ms-run --reference --every-function %s | FileCheck %s

// The ignored label gives zero.
// CHECK-LABEL: @rows
// CHECK-NEXT: tensor<4xf32> [2.407606, 1005, 0, 1.0986123]{{$}}
func.func @rows() -> tensor<4xf32> {
  %a = mindir.constant dense<[[1.0, 2.0, 3.0], [1000.0, 0.0, -5.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]> : tensor<4x3xf32>
  %b = mindir.constant dense<[0, 2, -100, 1]> : tensor<4xi32>
  %r = mindir.cross_entropy %a, %b : tensor<4x3xf32>, tensor<4xi32> -> tensor<4xf32>
  return %r : tensor<4xf32>
}
