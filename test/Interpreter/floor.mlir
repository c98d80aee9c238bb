// RUN: ms-run --reference --every-function %s | FileCheck %s

// CHECK-LABEL: @floor_f32
// CHECK-NEXT: tensor<5xf32> [-2, 1, 2, -inf, nan]{{$}}
func.func @floor_f32() -> tensor<5xf32> {
  %a = mindir.constant dense<[-1.5, 1.2, 2.0, 0xFF800000, 0x7FC00000]> : tensor<5xf32>
  %r = mindir.floor %a : tensor<5xf32>
  return %r : tensor<5xf32>
}
