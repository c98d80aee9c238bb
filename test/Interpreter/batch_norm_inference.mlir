// RUN: ms-run --reference --every-function %s | FileCheck %s

// CHECK-LABEL: @rows
// CHECK-NEXT: tensor<3x2xf32> {{\[\[}}-1, 3.0006247], [0, 4.0003123], [1, 7.999063]]{{$}}
func.func @rows() -> tensor<3x2xf32> {
  %a = mindir.constant dense<[[1.0, 10.0], [2.0, 20.0], [3.0, 60.0]]> : tensor<3x2xf32>
  %b = mindir.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %c = mindir.constant dense<[0.0, 5.0]> : tensor<2xf32>
  %d = mindir.constant dense<[2.0, 30.0]> : tensor<2xf32>
  %e = mindir.constant dense<[0.75, 400.0]> : tensor<2xf32>
  %r = mindir.batch_norm_inference %a, %b, %c, %d, %e axis = 1 epsilon = 0.25 : tensor<3x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32> -> tensor<3x2xf32>
  return %r : tensor<3x2xf32>
}
