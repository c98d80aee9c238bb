// RUN: ms-run --reference --every-function %s | FileCheck %s

// CHECK-LABEL: @tanh_f32
// CHECK-NEXT: tensor<5xf32> [0, 0.7615942, -1, 1, nan]{{$}}
func.func @tanh_f32() -> tensor<5xf32> {
  %a = mindir.constant dense<[0.0, 1.0, -20.0, 0x7F800000, 0x7FC00000]> : tensor<5xf32>
  %r = mindir.tanh %a : tensor<5xf32>
  return %r : tensor<5xf32>
}
