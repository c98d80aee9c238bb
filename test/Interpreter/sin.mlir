// RUN: ms-run --reference --every-function %s | FileCheck %s

// CHECK-LABEL: @sin_f32
// CHECK-NEXT: tensor<4xf32> [0, 0.84147096, -0.10819513, nan]{{$}}
func.func @sin_f32() -> tensor<4xf32> {
  %a = mindir.constant dense<[0.0, 1.0, 3.25, 0x7F800000]> : tensor<4xf32>
  %r = mindir.sin %a : tensor<4xf32>
  return %r : tensor<4xf32>
}
