// RUN: ms-run --reference --every-function %s | FileCheck %s

// CHECK-LABEL: @or_i1
// CHECK-NEXT: tensor<3xi1> [true, true, false]{{$}}
func.func @or_i1() -> tensor<3xi1> {
  %a = mindir.constant dense<[true, true, false]> : tensor<3xi1>
  %b = mindir.constant dense<[true, false, false]> : tensor<3xi1>
  %r = mindir.or %a, %b : tensor<3xi1>
  return %r : tensor<3xi1>
}

// CHECK-LABEL: @or_i8
// CHECK-NEXT: tensor<2xi8> [14, -1]{{$}}
func.func @or_i8() -> tensor<2xi8> {
  %a = mindir.constant dense<[12, -1]> : tensor<2xi8>
  %b = mindir.constant dense<[10, 5]> : tensor<2xi8>
  %r = mindir.or %a, %b : tensor<2xi8>
  return %r : tensor<2xi8>
}

// CHECK-LABEL: @or_ui8
// CHECK-NEXT: tensor<1xui8> [252]{{$}}
func.func @or_ui8() -> tensor<1xui8> {
  %a = mindir.constant dense<[240]> : tensor<1xui8>
  %b = mindir.constant dense<[60]> : tensor<1xui8>
  %r = mindir.or %a, %b : tensor<1xui8>
  return %r : tensor<1xui8>
}
