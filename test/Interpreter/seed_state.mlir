// RUN: ms-run --reference --every-function %s | FileCheck %s

// CHECK-LABEL: @plain
// CHECK-NEXT: tensor<2xui64> [7, 0]{{$}}
func.func @plain() -> tensor<2xui64> {
  %r = mindir.seed_state 7
  return %r : tensor<2xui64>
}
