// RUN: ms-run --reference --every-function %s | FileCheck %s

// CHECK-LABEL: @abs_f32
// CHECK-NEXT: tensor<5xf32> [1.5, 2, 0, inf, nan]{{$}}
func.func @abs_f32() -> tensor<5xf32> {
  %a = mindir.constant dense<[-1.5, 2.0, -0.0, 0xFF800000, 0x7FC00000]> : tensor<5xf32>
  %r = mindir.abs %a : tensor<5xf32>
  return %r : tensor<5xf32>
}

// CHECK-LABEL: @abs_i8
// CHECK-NEXT: tensor<3xi8> [-128, 3, 4]{{$}}
func.func @abs_i8() -> tensor<3xi8> {
  %a = mindir.constant dense<[-128, -3, 4]> : tensor<3xi8>
  %r = mindir.abs %a : tensor<3xi8>
  return %r : tensor<3xi8>
}

// CHECK-LABEL: @abs_ui8
// CHECK-NEXT: tensor<2xui8> [0, 255]{{$}}
func.func @abs_ui8() -> tensor<2xui8> {
  %a = mindir.constant dense<[0, 255]> : tensor<2xui8>
  %r = mindir.abs %a : tensor<2xui8>
  return %r : tensor<2xui8>
}
