// RUN: ms-opt %s --mindir-check-interrupts | FileCheck %s

// CHECK: func.func private @mindrt_check_interrupt() -> i32
// CHECK-LABEL: func.func @count
// CHECK:       scf.while
// CHECK:         %[[C:.*]] = arith.cmpi slt
// CHECK:         %[[CODE:.*]] = func.call @mindrt_check_interrupt()
// CHECK:         %[[GO:.*]] = arith.cmpi eq, %[[CODE]], %{{.*}} : i32
// CHECK:         %[[BOTH:.*]] = arith.andi %[[C]], %[[GO]] : i1
// CHECK:         scf.condition(%[[BOTH]])
func.func @count(%n: index) -> index {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %last = scf.while (%i = %zero) : (index) -> index {
    %c = arith.cmpi slt, %i, %n : index
    scf.condition(%c) %i : index
  } do {
  ^bb0(%i: index):
    %next = arith.addi %i, %one : index
    scf.yield %next : index
  }
  return %last : index
}

// A loop of a known number of iterations ends by itself.
// CHECK-LABEL: func.func @known
// CHECK-NOT:   call
func.func @known(%n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.for %i = %zero to %n step %one {
  }
  return
}
