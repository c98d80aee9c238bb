// RUN: ms-run --reference --every-function %s | FileCheck %s

// CHECK-LABEL: @relu_f32
// CHECK-NEXT: tensor<5xf32> [0, 2, 0, nan, inf]{{$}}
func.func @relu_f32() -> tensor<5xf32> {
  %a = mindir.constant dense<[-1.0, 2.0, 0.0, 0x7FC00000, 0x7F800000]> : tensor<5xf32>
  %r = mindir.relu %a : tensor<5xf32>
  return %r : tensor<5xf32>
}

// CHECK-LABEL: @relu_i32
// CHECK-NEXT: tensor<2xi32> [0, 4]{{$}}
func.func @relu_i32() -> tensor<2xi32> {
  %a = mindir.constant dense<[-3, 4]> : tensor<2xi32>
  %r = mindir.relu %a : tensor<2xi32>
  return %r : tensor<2xi32>
}
