// RUN: ms-run --reference --every-function %s | FileCheck %s

// CHECK-LABEL: @rows
// CHECK-NEXT: tensor<2x3xf32> {{\[\[}}0.09003057, 0.24472848, 0.66524094], [1, 0, 0]]{{$}}
func.func @rows() -> tensor<2x3xf32> {
  %a = mindir.constant dense<[[1.0, 2.0, 3.0], [1000.0, 0.0, 0xFF800000]]> : tensor<2x3xf32>
  %r = mindir.softmax %a axis = 1 : tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}

// CHECK-LABEL: @columns
// CHECK-NEXT: tensor<2x2xf32> {{\[\[}}0.5, 0.11920292], [0.5, 0.8807971]]{{$}}
func.func @columns() -> tensor<2x2xf32> {
  %a = mindir.constant dense<[[1.0, 0.0], [1.0, 2.0]]> : tensor<2x2xf32>
  %r = mindir.softmax %a axis = 0 : tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}
