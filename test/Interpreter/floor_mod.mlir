// RUN: ms-run --reference --every-function %s | FileCheck %s

// CHECK-LABEL: @floor_mod_f32
// CHECK-NEXT: tensor<5xf32> [1, 1, -1, -inf, nan]{{$}}
func.func @floor_mod_f32() -> tensor<5xf32> {
  %a = mindir.constant dense<[7.0, -7.0, 7.0, 5.5, 1.0]> : tensor<5xf32>
  %b = mindir.constant dense<[2.0, 2.0, -2.0, 0xFF800000, 0.0]> : tensor<5xf32>
  %r = mindir.floor_mod %a, %b : tensor<5xf32>
  return %r : tensor<5xf32>
}

// CHECK-LABEL: @floor_mod_i32
// CHECK-NEXT: tensor<4xi32> [1, 1, -1, 0]{{$}}
func.func @floor_mod_i32() -> tensor<4xi32> {
  %a = mindir.constant dense<[7, -7, 7, 5]> : tensor<4xi32>
  %b = mindir.constant dense<[2, 2, -2, 0]> : tensor<4xi32>
  %r = mindir.floor_mod %a, %b : tensor<4xi32>
  return %r : tensor<4xi32>
}
