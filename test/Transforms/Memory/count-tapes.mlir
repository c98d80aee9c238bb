// RUN: ms-opt %s -mindir-count-tapes | FileCheck %s

// The last use takes the reference over; an earlier one retains it first.
// CHECK-LABEL: func.func @two_uses
// CHECK: call @mindrt_tape_retain
// CHECK: mindir.tape_pop
// CHECK: call @mindrt_tape_release
// CHECK: mindir.tape_pop
// CHECK: call @mindrt_tape_release
func.func @two_uses(%t: !mindir.tape) -> (tensor<f32>, tensor<f32>) {
  %r, %a = mindir.tape_pop %t : tensor<f32>
  %s, %b = mindir.tape_pop %t : tensor<f32>
  return %a, %b : tensor<f32>, tensor<f32>
}

// CHECK-LABEL: func.func @one_use
// CHECK-NOT: mindrt_tape
// CHECK: return
func.func @one_use(%t: !mindir.tape, %x: tensor<f32>) -> !mindir.tape {
  %r = mindir.tape_push %t, %x : tensor<f32>
  return %r : !mindir.tape
}
