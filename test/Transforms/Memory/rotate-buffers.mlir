// RUN: ms-opt %s -split-input-file -mindir-cpu-pipeline=compile-to=memory | FileCheck %s
// RUN: ms-run --compare --input="dense<1.0> : tensor<16xf32>" --input="dense<2.0> : tensor<16xf32>" --input="dense<0> : tensor<i64>" --entry=fibonacci %s
// RUN: ms-run --compare --input="dense<1.0> : tensor<16xf32>" --input="dense<2.0> : tensor<16xf32>" --input="dense<1> : tensor<i64>" --entry=fibonacci %s
// RUN: ms-run --compare --input="dense<1.0> : tensor<16xf32>" --input="dense<2.0> : tensor<16xf32>" --input="dense<8> : tensor<i64>" --entry=fibonacci %s
// RUN: ms-run --compare --input="dense<1.0> : tensor<16xf32>" --input="dense<2.0> : tensor<16xf32>" --input="dense<7> : tensor<i64>" --entry=while %s
// RUN: ms-run --compare --input="dense<1.0> : tensor<16xf32>" --input="dense<2.0> : tensor<16xf32>" --input="dense<3> : tensor<i64>" --entry=swap %s

// Two values in turn need three buffers, and no copy.
// CHECK-LABEL: func.func @fibonacci
// CHECK: %[[RING:.*]] = memref.alloc() : memref<192xi8>
// CHECK: scf.for {{.*}} iter_args(%[[X:.*]] = %c0, %[[Y:.*]] = %c64, %[[SPARE:.*]] = %c128) -> (index, index, index)
// CHECK-NOT: {{memref.alloc|memref.copy|scf.if}}
// CHECK: mindir.launch @kernel
// CHECK: scf.yield %[[Y]], %[[SPARE]], %[[X]] : index, index, index
func.func @fibonacci(%x: tensor<16xf32>, %y: tensor<16xf32>, %n: tensor<i64>) -> (tensor<16xf32>, tensor<16xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %e = tensor.extract %n[] : tensor<i64>
  %k = arith.index_cast %e : i64 to index
  %r:2 = scf.for %i = %zero to %k step %one iter_args(%a = %x, %b = %y) -> (tensor<16xf32>, tensor<16xf32>) {
    %s = mindir.add %a, %b : tensor<16xf32>
    scf.yield %b, %s : tensor<16xf32>, tensor<16xf32>
  }
  return %r#0, %r#1 : tensor<16xf32>, tensor<16xf32>
}

// A while, whose condition reads one of the values; the counter rotates too.
// CHECK-LABEL: func.func @while
// CHECK: scf.while
// CHECK-NOT: {{memref.alloc|memref.copy|scf.if}}
// CHECK: scf.condition
// CHECK-NOT: {{memref.alloc|memref.copy|scf.if}}
// CHECK: scf.yield
func.func @while(%x: tensor<16xf32>, %y: tensor<16xf32>, %n: tensor<i64>) -> (tensor<16xf32>, tensor<16xf32>) {
  %zero = mindir.constant dense<0> : tensor<i64>
  %one = mindir.constant dense<1> : tensor<i64>
  %r:3 = scf.while (%i = %zero, %a = %x, %b = %y) : (tensor<i64>, tensor<16xf32>, tensor<16xf32>) -> (tensor<i64>, tensor<16xf32>, tensor<16xf32>) {
    %c = mindir.compare lt, %i, %n : tensor<i64>
    %cc = tensor.extract %c[] : tensor<i1>
    scf.condition(%cc) %i, %a, %b : tensor<i64>, tensor<16xf32>, tensor<16xf32>
  } do {
  ^bb0(%i: tensor<i64>, %a: tensor<16xf32>, %b: tensor<16xf32>):
    %s = mindir.add %a, %b : tensor<16xf32>
    %j = mindir.add %i, %one : tensor<i64>
    scf.yield %j, %b, %s : tensor<i64>, tensor<16xf32>, tensor<16xf32>
  }
  return %r#1, %r#2 : tensor<16xf32>, tensor<16xf32>
}

// A swap needs no spare buffer.
// CHECK-LABEL: func.func @swap
// CHECK: memref.alloc() : memref<128xi8>
// CHECK: scf.for
// CHECK-NOT: {{memref.alloc|memref.copy}}
// CHECK: scf.yield
func.func @swap(%x: tensor<16xf32>, %y: tensor<16xf32>, %t: tensor<i64>) -> tensor<16xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %e = tensor.extract %t[] : tensor<i64>
  %n = arith.index_cast %e : i64 to index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%a = %x, %b = %y) -> (tensor<16xf32>, tensor<16xf32>) {
    scf.yield %b, %a : tensor<16xf32>, tensor<16xf32>
  }
  %s = mindir.sub %r#0, %r#1 : tensor<16xf32>
  return %s : tensor<16xf32>
}
