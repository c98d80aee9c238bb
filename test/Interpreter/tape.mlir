// RUN: ms-run --reference --every-function %s | FileCheck %s

// A tape is a value: the tape before the second push keeps its one entry.
// CHECK-LABEL: @persistent
// CHECK-NEXT: tensor<2xf32> [2, 2]
// CHECK-NEXT: tensor<i32> 1
// CHECK-NEXT: tensor<i32> 1
func.func @persistent() -> (tensor<2xf32>, tensor<i32>, tensor<i32>) {
  %a = mindir.constant dense<1> : tensor<i32>
  %b = mindir.constant dense<2.0> : tensor<2xf32>
  %t0 = mindir.tape_empty
  %t1 = mindir.tape_push %t0, %a : tensor<i32>
  %t2 = mindir.tape_push %t1, %b : tensor<2xf32>
  %rest, %last = mindir.tape_pop %t2 : tensor<2xf32>
  %none, %first = mindir.tape_pop %rest : tensor<i32>
  %none2, %same = mindir.tape_pop %t1 : tensor<i32>
  return %last, %first, %same : tensor<2xf32>, tensor<i32>, tensor<i32>
}

// Ten thousand entries are pushed by one loop, then popped and summed by another.
// CHECK-LABEL: @long
// CHECK-NEXT: tensor<i64> 49995000
func.func @long() -> tensor<i64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 10000 : index
  %zero = mindir.constant dense<0> : tensor<i64>
  %empty = mindir.tape_empty
  %full = scf.for %i = %c0 to %n step %c1 iter_args(%t = %empty) -> !mindir.tape {
    %cast = arith.index_cast %i : index to i64
    %x = tensor.from_elements %cast : tensor<i64>
    %next = mindir.tape_push %t, %x : tensor<i64>
    scf.yield %next : !mindir.tape
  }
  %t, %sum = scf.for %i = %c0 to %n step %c1 iter_args(%t = %full, %s = %zero) -> (!mindir.tape, tensor<i64>) {
    %rest, %x = mindir.tape_pop %t : tensor<i64>
    %more = mindir.add %s, %x : tensor<i64>
    scf.yield %rest, %more : !mindir.tape, tensor<i64>
  }
  return %sum : tensor<i64>
}
