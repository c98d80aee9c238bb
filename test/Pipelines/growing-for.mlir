// A tensor that grows in a loop keeps its unknown size, though it starts with a known
// one. (Upstream's canonicalizer gives the loop the first size.)
// RUN: ms-opt %s --mindir-simplify-pipeline -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: ms-run --reference --entry=inlined %t.mlir | FileCheck %s --check-prefix=VALUE

// CHECK-LABEL: func.func @grown(
// CHECK: scf.for {{.*}} -> (tensor<?xf64>)
func.func @grown(%x: tensor<2xf64>, %n: index) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x0 = tensor.cast %x : tensor<2xf64> to tensor<?xf64>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x0) -> (tensor<?xf64>) {
    %b = mindir.concat %a, %a axis = 0 : tensor<?xf64>, tensor<?xf64> -> tensor<?xf64>
    scf.yield %b : tensor<?xf64>
  }
  return %r : tensor<?xf64>
}

// The same after inlining.
// VALUE: tensor<8xf64> [1, 2, 1, 2, 1, 2, 1, 2]
func.func @inlined() -> tensor<?xf64> {
  %x = mindir.constant dense<[1.0, 2.0]> : tensor<2xf64>
  %n = arith.constant 2 : index
  %0 = call @grown(%x, %n) : (tensor<2xf64>, index) -> tensor<?xf64>
  return %0 : tensor<?xf64>
}
