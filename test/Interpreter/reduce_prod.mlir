// RUN: ms-run --reference --every-function %s | FileCheck %s

// CHECK-LABEL: @prod_rows
// CHECK-NEXT: tensor<2xf32> [6, 1.2e+02]{{$}}
func.func @prod_rows() -> tensor<2xf32> {
  %a = mindir.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %r = mindir.reduce_prod %a axes = [1] : tensor<2x3xf32> -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// CHECK-LABEL: @prod_kept
// CHECK-NEXT: tensor<1x3xf32> {{\[\[}}4, 1e+01, 18]]{{$}}
func.func @prod_kept() -> tensor<1x3xf32> {
  %a = mindir.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %r = mindir.reduce_prod %a axes = [0] keep_dims : tensor<2x3xf32> -> tensor<1x3xf32>
  return %r : tensor<1x3xf32>
}

// CHECK-LABEL: @prod_all
// CHECK-NEXT: tensor<f32> 7.2e+02{{$}}
func.func @prod_all() -> tensor<f32> {
  %a = mindir.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %r = mindir.reduce_prod %a axes = [0, 1] : tensor<2x3xf32> -> tensor<f32>
  return %r : tensor<f32>
}

// No axes: the input.
// CHECK-LABEL: @prod_none
// CHECK-NEXT: tensor<2x3xf32> {{\[\[}}1, 2, 3], [4, 5, 6]]{{$}}
func.func @prod_none() -> tensor<2x3xf32> {
  %a = mindir.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %r = mindir.reduce_prod %a axes = [] : tensor<2x3xf32> -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}

// No elements.
// CHECK-LABEL: @prod_empty
// CHECK-NEXT: tensor<2xf32> [1, 1]{{$}}
func.func @prod_empty() -> tensor<2xf32> {
  %a = mindir.constant dense<> : tensor<2x0xf32>
  %r = mindir.reduce_prod %a axes = [1] : tensor<2x0xf32> -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// Integers wrap.
// CHECK-LABEL: @prod_i8
// CHECK-NEXT: tensor<i8> 44{{$}}
func.func @prod_i8() -> tensor<i8> {
  %a = mindir.constant dense<[100, 3]> : tensor<2xi8>
  %r = mindir.reduce_prod %a axes = [0] : tensor<2xi8> -> tensor<i8>
  return %r : tensor<i8>
}
