// RUN: ms-run --reference --every-function %s | FileCheck %s

// CHECK-LABEL: @erf_f32
// CHECK-NEXT: tensor<5xf32> [0, 0.5204999, -0.8427008, 1, nan]{{$}}
func.func @erf_f32() -> tensor<5xf32> {
  %a = mindir.constant dense<[0.0, 0.5, -1.0, 10.0, 0x7FC00000]> : tensor<5xf32>
  %r = mindir.erf %a : tensor<5xf32>
  return %r : tensor<5xf32>
}
