// RUN: ms-run --reference %s | FileCheck %s

// CHECK: x = [1, 0.5], done: true
// CHECK-NEXT: plain
// CHECK-NEXT: token
func.func @main() -> !mindir.token {
  %x = mindir.constant dense<[1.0, 0.5]> : tensor<2xf32>
  %done = mindir.constant dense<true> : tensor<i1>
  %t0 = mindir.token
  %t1 = mindir.print %t0, "x = {}, done: {}" (%x, %done : tensor<2xf32>, tensor<i1>)
  %t2 = mindir.print %t1, "plain"
  return %t2 : !mindir.token
}
