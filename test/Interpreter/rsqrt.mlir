// RUN: ms-run --reference --every-function %s | FileCheck %s

// CHECK-LABEL: @rsqrt_f32
// CHECK-NEXT: tensor<5xf32> [0.5, 0.70710677, inf, nan, 0]{{$}}
func.func @rsqrt_f32() -> tensor<5xf32> {
  %a = mindir.constant dense<[4.0, 2.0, 0.0, -1.0, 0x7F800000]> : tensor<5xf32>
  %r = mindir.rsqrt %a : tensor<5xf32>
  return %r : tensor<5xf32>
}
