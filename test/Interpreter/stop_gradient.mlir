// RUN: ms-run --reference --every-function %s | FileCheck %s

// CHECK-LABEL: @plain
// CHECK-NEXT: tensor<2x3xi32> {{\[\[}}0, 1, 2], [3, 4, 5]]{{$}}
func.func @plain() -> tensor<2x3xi32> {
  %a = mindir.constant dense<[[0, 1, 2], [3, 4, 5]]> : tensor<2x3xi32>
  %r = mindir.stop_gradient %a : tensor<2x3xi32>
  return %r : tensor<2x3xi32>
}
