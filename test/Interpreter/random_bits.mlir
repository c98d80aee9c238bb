// RUN: ms-run --reference --every-function %s | FileCheck %s

// Known answer of Philox4x32-10 for counter 0 and key 0.
// CHECK-LABEL: @known_answer
// CHECK-NEXT: tensor<4xui32> [1713891541, 3781805453, 3159862348, 2600524760]{{$}}
// CHECK-NEXT: tensor<2xui64> [0, 1]{{$}}
func.func @known_answer() -> (tensor<4xui32>, tensor<2xui64>) {
  %a = mindir.constant dense<[0, 0]> : tensor<2xui64>
  %r0, %r1 = mindir.random_bits %a : tensor<4xui32>
  return %r0, %r1 : tensor<4xui32>, tensor<2xui64>
}
