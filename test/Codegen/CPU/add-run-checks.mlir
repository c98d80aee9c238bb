// RUN: ms-opt %s --mindir-add-run-checks | FileCheck %s

// CHECK-LABEL: func.func @count
// CHECK:       scf.while
// CHECK-NEXT:    func.call @mindrt_poll()
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

// Of nested loops those that hold another are long.
// CHECK-LABEL: func.func @nested
// CHECK:       scf.for
// CHECK-NEXT:    func.call @mindrt_poll()
// CHECK-NEXT:    scf.for
// CHECK-NOT:     mindrt_poll
// CHECK:       return
func.func @nested(%n: index, %buffer: memref<?xindex>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.for %i = %zero to %n step %one {
    scf.for %j = %zero to %n step %one {
      memref.store %i, %buffer[%j] : memref<?xindex>
    }
  }
  return
}

// CHECK-LABEL: func.func @even
// CHECK-NEXT:    call @mindrt_check_stack()
func.func @even(%n: i1) {
  scf.if %n {
    func.call @odd(%n) : (i1) -> ()
  }
  return
}

// CHECK-LABEL: func.func @odd
// CHECK-NEXT:    call @mindrt_check_stack()
func.func @odd(%n: i1) {
  call @even(%n) : (i1) -> ()
  return
}

// CHECK-LABEL: func.func @allocate
// CHECK-NOT:     mindrt_check_stack
// CHECK:         %[[KNOWN:.*]] = arith.constant 1.200000e+01 : f64
// CHECK:         %[[BYTES:.*]] = arith.mulf %[[KNOWN]], %{{.*}} : f64
// CHECK:         call @mindrt_check_bytes(%[[BYTES]])
// CHECK:         memref.alloc(
// CHECK-NOT:     mindrt_check_bytes
// CHECK:         memref.alloc()
func.func @allocate(%n: index) -> (memref<?x3xf32>, memref<4xf32>) {
  %a = memref.alloc(%n) : memref<?x3xf32>
  %b = memref.alloc() : memref<4xf32>
  return %a, %b : memref<?x3xf32>, memref<4xf32>
}
