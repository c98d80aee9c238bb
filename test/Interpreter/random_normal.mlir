// RUN: ms-run --reference --every-function %s | FileCheck %s

// CHECK-LABEL: @f32
// CHECK-NEXT: tensor<3xf32> [0.9911375, -0.92466277, -0.6176091]{{$}}
// CHECK-NEXT: tensor<2xui64> [0, 1]{{$}}
func.func @f32() -> (tensor<3xf32>, tensor<2xui64>) {
  %a = mindir.constant dense<[0, 0]> : tensor<2xui64>
  %r0, %r1 = mindir.random_normal %a : tensor<3xf32>
  return %r0, %r1 : tensor<3xf32>, tensor<2xui64>
}
