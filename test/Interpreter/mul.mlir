// RUN: ms-run --reference --every-function %s | FileCheck %s

// CHECK-LABEL: @mul_f32
// CHECK-NEXT: tensor<3xf32> [1.5, inf, nan]{{$}}
func.func @mul_f32() -> tensor<3xf32> {
  %a = mindir.constant dense<[3.0, 1.0e+30, 0.0]> : tensor<3xf32>
  %b = mindir.constant dense<[0.5, 1.0e+30, 0x7F800000]> : tensor<3xf32>
  %r = mindir.mul %a, %b : tensor<3xf32>
  return %r : tensor<3xf32>
}

// CHECK-LABEL: @mul_i8
// CHECK-NEXT: tensor<2xi8> [-56, -21]{{$}}
func.func @mul_i8() -> tensor<2xi8> {
  %a = mindir.constant dense<[100, -3]> : tensor<2xi8>
  %b = mindir.constant dense<[2, 7]> : tensor<2xi8>
  %r = mindir.mul %a, %b : tensor<2xi8>
  return %r : tensor<2xi8>
}

// CHECK-LABEL: @mul_ui64
// CHECK-NEXT: tensor<1xui64> [2]{{$}}
func.func @mul_ui64() -> tensor<1xui64> {
  %a = mindir.constant dense<[9223372036854775809]> : tensor<1xui64>
  %b = mindir.constant dense<[2]> : tensor<1xui64>
  %r = mindir.mul %a, %b : tensor<1xui64>
  return %r : tensor<1xui64>
}
