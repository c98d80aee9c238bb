// RUN: ms-opt %s -mindir-lower-kernels-to-loops -split-input-file | FileCheck %s

// A reduced contiguous dimension accumulates in four vectors, whose sum is taken at
// the end. Only that sum is reordered.
// CHECK-LABEL: func.func @rows
// CHECK: scf.for
// CHECK: scf.for {{.*}} iter_args({{.*}}) -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>)
// CHECK: arith.mulf {{.*}} fastmath<contract> : vector<16xf32>
// CHECK: arith.addf {{.*}} fastmath<contract> : vector<16xf32>
// CHECK: vector.reduction <add>, %{{.*}} fastmath<reassoc,contract>
// CHECK: memref.store
func.func @rows(%x: memref<4x128xf32>, %r: memref<4xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<4x128xf32>) outs(%r : memref<4xf32>) {
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
// CHECK: memref.alloca() {{.*}} : memref<32xf32>
// CHECK: vector.load
func.func @columns(%x: memref<4x32xf32>, %r: memref<32xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>], iterator_types = ["reduction", "parallel"]}
      ins(%x : memref<4x32xf32>) outs(%r : memref<32xf32>) {
  ^bb0(%a: f32, %s: f32):
    %t = arith.addf %s, %a : f32
    linalg.yield %t : f32
  }
  return
}

// -----

// Fewer columns than a vector has elements: loops of elements.
// CHECK-LABEL: func.func @few_columns
// CHECK-NOT: vector
// CHECK: memref.alloca() : memref<64xf32>
func.func @few_columns(%x: memref<4x8xf32>, %r: memref<8xf32>) {
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
// CHECK: arith.addf {{.*}} : vector<16xf32>
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

// -----

// A function that vectors have no polynomial for stays a loop of elements.
// CHECK-LABEL: func.func @sine
// CHECK-NOT: vector
// CHECK: math.sin %{{.*}} : f32
func.func @sine(%x: memref<64xf32>, %r: memref<64xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : memref<64xf32>) outs(%r : memref<64xf32>) {
  ^bb0(%a: f32, %s: f32):
    %t = math.sin %a : f32
    linalg.yield %t : f32
  }
  return
}

// -----

// A full sum is cut into a fixed number of parts; the calls of the threads fill a table
// that is added up in order, so that the result does not depend on their number. A
// tensor and both its sums are one kernel.
// CHECK-LABEL: func.func private @several.chunk
// CHECK-LABEL: func.func @several
// CHECK-DAG: %[[COLUMNS:.*]] = memref.alloca() {{.*}} : memref<32x64xf32>
// CHECK-DAG: %[[ALL:.*]] = memref.alloca() {{.*}} : memref<32x1xf32>
// CHECK: call @several.chunk
// CHECK: scf.for
// CHECK: memref.store
func.func @several(%x: memref<8192x64xf32>, %y: memref<8192x64xf32>, %r: memref<64xf32>, %s: memref<f32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> ()>], iterator_types = ["reduction", "reduction"]}
      ins(%x : memref<8192x64xf32>) outs(%y, %r, %s : memref<8192x64xf32>, memref<64xf32>, memref<f32>) {
  ^bb0(%a: f32, %old: f32, %column: f32, %all: f32):
    %e = math.exp %a : f32
    %t = arith.addf %column, %e : f32
    %u = arith.addf %all, %a : f32
    linalg.yield %e, %t, %u : f32, f32, f32
  }
  return
}

// -----

// A transpose writes strips of a cache line, so that both sides are walked through in
// whole lines.
// CHECK-LABEL: func.func private @transpose.chunk
// CHECK: %[[LO:.*]] = arith.muli %{{.*}}, %c16
// CHECK: scf.for %[[ROW:.*]] = %c0
// CHECK: scf.for %[[COLUMN:.*]] = %[[LO]]
// CHECK: memref.load %{{.*}}[%[[COLUMN]], %[[ROW]]]
// CHECK: memref.store %{{.*}}[%[[ROW]], %[[COLUMN]]]
func.func @transpose(%x: memref<512x512xf32>, %r: memref<512x512xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<512x512xf32>) outs(%r : memref<512x512xf32>) {
  ^bb0(%a: f32, %s: f32):
    linalg.yield %a : f32
  }
  return
}
