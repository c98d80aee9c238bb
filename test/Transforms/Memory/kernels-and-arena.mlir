// RUN: ms-opt %s -mindir-plan-arena -mindir-outline-kernels | FileCheck %s

// Buffers whose lifetimes do not meet share a place; equal kernels are one function.
// CHECK: func.func private @kernel_[[$HASH:[0-9a-f]+]](
// CHECK-NOT: func.func private @kernel_
// CHECK-LABEL: func.func @main
// CHECK: %[[ARENA:.*]] = memref.alloc() : memref<64xi8>
// CHECK: memref.view %[[ARENA]][%c0
// CHECK: mindir.launch @kernel_[[$HASH]]
// CHECK: memref.view %[[ARENA]][%c0
// CHECK: mindir.launch @kernel_[[$HASH]]
// CHECK: memref.dealloc %[[ARENA]]
func.func @main(%x: memref<4xf32>) {
  %one = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%one : f32) outs(%a : memref<4xf32>)
  linalg.map { arith.addf } ins(%x, %x : memref<4xf32>, memref<4xf32>) outs(%a : memref<4xf32>)
  memref.dealloc %a : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  linalg.fill ins(%one : f32) outs(%b : memref<4xf32>)
  linalg.map { arith.addf } ins(%x, %x : memref<4xf32>, memref<4xf32>) outs(%b : memref<4xf32>)
  memref.dealloc %b : memref<4xf32>
  return
}
