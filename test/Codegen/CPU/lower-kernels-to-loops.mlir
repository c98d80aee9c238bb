// RUN: ms-opt %s -mindir-lower-kernels-to-loops -split-input-file | FileCheck %s

// A reduced contiguous dimension accumulates in a loop value; only its sum may be
// reordered.
// CHECK-LABEL: func.func @rows
// CHECK: scf.for
// CHECK: %[[INIT:.*]] = memref.load
// CHECK: scf.for {{.*}} iter_args({{.*}} = %[[INIT]]) -> (f32)
// CHECK: arith.mulf {{.*}} fastmath<contract>
// CHECK: arith.addf {{.*}} fastmath<reassoc,contract>
// CHECK: memref.store
func.func @rows(%x: memref<4x8xf32>, %r: memref<4xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<4x8xf32>) outs(%r : memref<4xf32>) {
  ^bb0(%a: f32, %s: f32):
    %p = arith.mulf %a, %a : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  }
  return
}

// -----

// A contiguous dimension that stays is the innermost loop; its accumulators are a
// strip on the stack.
// CHECK-LABEL: func.func @columns
// CHECK: memref.alloca() : memref<64xf32>
func.func @columns(%x: memref<4x8xf32>, %r: memref<8xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>], iterator_types = ["reduction", "parallel"]}
      ins(%x : memref<4x8xf32>) outs(%r : memref<8xf32>) {
  ^bb0(%a: f32, %s: f32):
    %t = arith.addf %s, %a : f32
    linalg.yield %t : f32
  }
  return
}

// -----

// Much work is a function that runs any part of the iterations; dimensions that all
// operands walk through in order are one.
// CHECK-LABEL: func.func private @large.chunk
// CHECK-SAME: attributes {mindir.chunk}
// CHECK-COUNT-1: scf.for
// CHECK-NOT: scf.for
// CHECK-LABEL: func.func @large
// CHECK: memref.collapse_shape
// CHECK: call @large.chunk
func.func @large(%x: memref<512x512xf32>, %r: memref<512x512xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<512x512xf32>) outs(%r : memref<512x512xf32>) {
  ^bb0(%a: f32, %s: f32):
    %t = arith.addf %a, %a : f32
    linalg.yield %t : f32
  }
  return
}
