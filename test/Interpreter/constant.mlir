// RUN: ms-run --reference --every-function %s | FileCheck %s

// CHECK-LABEL: @splat
// CHECK-NEXT: tensor<2x2xf32> {{\[\[}}2.5, 2.5], [2.5, 2.5]]{{$}}
func.func @splat() -> tensor<2x2xf32> {
  %r = mindir.constant dense<2.5> : tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

// CHECK-LABEL: @no_elements
// CHECK-NEXT: tensor<0x3xi32> []{{$}}
func.func @no_elements() -> tensor<0x3xi32> {
  %r = mindir.constant dense<> : tensor<0x3xi32>
  return %r : tensor<0x3xi32>
}

// CHECK-LABEL: @bools
// CHECK-NEXT: tensor<2xi1> [true, false]{{$}}
func.func @bools() -> tensor<2xi1> {
  %r = mindir.constant dense<[true, false]> : tensor<2xi1>
  return %r : tensor<2xi1>
}

// CHECK-LABEL: @unsigned
// CHECK-NEXT: tensor<ui64> 18446744073709551615{{$}}
func.func @unsigned() -> tensor<ui64> {
  %r = mindir.constant dense<18446744073709551615> : tensor<ui64>
  return %r : tensor<ui64>
}
