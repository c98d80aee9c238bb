// RUN: ms-run --reference --every-function %s | FileCheck %s

// CHECK-LABEL: @round_f32
// CHECK-NEXT: tensor<7xf32> [0, 2, 2, -0, -2, 4, nan]{{$}}
func.func @round_f32() -> tensor<7xf32> {
  %a = mindir.constant dense<[0.5, 1.5, 2.5, -0.5, -1.5, 3.7, 0x7FC00000]> : tensor<7xf32>
  %r = mindir.round %a : tensor<7xf32>
  return %r : tensor<7xf32>
}
