// RUN: ms-opt %s -mindir-cpu-pipeline=compile-to=memory | FileCheck %s
// RUN: ms-run --compare --dynamic-size=5 %s
// RUN: ms-run --compare --dynamic-size=0 %s

// Buffers of an unknown size are in the arena, whose size is computed at entry; those
// that are not alive together share a slot.
// CHECK-LABEL: func.func @main
// CHECK: %[[N:.*]] = memref.dim %arg0
// CHECK: %[[ARENA:.*]] = memref.alloc(%{{.*}}) : memref<?xi8>
// CHECK: memref.view %[[ARENA]]
// CHECK: memref.view %[[ARENA]]
// CHECK: memref.alloc({{.*}}) : memref<?x4xf32>
// CHECK-NOT: memref.alloc
// CHECK: memref.dealloc %[[ARENA]]
func.func @main(%x: tensor<?x4xf32>, %w: tensor<4x4xf32>) -> tensor<?x4xf32> {
  %a = mindir.matmul %x, %w : tensor<?x4xf32>, tensor<4x4xf32> -> tensor<?x4xf32>
  %b = mindir.matmul %a, %w : tensor<?x4xf32>, tensor<4x4xf32> -> tensor<?x4xf32>
  %c = mindir.matmul %b, %w : tensor<?x4xf32>, tensor<4x4xf32> -> tensor<?x4xf32>
  %d = mindir.matmul %c, %w : tensor<?x4xf32>, tensor<4x4xf32> -> tensor<?x4xf32>
  return %d : tensor<?x4xf32>
}
