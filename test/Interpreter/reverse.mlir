// RUN: ms-run --reference --every-function %s | FileCheck %s

// CHECK-LABEL: @plain
// CHECK-NEXT: tensor<2x3xi32> {{\[\[}}2, 1, 0], [5, 4, 3]]{{$}}
func.func @plain() -> tensor<2x3xi32> {
  %a = mindir.constant dense<[[0, 1, 2], [3, 4, 5]]> : tensor<2x3xi32>
  %r = mindir.reverse %a axes = [1] : tensor<2x3xi32>
  return %r : tensor<2x3xi32>
}

// CHECK-LABEL: @both
// CHECK-NEXT: tensor<2x3xi32> {{\[\[}}5, 4, 3], [2, 1, 0]]{{$}}
func.func @both() -> tensor<2x3xi32> {
  %a = mindir.constant dense<[[0, 1, 2], [3, 4, 5]]> : tensor<2x3xi32>
  %r = mindir.reverse %a axes = [0, 1] : tensor<2x3xi32>
  return %r : tensor<2x3xi32>
}
