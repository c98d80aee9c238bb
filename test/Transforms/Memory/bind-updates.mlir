// RUN: ms-opt %s -mindir-cpu-pipeline=compile-to=memory | FileCheck %s

// A donated argument is updated in its buffer, an argument that is not is left
// alone, and a token is not returned.
// CHECK-LABEL: func.func @main
// CHECK-SAME: -> memref<4xf32> attributes
// CHECK-SAME: mindir.results = [{type = tensor<4xf32>, updates = 0 : i64}, {position = 0 : i64, type = tensor<4xf32>, updates = 1 : i64}, {}]
func.func @main(%w: tensor<4xf32> {mindir.donated}, %v: tensor<4xf32>)
    -> (tensor<4xf32> {mindir.updates = 0 : i64}, tensor<4xf32> {mindir.updates = 1 : i64}, !mindir.token) {
  %0 = mindir.add %w, %v : tensor<4xf32>
  %1 = mindir.mul %w, %v : tensor<4xf32>
  %token = mindir.token
  return %0, %1, %token : tensor<4xf32>, tensor<4xf32>, !mindir.token
}

// Values that change places move out before either buffer is overwritten.
// CHECK-LABEL: func.func @swap
// CHECK-SAME: (%[[A:.*]]: memref<4xf32>, %[[B:.*]]: memref<4xf32>)
// CHECK-DAG: memref.copy %[[A]], %[[NEWB:.*]] :
// CHECK-DAG: memref.copy %[[B]], %[[NEWA:.*]] :
// CHECK: memref.copy %[[NEWA]], %[[A]]
// CHECK: memref.copy %[[NEWB]], %[[B]]
func.func @swap(%a: tensor<4xf32> {mindir.donated}, %b: tensor<4xf32> {mindir.donated})
    -> (tensor<4xf32> {mindir.updates = 0 : i64}, tensor<4xf32> {mindir.updates = 1 : i64}) {
  return %b, %a : tensor<4xf32>, tensor<4xf32>
}
