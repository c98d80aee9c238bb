// RUN: ms-opt %s -mindir-pack-parallel-calls | FileCheck %s

// CHECK: llvm.func internal @f.chunk.packed(%[[CONTEXT:.*]]: !llvm.ptr, %[[LO:.*]]: i64, %[[HI:.*]]: i64)
// CHECK: llvm.getelementptr %[[CONTEXT]]
// CHECK: llvm.call @f.chunk
llvm.func @f.chunk(%p: !llvm.ptr, %lo: i64, %hi: i64, %grain: i64) attributes {mindir.chunk} {
  llvm.return
}
// CHECK: llvm.func @f(
// CHECK: llvm.alloca
// CHECK: llvm.mlir.addressof @f.chunk.packed
// CHECK: llvm.call @mindrt_parallel_for
// CHECK-NOT: llvm.call @f.chunk(
llvm.func @f(%p: !llvm.ptr, %n: i64) {
  %zero = llvm.mlir.constant(0 : i64) : i64
  llvm.call @f.chunk(%p, %zero, %n, %n) : (!llvm.ptr, i64, i64, i64) -> ()
  llvm.return
}
