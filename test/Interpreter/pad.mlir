// RUN: ms-run --reference --every-function %s | FileCheck %s

// CHECK-LABEL: @plain
// CHECK-NEXT: tensor<8xi32> [9, 1, 9, 2, 9, 3, 9, 9]{{$}}
func.func @plain() -> tensor<8xi32> {
  %a = mindir.constant dense<[1, 2, 3]> : tensor<3xi32>
  %b = mindir.constant dense<9> : tensor<i32>
  %r = mindir.pad %a, %b low = [1] high = [2] interior = [1] : tensor<3xi32>, tensor<i32> -> tensor<8xi32>
  return %r : tensor<8xi32>
}

// CHECK-LABEL: @of_nothing
// CHECK-NEXT: tensor<1xi32> [9]{{$}}
func.func @of_nothing() -> tensor<1xi32> {
  %a = mindir.constant dense<> : tensor<0xi32>
  %b = mindir.constant dense<9> : tensor<i32>
  %r = mindir.pad %a, %b low = [1] high = [0] interior = [3] : tensor<0xi32>, tensor<i32> -> tensor<1xi32>
  return %r : tensor<1xi32>
}
