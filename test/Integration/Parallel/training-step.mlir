// A two-layer perceptron is trained until its loss is small, the batch split over
// axis 0 of the grid and the hidden layer over axis 1. Forward, backward and update
// run in one scf.while whose condition depends on the loss.
//
// RUN: ms-opt %s -mindir-parallel-pipeline -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: rm -rf %t && mkdir %t
// RUN: ms-run --reference %s --seed=3 --output-directory=%t/whole
// RUN: ms-run --reference %t.mlir --grid=@grid --seed=3 --output-directory=%t/grid
// RUN: %python %S/Inputs/compare.py %t/whole %t/grid 4 | FileCheck %s --check-prefix=RESULT
//
// What one device computes lies on one side of the collectives that are needed:
// the loss and both weights' gradients are summed over the batch, the second product
// over the hidden layer. Nothing else communicates.
//
// CHECK-LABEL: func private @forward
// CHECK-SAME: tensor<4x6xf32>
// CHECK-SAME: tensor<6x4xf32>
// CHECK-SAME: tensor<4x2xf32>
// CHECK-NEXT: mindir.matmul
// CHECK-NEXT: mindir.tanh
// CHECK-NEXT: mindir.matmul
// CHECK-NEXT: mindir.all_reduce sum, {{.*}} on @grid axes = [1] : tensor<4x2xf32>
// CHECK-NEXT: return
// CHECK-LABEL: func @main
// CHECK: scf.while
// CHECK: scf.condition
// CHECK: call @forward
// CHECK: mindir.all_reduce sum, {{.*}} on @grid axes = [0] : tensor<f32>
// CHECK-NOT: mindir.all_
// CHECK: mindir.all_reduce sum, {{.*}} on @grid axes = [0] : tensor<4x2xf32>
// CHECK-NOT: mindir.all_
// CHECK: mindir.all_reduce sum, {{.*}} on @grid axes = [0] : tensor<6x4xf32>
// CHECK-NOT: mindir.all_
// CHECK: return
//
// The loop runs more than once and ends by its loss.
// RESULT: {{[1-9][0-9]*}} steps, loss 0.{{[0-9]+}}
// RESULT: equal

shard.grid @grid(shape = 2x2)

func.func private @forward(%x: tensor<8x6xf32>, %w1: tensor<6x8xf32>, %w2: tensor<8x2xf32>)
    -> (tensor<8x8xf32>, tensor<8x2xf32>) {
  %h = mindir.matmul %x, %w1 : tensor<8x6xf32>, tensor<6x8xf32> -> tensor<8x8xf32>
  %a = mindir.tanh %h : tensor<8x8xf32>
  %y = mindir.matmul %a, %w2 : tensor<8x8xf32>, tensor<8x2xf32> -> tensor<8x2xf32>
  return %a, %y : tensor<8x8xf32>, tensor<8x2xf32>
}

func.func @main(%x: tensor<8x6xf32> {mindir.sharding = #mindir.sharding<@grid, [[0]]>},
                %target: tensor<8x2xf32>,
                %w1_0: tensor<6x8xf32> {mindir.sharding = #mindir.sharding<@grid, [[], [1]]>},
                %w2_0: tensor<8x2xf32> {mindir.sharding = #mindir.sharding<@grid, [[1]]>})
    -> (tensor<6x8xf32>, tensor<8x2xf32>, tensor<f32>, tensor<i64>) {
  %far = mindir.constant dense<1.0e9> : tensor<f32>
  %zero = mindir.constant dense<0> : tensor<i64>
  %one = mindir.constant dense<1> : tensor<i64>
  %bound = mindir.constant dense<0.05> : tensor<f32>
  %mean = mindir.constant dense<0.0625> : tensor<f32>
  %slope = mindir.constant dense<0.125> : tensor<8x2xf32>
  %ones = mindir.constant dense<1.0> : tensor<8x8xf32>
  %rate1 = mindir.constant dense<0.5> : tensor<6x8xf32>
  %rate2 = mindir.constant dense<0.5> : tensor<8x2xf32>
  %w1, %w2, %loss, %steps = scf.while (%w1 = %w1_0, %w2 = %w2_0, %loss = %far, %n = %zero)
      : (tensor<6x8xf32>, tensor<8x2xf32>, tensor<f32>, tensor<i64>)
      -> (tensor<6x8xf32>, tensor<8x2xf32>, tensor<f32>, tensor<i64>) {
    %is_large = mindir.compare gt, %loss, %bound : tensor<f32>
    %goes_on = tensor.extract %is_large[] : tensor<i1>
    scf.condition(%goes_on) %w1, %w2, %loss, %n : tensor<6x8xf32>, tensor<8x2xf32>, tensor<f32>, tensor<i64>
  } do {
  ^bb0(%w1: tensor<6x8xf32>, %w2: tensor<8x2xf32>, %last: tensor<f32>, %n: tensor<i64>):
    %a, %y = func.call @forward(%x, %w1, %w2)
      : (tensor<8x6xf32>, tensor<6x8xf32>, tensor<8x2xf32>) -> (tensor<8x8xf32>, tensor<8x2xf32>)
    %error = mindir.sub %y, %target : tensor<8x2xf32>
    %square = mindir.mul %error, %error : tensor<8x2xf32>
    %sum = mindir.reduce_sum %square axes = [0, 1] : tensor<8x2xf32> -> tensor<f32>
    %loss = mindir.mul %sum, %mean : tensor<f32>
    // The backward pass.
    %dy = mindir.mul %error, %slope : tensor<8x2xf32>
    %dw2 = mindir.matmul %a, %dy {transpose_lhs} : tensor<8x8xf32>, tensor<8x2xf32> -> tensor<8x2xf32>
    %da = mindir.matmul %dy, %w2 {transpose_rhs} : tensor<8x2xf32>, tensor<8x2xf32> -> tensor<8x8xf32>
    %aa = mindir.mul %a, %a : tensor<8x8xf32>
    %tangent = mindir.sub %ones, %aa : tensor<8x8xf32>
    %dh = mindir.mul %da, %tangent : tensor<8x8xf32>
    %dw1 = mindir.matmul %x, %dh {transpose_lhs} : tensor<8x6xf32>, tensor<8x8xf32> -> tensor<6x8xf32>
    // The update.
    %step2 = mindir.mul %dw2, %rate2 : tensor<8x2xf32>
    %next2 = mindir.sub %w2, %step2 : tensor<8x2xf32>
    %step1 = mindir.mul %dw1, %rate1 : tensor<6x8xf32>
    %next1 = mindir.sub %w1, %step1 : tensor<6x8xf32>
    %next = mindir.add %n, %one : tensor<i64>
    scf.yield %next1, %next2, %loss, %next : tensor<6x8xf32>, tensor<8x2xf32>, tensor<f32>, tensor<i64>
  }
  return %w1, %w2, %loss, %steps : tensor<6x8xf32>, tensor<8x2xf32>, tensor<f32>, tensor<i64>
}
