// RUN: ms-run --reference --every-function %s | FileCheck %s

// CHECK-LABEL: @plain
// CHECK-NEXT: tensor<2x2xi32> {{\[\[}}1, 2], [4, 5]]{{$}}
func.func @plain() -> tensor<2x2xi32> {
  %a = mindir.constant dense<[[0, 1, 2], [3, 4, 5]]> : tensor<2x3xi32>
  %r = mindir.slice %a starts = [0, 1] limits = [2, 3] strides = [1, 1] : tensor<2x3xi32> -> tensor<2x2xi32>
  return %r : tensor<2x2xi32>
}

// CHECK-LABEL: @to_end
// CHECK-NEXT: tensor<1x2xi32> {{\[\[}}3, 5]]{{$}}
func.func @to_end() -> tensor<1x2xi32> {
  %a = mindir.constant dense<[[0, 1, 2], [3, 4, 5]]> : tensor<2x3xi32>
  %r = mindir.slice %a starts = [1, 0] limits = [-9223372036854775808, -9223372036854775808] strides = [1, 2] : tensor<2x3xi32> -> tensor<1x2xi32>
  return %r : tensor<1x2xi32>
}

// CHECK-LABEL: @empty
// CHECK-NEXT: tensor<0x3xi32> []{{$}}
func.func @empty() -> tensor<0x3xi32> {
  %a = mindir.constant dense<[[0, 1, 2], [3, 4, 5]]> : tensor<2x3xi32>
  %r = mindir.slice %a starts = [1, 0] limits = [1, 3] strides = [1, 1] : tensor<2x3xi32> -> tensor<0x3xi32>
  return %r : tensor<0x3xi32>
}
