// RUN: ms-run --reference --every-function %s | FileCheck %s
// RUN: not ms-run --reference --entry=collatz --max-steps=20 %s 2>&1 | FileCheck %s --check-prefix=STEPS

// The loop carries a tensor that grows: 1, then 1 1, then 1 1 1.
// CHECK-LABEL: @grow
// CHECK-NEXT: tensor<3xf32> [1, 1, 1]
func.func @grow() -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %one = mindir.constant dense<1.0> : tensor<1xf32>
  %start = tensor.cast %one : tensor<1xf32> to tensor<?xf32>
  %end = scf.for %i = %c0 to %c2 step %c1 iter_args(%x = %start) -> tensor<?xf32> {
    %next = mindir.concat %x, %one axis = 0 : tensor<?xf32>, tensor<1xf32> -> tensor<?xf32>
    scf.yield %next : tensor<?xf32>
  }
  return %end : tensor<?xf32>
}

// Steps of the Collatz sequence from 6: 6 3 10 5 16 8 4 2 1.
// CHECK-LABEL: @collatz
// CHECK-NEXT: tensor<i64> 1
// CHECK-NEXT: tensor<i64> 8
// STEPS: error: RuntimeError: stopped after 20 ops; raise the step bound if the program does end
func.func @collatz() -> (tensor<i64>, tensor<i64>) {
  %one = mindir.constant dense<1> : tensor<i64>
  %two = mindir.constant dense<2> : tensor<i64>
  %three = mindir.constant dense<3> : tensor<i64>
  %zero = mindir.constant dense<0> : tensor<i64>
  %six = mindir.constant dense<6> : tensor<i64>
  %n, %steps = scf.while (%n = %six, %count = %zero) : (tensor<i64>, tensor<i64>) -> (tensor<i64>, tensor<i64>) {
    %goes_on = mindir.compare ne, %n, %one : tensor<i64>
    %condition = tensor.extract %goes_on[] : tensor<i1>
    scf.condition(%condition) %n, %count : tensor<i64>, tensor<i64>
  } do {
  ^bb0(%n: tensor<i64>, %count: tensor<i64>):
    %rest = mindir.floor_mod %n, %two : tensor<i64>
    %is_odd = mindir.compare eq, %rest, %one : tensor<i64>
    %condition = tensor.extract %is_odd[] : tensor<i1>
    %next = scf.if %condition -> tensor<i64> {
      %triple = mindir.mul %n, %three : tensor<i64>
      %more = mindir.add %triple, %one : tensor<i64>
      scf.yield %more : tensor<i64>
    } else {
      %half = mindir.floor_div %n, %two : tensor<i64>
      scf.yield %half : tensor<i64>
    }
    %counted = mindir.add %count, %one : tensor<i64>
    scf.yield %next, %counted : tensor<i64>, tensor<i64>
  }
  return %n, %steps : tensor<i64>, tensor<i64>
}

// CHECK-LABEL: @choose
// CHECK-NEXT: tensor<i32> 20
func.func @choose() -> tensor<i32> {
  %c1 = arith.constant 1 : index
  %result = scf.index_switch %c1 -> tensor<i32>
  case 0 {
    %a = mindir.constant dense<10> : tensor<i32>
    scf.yield %a : tensor<i32>
  }
  case 1 {
    %b = mindir.constant dense<20> : tensor<i32>
    scf.yield %b : tensor<i32>
  }
  default {
    %c = mindir.constant dense<30> : tensor<i32>
    scf.yield %c : tensor<i32>
  }
  return %result : tensor<i32>
}
