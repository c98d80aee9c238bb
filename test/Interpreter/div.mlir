// RUN: ms-run --reference --every-function %s | FileCheck %s

// CHECK-LABEL: @div_f32
// CHECK-NEXT: tensor<5xf32> [0.33333334, inf, -inf, nan, 0]{{$}}
func.func @div_f32() -> tensor<5xf32> {
  %a = mindir.constant dense<[1.0, 1.0, -1.0, 0.0, 7.0]> : tensor<5xf32>
  %b = mindir.constant dense<[3.0, 0.0, 0.0, 0.0, 0x7F800000]> : tensor<5xf32>
  %r = mindir.div %a, %b : tensor<5xf32>
  return %r : tensor<5xf32>
}

// CHECK-LABEL: @div_f16
// CHECK-NEXT: tensor<2xf16> [0.3333, inf]{{$}}
func.func @div_f16() -> tensor<2xf16> {
  %a = mindir.constant dense<[1.0, 60000.0]> : tensor<2xf16>
  %b = mindir.constant dense<[3.0, 0.5]> : tensor<2xf16>
  %r = mindir.div %a, %b : tensor<2xf16>
  return %r : tensor<2xf16>
}
