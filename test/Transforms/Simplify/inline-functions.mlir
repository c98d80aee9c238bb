// RUN: ms-opt %s --mindir-inline-functions="max-ops=1" | FileCheck %s
// RUN: ms-opt %s --mindir-inline-functions="max-ops=1 keep-dynamic=false" | FileCheck %s --check-prefix=STATIC
// RUN: ms-opt %s --mindir-inline-functions="max-ops=2" | FileCheck %s --check-prefix=LARGE

// A small function is copied; one of two ops that is called twice stays, one that is
// called once does not.
// CHECK-LABEL: func.func @main
// CHECK-SAME:  (%[[X:.*]]: tensor<4xf32>
// CHECK:       %[[A:.*]] = mindir.exp %[[X]]
// CHECK:       %[[B:.*]] = call @large(%[[A]])
// CHECK:       %[[C:.*]] = call @large(%[[B]])
// CHECK:       mindir.exp %[[C]]
// CHECK-NEXT:  mindir.neg
// CHECK:       call @open
// CHECK:       call @open
// CHECK-NOT:   func.func private @once
// STATIC-NOT:  call @open
// LARGE-NOT:   call @large
func.func @main(%x: tensor<4xf32>, %d: tensor<?xf32>) -> (tensor<4xf32>, tensor<?xf32>) {
  %0 = call @small(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = call @large(%0) : (tensor<4xf32>) -> tensor<4xf32>
  %2 = call @large(%1) : (tensor<4xf32>) -> tensor<4xf32>
  %3 = call @once(%2) : (tensor<4xf32>) -> tensor<4xf32>
  %4 = call @open(%d) : (tensor<?xf32>) -> tensor<?xf32>
  %5 = call @open(%4) : (tensor<?xf32>) -> tensor<?xf32>
  return %3, %5 : tensor<4xf32>, tensor<?xf32>
}

func.func private @small(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = mindir.exp %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

func.func private @large(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = mindir.tanh %x : tensor<4xf32>
  %1 = mindir.mul %0, %x : tensor<4xf32>
  return %1 : tensor<4xf32>
}

func.func private @once(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = mindir.exp %x : tensor<4xf32>
  %1 = mindir.neg %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}

func.func private @open(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = mindir.tanh %x : tensor<?xf32>
  %1 = mindir.mul %0, %0 : tensor<?xf32>
  return %1 : tensor<?xf32>
}
