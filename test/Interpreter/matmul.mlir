// RUN: ms-run --reference --every-function %s | FileCheck %s

// CHECK-LABEL: @plain
// CHECK-NEXT: tensor<2x2xf32> {{\[\[}}5, 11], [14, 23]]{{$}}
func.func @plain() -> tensor<2x2xf32> {
  %a = mindir.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %b = mindir.constant dense<[[1.0, 0.0], [2.0, 1.0], [0.0, 3.0]]> : tensor<3x2xf32>
  %r = mindir.matmul %a, %b : tensor<2x3xf32>, tensor<3x2xf32> -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

// CHECK-LABEL: @transposed_rhs
// CHECK-NEXT: tensor<2x2xf32> {{\[\[}}14, 32], [32, 77]]{{$}}
func.func @transposed_rhs() -> tensor<2x2xf32> {
  %a = mindir.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %b = mindir.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %r = mindir.matmul %a, %b {transpose_rhs} : tensor<2x3xf32>, tensor<2x3xf32> -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

// CHECK-LABEL: @transposed_lhs
// CHECK-NEXT: tensor<3x3xf32> {{\[\[}}17, 22, 27], [22, 29, 36], [27, 36, 45]]{{$}}
func.func @transposed_lhs() -> tensor<3x3xf32> {
  %a = mindir.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %b = mindir.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %r = mindir.matmul %a, %b {transpose_lhs} : tensor<2x3xf32>, tensor<2x3xf32> -> tensor<3x3xf32>
  return %r : tensor<3x3xf32>
}

// CHECK-LABEL: @batched
// CHECK-NEXT: tensor<2x2x2xi32> {{\[\[}}[10, 13], [28, 40]], {{\[\[}}172, 193], [244, 274]]]{{$}}
func.func @batched() -> tensor<2x2x2xi32> {
  %a = mindir.constant dense<[[[0, 1, 2], [3, 4, 5]], [[6, 7, 8], [9, 10, 11]]]> : tensor<2x2x3xi32>
  %b = mindir.constant dense<[[[0, 1], [2, 3], [4, 5]], [[6, 7], [8, 9], [10, 11]]]> : tensor<2x3x2xi32>
  %r = mindir.matmul %a, %b : tensor<2x2x3xi32>, tensor<2x3x2xi32> -> tensor<2x2x2xi32>
  return %r : tensor<2x2x2xi32>
}

// Nothing is contracted: zeros.
// CHECK-LABEL: @empty
// CHECK-NEXT: tensor<2x2xf32> {{\[\[}}0, 0], [0, 0]]{{$}}
func.func @empty() -> tensor<2x2xf32> {
  %a = mindir.constant dense<> : tensor<2x0xf32>
  %b = mindir.constant dense<> : tensor<0x2xf32>
  %r = mindir.matmul %a, %b : tensor<2x0xf32>, tensor<0x2xf32> -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}
