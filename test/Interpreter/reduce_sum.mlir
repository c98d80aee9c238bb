// RUN: ms-run --reference --every-function %s | FileCheck %s

// CHECK-LABEL: @sum_rows
// CHECK-NEXT: tensor<2xf32> [6, 15]{{$}}
func.func @sum_rows() -> tensor<2xf32> {
  %a = mindir.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %r = mindir.reduce_sum %a axes = [1] : tensor<2x3xf32> -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// CHECK-LABEL: @sum_kept
// CHECK-NEXT: tensor<1x3xf32> {{\[\[}}5, 7, 9]]{{$}}
func.func @sum_kept() -> tensor<1x3xf32> {
  %a = mindir.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %r = mindir.reduce_sum %a axes = [0] keep_dims : tensor<2x3xf32> -> tensor<1x3xf32>
  return %r : tensor<1x3xf32>
}

// CHECK-LABEL: @sum_all
// CHECK-NEXT: tensor<f32> 21{{$}}
func.func @sum_all() -> tensor<f32> {
  %a = mindir.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %r = mindir.reduce_sum %a axes = [0, 1] : tensor<2x3xf32> -> tensor<f32>
  return %r : tensor<f32>
}

// No axes: the input.
// CHECK-LABEL: @sum_none
// CHECK-NEXT: tensor<2x3xf32> {{\[\[}}1, 2, 3], [4, 5, 6]]{{$}}
func.func @sum_none() -> tensor<2x3xf32> {
  %a = mindir.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %r = mindir.reduce_sum %a axes = [] : tensor<2x3xf32> -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}

// No elements.
// CHECK-LABEL: @sum_empty
// CHECK-NEXT: tensor<2xf32> [0, 0]{{$}}
func.func @sum_empty() -> tensor<2xf32> {
  %a = mindir.constant dense<> : tensor<2x0xf32>
  %r = mindir.reduce_sum %a axes = [1] : tensor<2x0xf32> -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// Sums are wide: the large terms cancel, the small ones remain.
// CHECK-LABEL: @sum_wide
// CHECK-NEXT: tensor<f32> 2{{$}}
func.func @sum_wide() -> tensor<f32> {
  %a = mindir.constant dense<[100000000.0, 1.0, 1.0, -100000000.0]> : tensor<4xf32>
  %r = mindir.reduce_sum %a axes = [0] : tensor<4xf32> -> tensor<f32>
  return %r : tensor<f32>
}

// Integers wrap.
// CHECK-LABEL: @sum_i8
// CHECK-NEXT: tensor<i8> -56{{$}}
func.func @sum_i8() -> tensor<i8> {
  %a = mindir.constant dense<[100, 100]> : tensor<2xi8>
  %r = mindir.reduce_sum %a axes = [0] : tensor<2xi8> -> tensor<i8>
  return %r : tensor<i8>
}
