// RUN: ms-run --reference --every-function %s | FileCheck %s

// CHECK-LABEL: @add_f32
// CHECK-NEXT: tensor<4xf32> [3, 0.3, nan, inf]{{$}}
func.func @add_f32() -> tensor<4xf32> {
  %a = mindir.constant dense<[1.0, 0.1, 0x7F800000, 3.0e+38]> : tensor<4xf32>
  %b = mindir.constant dense<[2.0, 0.2, 0xFF800000, 3.0e+38]> : tensor<4xf32>
  %r = mindir.add %a, %b : tensor<4xf32>
  return %r : tensor<4xf32>
}

// CHECK-LABEL: @add_i8
// CHECK-NEXT: tensor<2xi8> [-128, -3]{{$}}
func.func @add_i8() -> tensor<2xi8> {
  %a = mindir.constant dense<[127, -5]> : tensor<2xi8>
  %b = mindir.constant dense<[1, 2]> : tensor<2xi8>
  %r = mindir.add %a, %b : tensor<2xi8>
  return %r : tensor<2xi8>
}

// CHECK-LABEL: @add_ui8
// CHECK-NEXT: tensor<2xui8> [0, 7]{{$}}
func.func @add_ui8() -> tensor<2xui8> {
  %a = mindir.constant dense<[255, 3]> : tensor<2xui8>
  %b = mindir.constant dense<[1, 4]> : tensor<2xui8>
  %r = mindir.add %a, %b : tensor<2xui8>
  return %r : tensor<2xui8>
}

// CHECK-LABEL: @add_f16
// CHECK-NEXT: tensor<2xf16> [2048, 1]{{$}}
func.func @add_f16() -> tensor<2xf16> {
  %a = mindir.constant dense<[2048.0, 1.0]> : tensor<2xf16>
  %b = mindir.constant dense<[1.0, 0.0004000663757324219]> : tensor<2xf16>
  %r = mindir.add %a, %b : tensor<2xf16>
  return %r : tensor<2xf16>
}
