// What each op computes, compiled against the reference interpreter on random inputs:
// dynamic sizes, zero sizes, half floats, both layouts, loops.
// RUN: ms-run --compare --every-function --dynamic-size=3 --tolerance=1e-3 %s
// RUN: ms-run --compare --every-function --dynamic-size=0 --tolerance=1e-3 %s

func.func @slice_at_end() -> tensor<0x3xf32> {
  %a = mindir.constant dense<1.0> : tensor<2x3xf32>
  %r = mindir.slice %a starts = [2, 0] limits = [2, 3] strides = [1, 1] : tensor<2x3xf32> -> tensor<0x3xf32>
  return %r : tensor<0x3xf32>
}
func.func @concat() -> tensor<2xf32> {
  %a = mindir.constant dense<1.0> : tensor<2xf32>
  %b = mindir.constant dense<> : tensor<0xf32>
  %r = mindir.concat %a, %b, %b axis = 0 : tensor<2xf32>, tensor<0xf32>, tensor<0xf32> -> tensor<2xf32>
  return %r : tensor<2xf32>
}
func.func @dslice() -> tensor<0xf32> {
  %a = mindir.constant dense<1.0> : tensor<2xf32>
  %i = mindir.constant dense<2> : tensor<i64>
  %r = mindir.dynamic_slice %a[%i] : tensor<2xf32> -> tensor<0xf32>
  return %r : tensor<0xf32>
}
func.func @dupdate() -> tensor<2xf32> {
  %a = mindir.constant dense<1.0> : tensor<2xf32>
  %b = mindir.constant dense<> : tensor<0xf32>
  %i = mindir.constant dense<2> : tensor<i64>
  %r = mindir.dynamic_update_slice %a, %b[%i] : tensor<2xf32>, tensor<0xf32>
  return %r : tensor<2xf32>
}
func.func @matmul() -> (tensor<2x2xf32>, tensor<0x2xf32>) {
  %a = mindir.constant dense<> : tensor<2x0xf32>
  %b = mindir.constant dense<> : tensor<0x2xf32>
  %r = mindir.matmul %a, %b : tensor<2x0xf32>, tensor<0x2xf32> -> tensor<2x2xf32>
  %s = mindir.matmul %b, %r : tensor<0x2xf32>, tensor<2x2xf32> -> tensor<0x2xf32>
  return %r, %s : tensor<2x2xf32>, tensor<0x2xf32>
}
func.func @gather() -> tensor<0x3xf32> {
  %a = mindir.constant dense<1.0> : tensor<2x3xf32>
  %i = mindir.constant dense<> : tensor<0xi64>
  %r = mindir.gather %a, %i axis = 0 : tensor<2x3xf32>, tensor<0xi64> -> tensor<0x3xf32>
  return %r : tensor<0x3xf32>
}
func.func @bf16(%x: tensor<7xbf16>, %y: tensor<7xbf16>) -> (tensor<7xbf16>, tensor<bf16>, tensor<7xf16>, tensor<7xi32>) {
  %r = mindir.mul %x, %y : tensor<7xbf16>
  %e = mindir.exp %r : tensor<7xbf16>
  %s = mindir.reduce_sum %e axes = [0] : tensor<7xbf16> -> tensor<bf16>
  %h = mindir.cast %e : tensor<7xbf16> -> tensor<7xf16>
  %i = mindir.cast %e : tensor<7xbf16> -> tensor<7xi32>
  return %e, %s, %h, %i : tensor<7xbf16>, tensor<bf16>, tensor<7xf16>, tensor<7xi32>
}
func.func @conv(%x: tensor<0x2x4x4xf32>, %w: tensor<3x2x3x3xf32>) -> (tensor<0x3x4x4xf32>, tensor<0x2x4x4xf32>, tensor<3x2x3x3xf32>, tensor<0x2x4x4xf32>) {
  %r = mindir.conv2d %x, %w {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>} : tensor<0x2x4x4xf32>, tensor<3x2x3x3xf32> -> tensor<0x3x4x4xf32>
  %g = mindir.conv2d_input_grad %r, %w {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>} : tensor<0x3x4x4xf32>, tensor<3x2x3x3xf32> -> tensor<0x2x4x4xf32>
  %h = mindir.conv2d_weight_grad %x, %r {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>} : tensor<0x2x4x4xf32>, tensor<0x3x4x4xf32> -> tensor<3x2x3x3xf32>
  %p, %i = mindir.max_pool2d %x {window = array<i64: 3, 3>, strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>} : tensor<0x2x4x4xf32> -> tensor<0x2x4x4xf32>, tensor<0x2x4x4xi64>
  return %r, %g, %h, %p : tensor<0x3x4x4xf32>, tensor<0x2x4x4xf32>, tensor<3x2x3x3xf32>, tensor<0x2x4x4xf32>
}
func.func @softmax(%x: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?xf32>) {
  %r = mindir.softmax %x axis = 1 : tensor<?x?xf32>
  %s = mindir.reduce_max %r axes = [0] : tensor<?x?xf32> -> tensor<?xf32>
  return %r, %s : tensor<?x?xf32>, tensor<?xf32>
}
func.func @bn(%x: tensor<?x4x?x3xf16>, %s: tensor<4xf16>, %o: tensor<4xf16>) -> (tensor<?x4x?x3xf16>, tensor<4xf16>) {
  %r, %m, %v = mindir.batch_norm_training %x, %s, %o axis = 1 epsilon = 1.0e-3 : tensor<?x4x?x3xf16>, tensor<4xf16>, tensor<4xf16> -> tensor<?x4x?x3xf16>, tensor<4xf16>, tensor<4xf16>
  return %r, %v : tensor<?x4x?x3xf16>, tensor<4xf16>
}
func.func @convolutions(%x: tensor<2x7x6x4xf32>, %w: tensor<6x2x3x2xf32>, %d: tensor<2x3x6x6xf32>) -> (tensor<2x3x6x6xf32>, tensor<2x7x6x4xf32>, tensor<6x2x3x2xf32>) {
  %r = mindir.conv2d %x, %w {strides = array<i64: 2, 1>, padding = array<i64: 0, 1, 2, 0>, dilations = array<i64: 1, 2>, groups = 2 : i64, layout = #mindir<layout nhwc>} : tensor<2x7x6x4xf32>, tensor<6x2x3x2xf32> -> tensor<2x3x6x6xf32>
  %g = mindir.conv2d_input_grad %d, %w {strides = array<i64: 2, 1>, padding = array<i64: 0, 1, 2, 0>, dilations = array<i64: 1, 2>, groups = 2 : i64, layout = #mindir<layout nhwc>} : tensor<2x3x6x6xf32>, tensor<6x2x3x2xf32> -> tensor<2x7x6x4xf32>
  %h = mindir.conv2d_weight_grad %x, %d {strides = array<i64: 2, 1>, padding = array<i64: 0, 1, 2, 0>, dilations = array<i64: 1, 2>, groups = 2 : i64, layout = #mindir<layout nhwc>} : tensor<2x7x6x4xf32>, tensor<2x3x6x6xf32> -> tensor<6x2x3x2xf32>
  return %r, %g, %h : tensor<2x3x6x6xf32>, tensor<2x7x6x4xf32>, tensor<6x2x3x2xf32>
}
// f64 has no library: the loops run.
func.func @convolution_loops(%x: tensor<2x4x7x6xf64>, %w: tensor<6x2x3x2xf64>, %d: tensor<2x6x3x6xf64>) -> (tensor<2x6x3x6xf64>, tensor<2x4x7x6xf64>, tensor<6x2x3x2xf64>) {
  %r = mindir.conv2d %x, %w {strides = array<i64: 2, 1>, padding = array<i64: 0, 1, 2, 0>, dilations = array<i64: 1, 2>, groups = 2 : i64} : tensor<2x4x7x6xf64>, tensor<6x2x3x2xf64> -> tensor<2x6x3x6xf64>
  %g = mindir.conv2d_input_grad %d, %w {strides = array<i64: 2, 1>, padding = array<i64: 0, 1, 2, 0>, dilations = array<i64: 1, 2>, groups = 2 : i64} : tensor<2x6x3x6xf64>, tensor<6x2x3x2xf64> -> tensor<2x4x7x6xf64>
  %h = mindir.conv2d_weight_grad %x, %d {strides = array<i64: 2, 1>, padding = array<i64: 0, 1, 2, 0>, dilations = array<i64: 1, 2>, groups = 2 : i64} : tensor<2x4x7x6xf64>, tensor<2x6x3x6xf64> -> tensor<6x2x3x2xf64>
  return %r, %g, %h : tensor<2x6x3x6xf64>, tensor<2x4x7x6xf64>, tensor<6x2x3x2xf64>
}
func.func @pooling(%x: tensor<2x4x7x6xf32>, %d: tensor<2x4x4x3xf32>) -> (tensor<2x4x4x3xf32>, tensor<2x4x4x3xi64>, tensor<2x4x7x6xf32>, tensor<2x4x4x3xf32>, tensor<2x4x7x6xf32>) {
  %m, %i = mindir.max_pool2d %x {window = array<i64: 3, 2>, strides = array<i64: 2, 2>, padding = array<i64: 1, 1, 0, 1>} : tensor<2x4x7x6xf32> -> tensor<2x4x4x3xf32>, tensor<2x4x4x3xi64>
  %s = mindir.pool_scatter %d, %i : tensor<2x4x4x3xf32>, tensor<2x4x4x3xi64> -> tensor<2x4x7x6xf32>
  %a = mindir.avg_pool2d %x {window = array<i64: 3, 2>, strides = array<i64: 2, 2>, padding = array<i64: 1, 1, 0, 1>} : tensor<2x4x7x6xf32> -> tensor<2x4x4x3xf32>
  %g = mindir.avg_pool2d_grad %d {window = array<i64: 3, 2>, strides = array<i64: 2, 2>, padding = array<i64: 1, 1, 0, 1>} : tensor<2x4x4x3xf32> -> tensor<2x4x7x6xf32>
  return %m, %i, %s, %a, %g : tensor<2x4x4x3xf32>, tensor<2x4x4x3xi64>, tensor<2x4x7x6xf32>, tensor<2x4x4x3xf32>, tensor<2x4x7x6xf32>
}
// Large enough for threads, strips and blocks.
func.func @large_sums(%x: tensor<3000x130xf32>) -> (tensor<130xf32>, tensor<3000xf32>, tensor<f32>) {
  %c = mindir.reduce_sum %x axes = [0] : tensor<3000x130xf32> -> tensor<130xf32>
  %r = mindir.reduce_sum %x axes = [1] : tensor<3000x130xf32> -> tensor<3000xf32>
  %s = mindir.reduce_sum %x axes = [0, 1] : tensor<3000x130xf32> -> tensor<f32>
  return %c, %r, %s : tensor<130xf32>, tensor<3000xf32>, tensor<f32>
}
// Carried values that change places at each iteration.
func.func @rotating_loop(%a: tensor<5xf32>, %b: tensor<5xf32>) -> (tensor<5xf32>, tensor<5xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %r:2 = scf.for %k = %c0 to %c3 step %c1 iter_args(%x = %a, %y = %b) -> (tensor<5xf32>, tensor<5xf32>) {
    %s = mindir.add %x, %y : tensor<5xf32>
    scf.yield %y, %s : tensor<5xf32>, tensor<5xf32>
  }
  return %r#0, %r#1 : tensor<5xf32>, tensor<5xf32>
}
// A loop's residuals on a tape, popped in another.
func.func @tape(%a: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %empty = mindir.tape_empty
  %f:2 = scf.for %k = %c0 to %c4 step %c1 iter_args(%x = %a, %t = %empty) -> (tensor<2x3xf32>, !mindir.tape) {
    %next = mindir.tape_push %t, %x : tensor<2x3xf32>
    %s = mindir.add %x, %x : tensor<2x3xf32>
    scf.yield %s, %next : tensor<2x3xf32>, !mindir.tape
  }
  %b:2 = scf.for %k = %c0 to %c4 step %c1 iter_args(%g = %f#0, %t = %f#1) -> (tensor<2x3xf32>, !mindir.tape) {
    %rest, %v = mindir.tape_pop %t : tensor<2x3xf32>
    %s = mindir.add %g, %v : tensor<2x3xf32>
    scf.yield %s, %rest : tensor<2x3xf32>, !mindir.tape
  }
  return %b#0 : tensor<2x3xf32>
}
func.func @random(%s: tensor<2xui64>) -> (tensor<2x5xui32>, tensor<9xf32>, tensor<7xbf16>, tensor<2xui64>) {
  %r, %s1 = mindir.random_bits %s : tensor<2x5xui32>
  %n, %s2 = mindir.random_normal %s1 : tensor<9xf32>
  %u, %s3 = mindir.random_uniform %s2 : tensor<7xbf16>
  return %r, %n, %u, %s3 : tensor<2x5xui32>, tensor<9xf32>, tensor<7xbf16>, tensor<2xui64>
}
