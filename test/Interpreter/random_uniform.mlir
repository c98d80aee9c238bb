// RUN: ms-run --reference --every-function %s | FileCheck %s

// CHECK-LABEL: @f32
// CHECK-NEXT: tensor<4xf32> [0.39904642, 0.88052016, 0.73571277, 0.6054818]{{$}}
// CHECK-NEXT: tensor<2xui64> [0, 1]{{$}}
func.func @f32() -> (tensor<4xf32>, tensor<2xui64>) {
  %a = mindir.constant dense<[0, 0]> : tensor<2xui64>
  %r0, %r1 = mindir.random_uniform %a : tensor<4xf32>
  return %r0, %r1 : tensor<4xf32>, tensor<2xui64>
}
