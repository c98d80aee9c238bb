// RUN: ms-run --reference --every-function %s | FileCheck %s

// CHECK-LABEL: @sign_f32
// CHECK-NEXT: tensor<5xf32> [-1, 1, 0, -1, nan]{{$}}
func.func @sign_f32() -> tensor<5xf32> {
  %a = mindir.constant dense<[-1.5, 2.0, 0.0, 0xFF800000, 0x7FC00000]> : tensor<5xf32>
  %r = mindir.sign %a : tensor<5xf32>
  return %r : tensor<5xf32>
}

// CHECK-LABEL: @sign_i32
// CHECK-NEXT: tensor<3xi32> [-1, 0, 1]{{$}}
func.func @sign_i32() -> tensor<3xi32> {
  %a = mindir.constant dense<[-7, 0, 9]> : tensor<3xi32>
  %r = mindir.sign %a : tensor<3xi32>
  return %r : tensor<3xi32>
}
