// RUN: ms-run --reference --every-function %s | FileCheck %s

// CHECK-LABEL: @not_i1
// CHECK-NEXT: tensor<2xi1> [false, true]{{$}}
func.func @not_i1() -> tensor<2xi1> {
  %a = mindir.constant dense<[true, false]> : tensor<2xi1>
  %r = mindir.not %a : tensor<2xi1>
  return %r : tensor<2xi1>
}

// CHECK-LABEL: @not_i8
// CHECK-NEXT: tensor<3xi8> [-1, -6, 0]{{$}}
func.func @not_i8() -> tensor<3xi8> {
  %a = mindir.constant dense<[0, 5, -1]> : tensor<3xi8>
  %r = mindir.not %a : tensor<3xi8>
  return %r : tensor<3xi8>
}

// CHECK-LABEL: @not_ui8
// CHECK-NEXT: tensor<3xui8> [255, 250, 0]{{$}}
func.func @not_ui8() -> tensor<3xui8> {
  %a = mindir.constant dense<[0, 5, 255]> : tensor<3xui8>
  %r = mindir.not %a : tensor<3xui8>
  return %r : tensor<3xui8>
}
