// RUN: ms-run --reference --every-function %s | FileCheck %s

// CHECK-LABEL: @exp_f32
// CHECK-NEXT: tensor<5xf32> [1, 2.7182817, 0, inf, nan]{{$}}
func.func @exp_f32() -> tensor<5xf32> {
  %a = mindir.constant dense<[0.0, 1.0, 0xFF800000, 89.0, 0x7FC00000]> : tensor<5xf32>
  %r = mindir.exp %a : tensor<5xf32>
  return %r : tensor<5xf32>
}

// CHECK-LABEL: @exp_f16
// CHECK-NEXT: tensor<4xf16> [1, 2.719, 5.987e+04, inf]{{$}}
func.func @exp_f16() -> tensor<4xf16> {
  %a = mindir.constant dense<[0.0, 1.0, 11.0, 12.0]> : tensor<4xf16>
  %r = mindir.exp %a : tensor<4xf16>
  return %r : tensor<4xf16>
}
