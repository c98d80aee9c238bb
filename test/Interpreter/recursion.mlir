// RUN: ms-run --reference %s --input='dense<6> : tensor<i32>' | FileCheck %s
// RUN: not ms-run --reference %s --input='dense<6000> : tensor<i32>' 2>&1 | FileCheck %s --check-prefix=DEPTH

// CHECK: tensor<i32> 720
// DEPTH: [[@LINE+9]]:10: error: RecursionError: more than 1000 nested calls, the last of 'factorial'
func.func private @factorial(%n: tensor<i32>) -> tensor<i32> {
  %one = mindir.constant dense<1> : tensor<i32>
  %is_last = mindir.compare le, %n, %one : tensor<i32>
  %condition = tensor.extract %is_last[] : tensor<i1>
  %result = scf.if %condition -> tensor<i32> {
    scf.yield %one : tensor<i32>
  } else {
    %less = mindir.sub %n, %one : tensor<i32>
    %f = func.call @factorial(%less) : (tensor<i32>) -> tensor<i32>
    %product = mindir.mul %n, %f : tensor<i32>
    scf.yield %product : tensor<i32>
  }
  return %result : tensor<i32>
}

func.func @main(%n: tensor<i32>) -> tensor<i32> {
  %f = func.call @factorial(%n) : (tensor<i32>) -> tensor<i32>
  return %f : tensor<i32>
}
