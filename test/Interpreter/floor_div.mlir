// RUN: ms-run --reference --every-function %s | FileCheck %s

// CHECK-LABEL: @floor_div_f32
// CHECK-NEXT: tensor<6xf32> [3, -4, -4, inf, 2, nan]{{$}}
func.func @floor_div_f32() -> tensor<6xf32> {
  %a = mindir.constant dense<[7.0, -7.0, 7.0, 1.0, 1.0, 0.0]> : tensor<6xf32>
  %b = mindir.constant dense<[2.0, 2.0, -2.0, 0.0, 0.5, 0.0]> : tensor<6xf32>
  %r = mindir.floor_div %a, %b : tensor<6xf32>
  return %r : tensor<6xf32>
}

// CHECK-LABEL: @floor_div_i32
// CHECK-NEXT: tensor<4xi32> [3, -4, -4, 0]{{$}}
func.func @floor_div_i32() -> tensor<4xi32> {
  %a = mindir.constant dense<[7, -7, 7, 5]> : tensor<4xi32>
  %b = mindir.constant dense<[2, 2, -2, 0]> : tensor<4xi32>
  %r = mindir.floor_div %a, %b : tensor<4xi32>
  return %r : tensor<4xi32>
}

// CHECK-LABEL: @floor_div_ui8
// CHECK-NEXT: tensor<2xui8> [66, 0]{{$}}
func.func @floor_div_ui8() -> tensor<2xui8> {
  %a = mindir.constant dense<[200, 7]> : tensor<2xui8>
  %b = mindir.constant dense<[3, 0]> : tensor<2xui8>
  %r = mindir.floor_div %a, %b : tensor<2xui8>
  return %r : tensor<2xui8>
}
