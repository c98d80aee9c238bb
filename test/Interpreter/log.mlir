// RUN: ms-run --reference --every-function %s | FileCheck %s

// CHECK-LABEL: @log_f32
// CHECK-NEXT: tensor<5xf32> [0, 0.6931472, -inf, nan, inf]{{$}}
func.func @log_f32() -> tensor<5xf32> {
  %a = mindir.constant dense<[1.0, 2.0, 0.0, -1.0, 0x7F800000]> : tensor<5xf32>
  %r = mindir.log %a : tensor<5xf32>
  return %r : tensor<5xf32>
}
