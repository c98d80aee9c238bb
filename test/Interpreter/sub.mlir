// RUN: ms-run --reference --every-function %s | FileCheck %s

// CHECK-LABEL: @sub_f32
// CHECK-NEXT: tensor<3xf32> [-1, 0.20000002, nan]{{$}}
func.func @sub_f32() -> tensor<3xf32> {
  %a = mindir.constant dense<[1.0, 0.3, 0x7F800000]> : tensor<3xf32>
  %b = mindir.constant dense<[2.0, 0.1, 0x7F800000]> : tensor<3xf32>
  %r = mindir.sub %a, %b : tensor<3xf32>
  return %r : tensor<3xf32>
}

// CHECK-LABEL: @sub_i8
// CHECK-NEXT: tensor<2xi8> [127, 3]{{$}}
func.func @sub_i8() -> tensor<2xi8> {
  %a = mindir.constant dense<[-128, 5]> : tensor<2xi8>
  %b = mindir.constant dense<[1, 2]> : tensor<2xi8>
  %r = mindir.sub %a, %b : tensor<2xi8>
  return %r : tensor<2xi8>
}

// CHECK-LABEL: @sub_ui8
// CHECK-NEXT: tensor<2xui8> [255, 5]{{$}}
func.func @sub_ui8() -> tensor<2xui8> {
  %a = mindir.constant dense<[0, 9]> : tensor<2xui8>
  %b = mindir.constant dense<[1, 4]> : tensor<2xui8>
  %r = mindir.sub %a, %b : tensor<2xui8>
  return %r : tensor<2xui8>
}
