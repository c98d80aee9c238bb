// RUN: ms-run --reference --every-function %s | FileCheck %s

// CHECK-LABEL: @sigmoid_f32
// CHECK-NEXT: tensor<6xf32> [0.5, 0.7310586, 0.26894143, 1, 0, nan]{{$}}
func.func @sigmoid_f32() -> tensor<6xf32> {
  %a = mindir.constant dense<[0.0, 1.0, -1.0, 0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<6xf32>
  %r = mindir.sigmoid %a : tensor<6xf32>
  return %r : tensor<6xf32>
}
