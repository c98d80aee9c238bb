// RUN: ms-reduce %s --test=%S/Inputs/has-tanh.sh | FileCheck %s --implicit-check-not=mindir.exp --implicit-check-not=@unused --implicit-check-not=scf.if
// RUN: not ms-reduce %s --test=%S/Inputs/never.sh 2>&1 | FileCheck %s --check-prefix=NEVER
// RUN: not ms-reduce %s --test=%S/no-such-script 2>&1 | FileCheck %s --check-prefix=MISSING

// What remains is what the script looks for, and what the types need.
// CHECK: func.func @main
// CHECK-NEXT: %[[T:.*]] = mindir.tanh %arg0
// CHECK-NEXT: return %[[T]]
// CHECK-NEXT: }

// NEVER: error: expected a module that the script finds interesting
// MISSING: error: cannot run '{{.*}}no-such-script'
func.func private @unused(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = mindir.exp %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

func.func @main(%x: tensor<4xf32>, %c: tensor<i1>) -> tensor<4xf32> {
  %0 = mindir.exp %x : tensor<4xf32>
  %condition = tensor.extract %c[] : tensor<i1>
  %1 = scf.if %condition -> tensor<4xf32> {
    %2 = mindir.add %0, %0 : tensor<4xf32>
    scf.yield %2 : tensor<4xf32>
  } else {
    scf.yield %0 : tensor<4xf32>
  }
  %3 = mindir.tanh %1 : tensor<4xf32>
  %4 = mindir.mul %3, %3 : tensor<4xf32>
  return %4 : tensor<4xf32>
}
