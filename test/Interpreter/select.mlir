// RUN: ms-run --reference --every-function %s | FileCheck %s

// The element that is not chosen has no influence.
// CHECK-LABEL: @choose
// CHECK-NEXT: tensor<3xf32> [1, 5, 3]{{$}}
func.func @choose() -> tensor<3xf32> {
  %a = mindir.constant dense<[true, false, true]> : tensor<3xi1>
  %b = mindir.constant dense<[1.0, 0x7FC00000, 3.0]> : tensor<3xf32>
  %c = mindir.constant dense<[0x7FC00000, 5.0, 6.0]> : tensor<3xf32>
  %r = mindir.select %a, %b, %c : tensor<3xi1>, tensor<3xf32>
  return %r : tensor<3xf32>
}
