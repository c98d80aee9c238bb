// RUN: ms-run --reference --every-function %s | FileCheck %s

// CHECK-LABEL: @cos_f32
// CHECK-NEXT: tensor<4xf32> [1, 0.5403023, -0.99412966, nan]{{$}}
func.func @cos_f32() -> tensor<4xf32> {
  %a = mindir.constant dense<[0.0, 1.0, 3.25, 0x7F800000]> : tensor<4xf32>
  %r = mindir.cos %a : tensor<4xf32>
  return %r : tensor<4xf32>
}
