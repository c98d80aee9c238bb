// RUN: ms-run --reference --every-function %s | FileCheck %s

// CHECK-LABEL: @plain
// CHECK-NEXT: tensor<2x3xf32> {{\[\[}}0, 1, 2], [0, 1, 2]]{{$}}
func.func @plain() -> tensor<2x3xf32> {
  %r = mindir.iota axis = 1 : tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}
