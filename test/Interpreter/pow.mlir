// RUN: ms-run --reference --every-function %s | FileCheck %s

// CHECK-LABEL: @pow_f32
// CHECK-NEXT: tensor<6xf32> [1024, 1.4142135, nan, 1, 1, 0.25]{{$}}
func.func @pow_f32() -> tensor<6xf32> {
  %a = mindir.constant dense<[2.0, 2.0, -8.0, 0.0, 0x7FC00000, 4.0]> : tensor<6xf32>
  %b = mindir.constant dense<[10.0, 0.5, 0.33333334, 0.0, 0.0, -1.0]> : tensor<6xf32>
  %r = mindir.pow %a, %b : tensor<6xf32>
  return %r : tensor<6xf32>
}

// CHECK-LABEL: @pow_i32
// CHECK-NEXT: tensor<5xi32> [1024, 1, -1, 1, 0]{{$}}
func.func @pow_i32() -> tensor<5xi32> {
  %a = mindir.constant dense<[2, 3, -1, -1, 2]> : tensor<5xi32>
  %b = mindir.constant dense<[10, 0, -3, -2, -1]> : tensor<5xi32>
  %r = mindir.pow %a, %b : tensor<5xi32>
  return %r : tensor<5xi32>
}
