// RUN: ms-run --reference --every-function %s | FileCheck %s

// CHECK-LABEL: @neg_f32
// CHECK-NEXT: tensor<4xf32> [1.5, -2, inf, nan]{{$}}
func.func @neg_f32() -> tensor<4xf32> {
  %a = mindir.constant dense<[-1.5, 2.0, 0xFF800000, 0x7FC00000]> : tensor<4xf32>
  %r = mindir.neg %a : tensor<4xf32>
  return %r : tensor<4xf32>
}

// CHECK-LABEL: @neg_i8
// CHECK-NEXT: tensor<2xi8> [-128, -3]{{$}}
func.func @neg_i8() -> tensor<2xi8> {
  %a = mindir.constant dense<[-128, 3]> : tensor<2xi8>
  %r = mindir.neg %a : tensor<2xi8>
  return %r : tensor<2xi8>
}

// CHECK-LABEL: @neg_ui8
// CHECK-NEXT: tensor<3xui8> [0, 255, 1]{{$}}
func.func @neg_ui8() -> tensor<3xui8> {
  %a = mindir.constant dense<[0, 1, 255]> : tensor<3xui8>
  %r = mindir.neg %a : tensor<3xui8>
  return %r : tensor<3xui8>
}
