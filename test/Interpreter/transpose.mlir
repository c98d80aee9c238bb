// RUN: ms-run --reference --every-function %s | FileCheck %s

// CHECK-LABEL: @plain
// CHECK-NEXT: tensor<3x1x2xi32> {{\[\[}}[0, 3]], {{\[\[}}1, 4]], {{\[\[}}2, 5]]]{{$}}
func.func @plain() -> tensor<3x1x2xi32> {
  %a = mindir.constant dense<[[[0, 1, 2], [3, 4, 5]]]> : tensor<1x2x3xi32>
  %r = mindir.transpose %a permutation = [2, 0, 1] : tensor<1x2x3xi32> -> tensor<3x1x2xi32>
  return %r : tensor<3x1x2xi32>
}
