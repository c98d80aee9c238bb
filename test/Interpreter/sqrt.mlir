// RUN: ms-run --reference --every-function %s | FileCheck %s

// CHECK-LABEL: @sqrt_f32
// CHECK-NEXT: tensor<5xf32> [2, 1.4142135, 0, nan, inf]{{$}}
func.func @sqrt_f32() -> tensor<5xf32> {
  %a = mindir.constant dense<[4.0, 2.0, 0.0, -1.0, 0x7F800000]> : tensor<5xf32>
  %r = mindir.sqrt %a : tensor<5xf32>
  return %r : tensor<5xf32>
}
