// RUN: ms-run --reference --every-function %s | FileCheck %s

// CHECK-LABEL: @log1p_f32
// CHECK-NEXT: tensor<5xf32> [0, 1e-08, 0.6931472, -inf, nan]{{$}}
func.func @log1p_f32() -> tensor<5xf32> {
  %a = mindir.constant dense<[0.0, 1.0e-08, 1.0, -1.0, -2.0]> : tensor<5xf32>
  %r = mindir.log1p %a : tensor<5xf32>
  return %r : tensor<5xf32>
}
