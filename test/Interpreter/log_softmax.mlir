// RUN: ms-run --reference --every-function %s | FileCheck %s

// CHECK-LABEL: @rows
// CHECK-NEXT: tensor<2x3xf32> {{\[\[}}-2.407606, -1.407606, -0.40760598], [0, -1e+03, -1005]]{{$}}
func.func @rows() -> tensor<2x3xf32> {
  %a = mindir.constant dense<[[1.0, 2.0, 3.0], [1000.0, 0.0, -5.0]]> : tensor<2x3xf32>
  %r = mindir.log_softmax %a axis = 1 : tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}
