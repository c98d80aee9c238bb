// RUN: ms-run --reference --every-function %s | FileCheck %s

// CHECK-LABEL: @max_rows
// CHECK-NEXT: tensor<2xf32> [3, 6]{{$}}
func.func @max_rows() -> tensor<2xf32> {
  %a = mindir.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %r = mindir.reduce_max %a axes = [1] : tensor<2x3xf32> -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// CHECK-LABEL: @max_kept
// CHECK-NEXT: tensor<1x3xf32> {{\[\[}}4, 5, 6]]{{$}}
func.func @max_kept() -> tensor<1x3xf32> {
  %a = mindir.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %r = mindir.reduce_max %a axes = [0] keep_dims : tensor<2x3xf32> -> tensor<1x3xf32>
  return %r : tensor<1x3xf32>
}

// CHECK-LABEL: @max_all
// CHECK-NEXT: tensor<f32> 6{{$}}
func.func @max_all() -> tensor<f32> {
  %a = mindir.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %r = mindir.reduce_max %a axes = [0, 1] : tensor<2x3xf32> -> tensor<f32>
  return %r : tensor<f32>
}

// No axes: the input.
// CHECK-LABEL: @max_none
// CHECK-NEXT: tensor<2x3xf32> {{\[\[}}1, 2, 3], [4, 5, 6]]{{$}}
func.func @max_none() -> tensor<2x3xf32> {
  %a = mindir.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %r = mindir.reduce_max %a axes = [] : tensor<2x3xf32> -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}

// No elements.
// CHECK-LABEL: @max_empty
// CHECK-NEXT: tensor<2xf32> [-inf, -inf]{{$}}
func.func @max_empty() -> tensor<2xf32> {
  %a = mindir.constant dense<> : tensor<2x0xf32>
  %r = mindir.reduce_max %a axes = [1] : tensor<2x0xf32> -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// CHECK-LABEL: @max_nan
// CHECK-NEXT: tensor<f32> nan{{$}}
func.func @max_nan() -> tensor<f32> {
  %a = mindir.constant dense<[1.0, 0x7FC00000, 3.0]> : tensor<3xf32>
  %r = mindir.reduce_max %a axes = [0] : tensor<3xf32> -> tensor<f32>
  return %r : tensor<f32>
}

// Any, of bool.
// CHECK-LABEL: @max_i1
// CHECK-NEXT: tensor<2xi1> [true, false]{{$}}
func.func @max_i1() -> tensor<2xi1> {
  %a = mindir.constant dense<[[true, false], [false, false]]> : tensor<2x2xi1>
  %r = mindir.reduce_max %a axes = [1] : tensor<2x2xi1> -> tensor<2xi1>
  return %r : tensor<2xi1>
}
