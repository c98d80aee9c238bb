// RUN: ms-run --reference --every-function %s | FileCheck %s

// Duplicates add up.
// CHECK-LABEL: @plain
// CHECK-NEXT: tensor<3xi32> [31, 1, 31]{{$}}
func.func @plain() -> tensor<3xi32> {
  %a = mindir.constant dense<[1, 1, 1]> : tensor<3xi32>
  %b = mindir.constant dense<[0, 0, -1]> : tensor<3xi32>
  %c = mindir.constant dense<[10, 20, 30]> : tensor<3xi32>
  %r = mindir.scatter_add %a, %b, %c axis = 0 : tensor<3xi32>, tensor<3xi32>, tensor<3xi32>
  return %r : tensor<3xi32>
}
