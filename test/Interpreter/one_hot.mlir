// RUN: ms-run --reference --every-function %s | FileCheck %s

// CHECK-LABEL: @plain
// CHECK-NEXT: tensor<4x3xf32> {{\[\[}}0, 1, 0], [0, 0, 0], [0, 0, 1], [0, 0, 0]]{{$}}
func.func @plain() -> tensor<4x3xf32> {
  %a = mindir.constant dense<[1, -1, 2, 5]> : tensor<4xi32>
  %r = mindir.one_hot %a depth = 3 : tensor<4xi32> -> tensor<4x3xf32> as f32
  return %r : tensor<4x3xf32>
}
