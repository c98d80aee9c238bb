// RUN: ms-run --reference --every-function %s | FileCheck %s

// CHECK-LABEL: @compare_eq
// CHECK-NEXT: tensor<4xi1> [false, true, false, false]{{$}}
func.func @compare_eq() -> tensor<4xi1> {
  %a = mindir.constant dense<[1.0, 2.0, 0x7FC00000, 2.0]> : tensor<4xf32>
  %b = mindir.constant dense<[2.0, 2.0, 0x7FC00000, 1.0]> : tensor<4xf32>
  %r = mindir.compare eq, %a, %b : tensor<4xf32>
  return %r : tensor<4xi1>
}

// CHECK-LABEL: @compare_ne
// CHECK-NEXT: tensor<4xi1> [true, false, true, true]{{$}}
func.func @compare_ne() -> tensor<4xi1> {
  %a = mindir.constant dense<[1.0, 2.0, 0x7FC00000, 2.0]> : tensor<4xf32>
  %b = mindir.constant dense<[2.0, 2.0, 0x7FC00000, 1.0]> : tensor<4xf32>
  %r = mindir.compare ne, %a, %b : tensor<4xf32>
  return %r : tensor<4xi1>
}

// CHECK-LABEL: @compare_lt
// CHECK-NEXT: tensor<4xi1> [true, false, false, false]{{$}}
func.func @compare_lt() -> tensor<4xi1> {
  %a = mindir.constant dense<[1.0, 2.0, 0x7FC00000, 2.0]> : tensor<4xf32>
  %b = mindir.constant dense<[2.0, 2.0, 0x7FC00000, 1.0]> : tensor<4xf32>
  %r = mindir.compare lt, %a, %b : tensor<4xf32>
  return %r : tensor<4xi1>
}

// CHECK-LABEL: @compare_le
// CHECK-NEXT: tensor<4xi1> [true, true, false, false]{{$}}
func.func @compare_le() -> tensor<4xi1> {
  %a = mindir.constant dense<[1.0, 2.0, 0x7FC00000, 2.0]> : tensor<4xf32>
  %b = mindir.constant dense<[2.0, 2.0, 0x7FC00000, 1.0]> : tensor<4xf32>
  %r = mindir.compare le, %a, %b : tensor<4xf32>
  return %r : tensor<4xi1>
}

// CHECK-LABEL: @compare_gt
// CHECK-NEXT: tensor<4xi1> [false, false, false, true]{{$}}
func.func @compare_gt() -> tensor<4xi1> {
  %a = mindir.constant dense<[1.0, 2.0, 0x7FC00000, 2.0]> : tensor<4xf32>
  %b = mindir.constant dense<[2.0, 2.0, 0x7FC00000, 1.0]> : tensor<4xf32>
  %r = mindir.compare gt, %a, %b : tensor<4xf32>
  return %r : tensor<4xi1>
}

// CHECK-LABEL: @compare_ge
// CHECK-NEXT: tensor<4xi1> [false, true, false, true]{{$}}
func.func @compare_ge() -> tensor<4xi1> {
  %a = mindir.constant dense<[1.0, 2.0, 0x7FC00000, 2.0]> : tensor<4xf32>
  %b = mindir.constant dense<[2.0, 2.0, 0x7FC00000, 1.0]> : tensor<4xf32>
  %r = mindir.compare ge, %a, %b : tensor<4xf32>
  return %r : tensor<4xi1>
}

// Unsigned numbers have no sign.
// CHECK-LABEL: @compare_ui8
// CHECK-NEXT: tensor<2xi1> [true, false]{{$}}
func.func @compare_ui8() -> tensor<2xi1> {
  %a = mindir.constant dense<[200, 3]> : tensor<2xui8>
  %b = mindir.constant dense<[100, 3]> : tensor<2xui8>
  %r = mindir.compare gt, %a, %b : tensor<2xui8>
  return %r : tensor<2xi1>
}

// CHECK-LABEL: @compare_i1
// CHECK-NEXT: tensor<2xi1> [true, false]{{$}}
func.func @compare_i1() -> tensor<2xi1> {
  %a = mindir.constant dense<[false, true]> : tensor<2xi1>
  %b = mindir.constant dense<[true, true]> : tensor<2xi1>
  %r = mindir.compare lt, %a, %b : tensor<2xi1>
  return %r : tensor<2xi1>
}
