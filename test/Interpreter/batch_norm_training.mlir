// RUN: ms-run --reference --every-function %s | FileCheck %s

// CHECK-LABEL: @rows
// CHECK-NEXT: tensor<3x2xf32> {{\[\[}}-1.2238274, 3.1483617], [0, 4.074181], [1.2238274, 7.777457]]{{$}}
// CHECK-NEXT: tensor<2xf32> [2, 3e+01]{{$}}
// CHECK-NEXT: tensor<2xf32> [0.6666667, 466.66666]{{$}}
func.func @rows() -> (tensor<3x2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %a = mindir.constant dense<[[1.0, 10.0], [2.0, 20.0], [3.0, 60.0]]> : tensor<3x2xf32>
  %b = mindir.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %c = mindir.constant dense<[0.0, 5.0]> : tensor<2xf32>
  %r0, %r1, %r2 = mindir.batch_norm_training %a, %b, %c axis = 1 epsilon = 1.0e-3 : tensor<3x2xf32>, tensor<2xf32>, tensor<2xf32> -> tensor<3x2xf32>, tensor<2xf32>, tensor<2xf32>
  return %r0, %r1, %r2 : tensor<3x2xf32>, tensor<2xf32>, tensor<2xf32>
}
