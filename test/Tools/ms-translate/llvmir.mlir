// RUN: ms-translate --mlir-to-llvmir %s | FileCheck %s
// RUN: not ms-translate --no-such-format %s 2>&1 | FileCheck %s --check-prefix=FORMAT

// CHECK: define float @f(float %0)
// CHECK: fadd float %0, %0
// FORMAT: Unknown command line argument '--no-such-format'
llvm.func @f(%x: f32) -> f32 {
  %0 = llvm.fadd %x, %x : f32
  llvm.return %0 : f32
}
