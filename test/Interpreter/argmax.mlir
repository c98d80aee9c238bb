// RUN: ms-run --reference --every-function %s | FileCheck %s

// The first of equals.
// CHECK-LABEL: @argmax_rows
// CHECK-NEXT: tensor<2xi64> [1, 0]{{$}}
func.func @argmax_rows() -> tensor<2xi64> {
  %a = mindir.constant dense<[[1.0, 3.0, 3.0], [4.0, 1.0, 1.0]]> : tensor<2x3xf32>
  %r = mindir.argmax %a axis = 1 : tensor<2x3xf32> -> tensor<2xi64>
  return %r : tensor<2xi64>
}

// CHECK-LABEL: @argmax_columns
// CHECK-NEXT: tensor<3xi64> [1, 0, 0]{{$}}
func.func @argmax_columns() -> tensor<3xi64> {
  %a = mindir.constant dense<[[1.0, 3.0, 3.0], [4.0, 1.0, 1.0]]> : tensor<2x3xf32>
  %r = mindir.argmax %a axis = 0 : tensor<2x3xf32> -> tensor<3xi64>
  return %r : tensor<3xi64>
}

// A NaN is the extreme.
// CHECK-LABEL: @argmax_nan
// CHECK-NEXT: tensor<i64> 1{{$}}
func.func @argmax_nan() -> tensor<i64> {
  %a = mindir.constant dense<[2.0, 0x7FC00000, 0x7FC00000, 1.0]> : tensor<4xf32>
  %r = mindir.argmax %a axis = 0 : tensor<4xf32> -> tensor<i64>
  return %r : tensor<i64>
}

// CHECK-LABEL: @argmax_ui8
// CHECK-NEXT: tensor<2xi64> [0, 1]{{$}}
func.func @argmax_ui8() -> tensor<2xi64> {
  %a = mindir.constant dense<[[200, 3], [7, 100]]> : tensor<2x2xui8>
  %r = mindir.argmax %a axis = 0 : tensor<2x2xui8> -> tensor<2xi64>
  return %r : tensor<2xi64>
}
