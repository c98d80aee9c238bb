// RUN: ms-run --reference --every-function %s | FileCheck %s

// CHECK-LABEL: @expm1_f32
// CHECK-NEXT: tensor<4xf32> [0, 1e-08, 1.7182819, -1]{{$}}
func.func @expm1_f32() -> tensor<4xf32> {
  %a = mindir.constant dense<[0.0, 1.0e-08, 1.0, 0xFF800000]> : tensor<4xf32>
  %r = mindir.expm1 %a : tensor<4xf32>
  return %r : tensor<4xf32>
}
