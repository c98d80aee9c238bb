// RUN: ms-run --reference --every-function %s | FileCheck %s

// CHECK-LABEL: @plain
// CHECK-NEXT: tensor<2x2x3xi32> {{\[\[}}[1, 1, 1], [2, 2, 2]], {{\[\[}}1, 1, 1], [2, 2, 2]]]{{$}}
func.func @plain() -> tensor<2x2x3xi32> {
  %a = mindir.constant dense<[[1], [2]]> : tensor<2x1xi32>
  %r = mindir.broadcast_to %a : tensor<2x1xi32> -> tensor<2x2x3xi32>
  return %r : tensor<2x2x3xi32>
}

// CHECK-LABEL: @scalar
// CHECK-NEXT: tensor<2xi32> [3, 3]{{$}}
func.func @scalar() -> tensor<2xi32> {
  %a = mindir.constant dense<3> : tensor<i32>
  %r = mindir.broadcast_to %a : tensor<i32> -> tensor<2xi32>
  return %r : tensor<2xi32>
}
