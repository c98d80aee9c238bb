// RUN: ms-opt %s -mindir-cpu-pipeline | FileCheck %s
// RUN: ms-opt %s -mindir-cpu-pipeline=compile-to=linalg \
// RUN:   | ms-opt -mindir-cpu-pipeline=compile-from=linalg | FileCheck %s
// RUN: not ms-opt %s -mindir-cpu-pipeline=compile-to=nowhere 2>&1 | FileCheck %s --check-prefix=BAD

// CHECK-LABEL: llvm.func @main
// CHECK-SAME: mindir.arguments
// CHECK: llvm.func @_mlir_ciface_main
// BAD: expected a phase
// BAD-SAME: found 'nowhere'
func.func @main(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) -> tensor<2x4xf32> {
  %0 = mindir.matmul %a, %b : tensor<2x3xf32>, tensor<3x4xf32> -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}
