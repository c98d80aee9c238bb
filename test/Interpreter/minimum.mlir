// RUN: ms-run --reference --every-function %s | FileCheck %s

// CHECK-LABEL: @minimum_f32
// CHECK-NEXT: tensor<4xf32> [1, nan, nan, -inf]{{$}}
func.func @minimum_f32() -> tensor<4xf32> {
  %a = mindir.constant dense<[1.0, 0x7FC00000, 2.0, 0xFF800000]> : tensor<4xf32>
  %b = mindir.constant dense<[2.0, 1.0, 0x7FC00000, 0x7F800000]> : tensor<4xf32>
  %r = mindir.minimum %a, %b : tensor<4xf32>
  return %r : tensor<4xf32>
}

// CHECK-LABEL: @minimum_i8
// CHECK-NEXT: tensor<2xi8> [-3, -5]{{$}}
func.func @minimum_i8() -> tensor<2xi8> {
  %a = mindir.constant dense<[-3, 4]> : tensor<2xi8>
  %b = mindir.constant dense<[2, -5]> : tensor<2xi8>
  %r = mindir.minimum %a, %b : tensor<2xi8>
  return %r : tensor<2xi8>
}

// CHECK-LABEL: @minimum_ui8
// CHECK-NEXT: tensor<2xui8> [2, 4]{{$}}
func.func @minimum_ui8() -> tensor<2xui8> {
  %a = mindir.constant dense<[200, 4]> : tensor<2xui8>
  %b = mindir.constant dense<[2, 5]> : tensor<2xui8>
  %r = mindir.minimum %a, %b : tensor<2xui8>
  return %r : tensor<2xui8>
}
