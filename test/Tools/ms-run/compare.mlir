// RUN: ms-run %s --input='dense<[1.0, 2.0]> : tensor<2xf32>' --input='dense<[3.0, 4.0]> : tensor<2xf32>' | FileCheck %s
// RUN: ms-run --compare %s --seed=3 | FileCheck %s --check-prefix=SAME

// CHECK: tensor<2xf32> [3, 8]
// CHECK-NEXT: tensor<2xf32> [4, 6]
// SAME-COUNT-2: tensor<2xf32>
func.func @main(%w: tensor<2xf32> {mindir.parameter}, %x: tensor<2xf32>)
    -> (tensor<2xf32>, tensor<2xf32> {mindir.updates = 0 : i64}) {
  %y = mindir.mul %w, %x : tensor<2xf32>
  %n = mindir.add %w, %x : tensor<2xf32>
  return %y, %n : tensor<2xf32>, tensor<2xf32>
}
