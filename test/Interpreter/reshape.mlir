// RUN: ms-run --reference --every-function %s | FileCheck %s

// CHECK-LABEL: @plain
// CHECK-NEXT: tensor<3x2xi32> {{\[\[}}0, 1], [2, 3], [4, 5]]{{$}}
func.func @plain() -> tensor<3x2xi32> {
  %a = mindir.constant dense<[[0, 1, 2], [3, 4, 5]]> : tensor<2x3xi32>
  %r = mindir.reshape %a : tensor<2x3xi32> -> tensor<3x2xi32>
  return %r : tensor<3x2xi32>
}

// CHECK-LABEL: @to_scalar
// CHECK-NEXT: tensor<i32> 7{{$}}
func.func @to_scalar() -> tensor<i32> {
  %a = mindir.constant dense<[[7]]> : tensor<1x1xi32>
  %r = mindir.reshape %a : tensor<1x1xi32> -> tensor<i32>
  return %r : tensor<i32>
}
