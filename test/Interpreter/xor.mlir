// RUN: ms-run --reference --every-function %s | FileCheck %s

// CHECK-LABEL: @xor_i1
// CHECK-NEXT: tensor<3xi1> [false, true, false]{{$}}
func.func @xor_i1() -> tensor<3xi1> {
  %a = mindir.constant dense<[true, true, false]> : tensor<3xi1>
  %b = mindir.constant dense<[true, false, false]> : tensor<3xi1>
  %r = mindir.xor %a, %b : tensor<3xi1>
  return %r : tensor<3xi1>
}

// CHECK-LABEL: @xor_i8
// CHECK-NEXT: tensor<2xi8> [6, -6]{{$}}
func.func @xor_i8() -> tensor<2xi8> {
  %a = mindir.constant dense<[12, -1]> : tensor<2xi8>
  %b = mindir.constant dense<[10, 5]> : tensor<2xi8>
  %r = mindir.xor %a, %b : tensor<2xi8>
  return %r : tensor<2xi8>
}

// CHECK-LABEL: @xor_ui8
// CHECK-NEXT: tensor<1xui8> [204]{{$}}
func.func @xor_ui8() -> tensor<1xui8> {
  %a = mindir.constant dense<[240]> : tensor<1xui8>
  %b = mindir.constant dense<[60]> : tensor<1xui8>
  %r = mindir.xor %a, %b : tensor<1xui8>
  return %r : tensor<1xui8>
}
