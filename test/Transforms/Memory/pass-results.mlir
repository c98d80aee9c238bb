// RUN: ms-opt %s --mindir-pass-results | FileCheck %s

// CHECK-LABEL: func.func private @block
// CHECK-SAME:  (%[[X:.*]]: memref<8xf32>, %[[OUT:.*]]: memref<8xf32>) {
// CHECK:       linalg.exp ins(%[[X]] : memref<8xf32>) outs(%[[OUT]] : memref<8xf32>)
// CHECK-NEXT:  return
func.func private @block(%x: memref<8xf32>) -> memref<8xf32> {
  %r = memref.alloc() : memref<8xf32>
  linalg.exp ins(%x : memref<8xf32>) outs(%r : memref<8xf32>)
  return %r : memref<8xf32>
}

// A size that is known only inside stays the function's to allocate.
// CHECK-LABEL: func.func private @open
// CHECK-SAME:  -> memref<?xf32>
func.func private @open(%x: memref<?xf32>) -> memref<?xf32> {
  return %x : memref<?xf32>
}

// What an entry returns is the caller's.
// CHECK-LABEL: func.func @main
// CHECK-SAME:  -> memref<8xf32>
// CHECK:       %[[A:.*]] = memref.alloc() : memref<8xf32>
// CHECK:       call @block(%{{.*}}, %[[A]]) : (memref<8xf32>, memref<8xf32>) -> ()
// CHECK:       return %[[A]]
func.func @main(%x: memref<8xf32>) -> memref<8xf32> {
  %0 = call @block(%x) : (memref<8xf32>) -> memref<8xf32>
  return %0 : memref<8xf32>
}
