// RUN: ms-run --reference --every-function %s | FileCheck %s

// Floats truncate and saturate; NaN gives zero.
// CHECK-LABEL: @f32_to_i8
// CHECK-NEXT: tensor<6xi8> [1, -1, 127, -128, 0, 127]{{$}}
func.func @f32_to_i8() -> tensor<6xi8> {
  %a = mindir.constant dense<[1.9, -1.9, 300.0, -300.0, 0x7FC00000, 0x7F800000]> : tensor<6xf32>
  %r = mindir.cast %a : tensor<6xf32> -> tensor<6xi8>
  return %r : tensor<6xi8>
}

// CHECK-LABEL: @f32_to_ui8
// CHECK-NEXT: tensor<3xui8> [0, 255, 255]{{$}}
func.func @f32_to_ui8() -> tensor<3xui8> {
  %a = mindir.constant dense<[-5.0, 255.9, 256.0]> : tensor<3xf32>
  %r = mindir.cast %a : tensor<3xf32> -> tensor<3xui8>
  return %r : tensor<3xui8>
}

// Integers wrap.
// CHECK-LABEL: @i32_to_i8
// CHECK-NEXT: tensor<3xi8> [44, 127, 5]{{$}}
func.func @i32_to_i8() -> tensor<3xi8> {
  %a = mindir.constant dense<[300, -129, 5]> : tensor<3xi32>
  %r = mindir.cast %a : tensor<3xi32> -> tensor<3xi8>
  return %r : tensor<3xi8>
}

// Anything but zero is true.
// CHECK-LABEL: @f32_to_i1
// CHECK-NEXT: tensor<4xi1> [false, false, true, true]{{$}}
func.func @f32_to_i1() -> tensor<4xi1> {
  %a = mindir.constant dense<[0.0, -0.0, 0.5, 0x7FC00000]> : tensor<4xf32>
  %r = mindir.cast %a : tensor<4xf32> -> tensor<4xi1>
  return %r : tensor<4xi1>
}

// CHECK-LABEL: @i8_to_i1
// CHECK-NEXT: tensor<3xi1> [false, true, true]{{$}}
func.func @i8_to_i1() -> tensor<3xi1> {
  %a = mindir.constant dense<[0, 2, -2]> : tensor<3xi8>
  %r = mindir.cast %a : tensor<3xi8> -> tensor<3xi1>
  return %r : tensor<3xi1>
}

// CHECK-LABEL: @i1_to_f32
// CHECK-NEXT: tensor<2xf32> [1, 0]{{$}}
func.func @i1_to_f32() -> tensor<2xf32> {
  %a = mindir.constant dense<[true, false]> : tensor<2xi1>
  %r = mindir.cast %a : tensor<2xi1> -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// To the nearest, ties to even.
// CHECK-LABEL: @i64_to_f32
// CHECK-NEXT: tensor<2xf32> [16777216, -3]{{$}}
func.func @i64_to_f32() -> tensor<2xf32> {
  %a = mindir.constant dense<[16777217, -3]> : tensor<2xi64>
  %r = mindir.cast %a : tensor<2xi64> -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// Overflow gives infinity; subnormals are kept.
// CHECK-LABEL: @f64_to_f16
// CHECK-NEXT: tensor<4xf16> [6.55e+04, inf, 0, 1e-07]{{$}}
func.func @f64_to_f16() -> tensor<4xf16> {
  %a = mindir.constant dense<[65519.0, 65520.0, 2.9802322387695312e-08, 8.940696716308594e-08]> : tensor<4xf64>
  %r = mindir.cast %a : tensor<4xf64> -> tensor<4xf16>
  return %r : tensor<4xf16>
}

// CHECK-LABEL: @i8_to_ui8
// CHECK-NEXT: tensor<2xui8> [255, 5]{{$}}
func.func @i8_to_ui8() -> tensor<2xui8> {
  %a = mindir.constant dense<[-1, 5]> : tensor<2xi8>
  %r = mindir.cast %a : tensor<2xi8> -> tensor<2xui8>
  return %r : tensor<2xui8>
}
