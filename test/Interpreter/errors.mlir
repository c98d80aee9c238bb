// RUN: not ms-run --reference --every-function %s 2>&1 | FileCheck %s

// Each function fails when run, with the Python exception that it becomes.

// CHECK: [[@LINE+6]]:8: error: IndexError: 'mindir.gather' expected indices in [-3, 3) along axis 0, but got 3
// CHECK-NEXT: %r = mindir.gather %x, %i axis = 0
// CHECK-NEXT: ^
func.func @gather() -> tensor<1xf32> {
  %x = mindir.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %i = mindir.constant dense<[3]> : tensor<1xi64>
  %r = mindir.gather %x, %i axis = 0 : tensor<3xf32>, tensor<1xi64> -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// CHECK: error: IndexError: 'mindir.dynamic_slice' expected a block inside of dimension 0 of size 3, but got 2 elements from 2
func.func @dynamic_slice() -> tensor<2xf32> {
  %x = mindir.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %i = mindir.constant dense<2> : tensor<i64>
  %r = mindir.dynamic_slice %x[%i] : tensor<3xf32> -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// CHECK: error: ValueError: For 'CrossEntropy', expected labels in [0, 2) or -100, but got 2
func.func @cross_entropy() -> tensor<1xf32> {
  %x = mindir.constant dense<[[1.0, 2.0]]> : tensor<1x2xf32>
  %i = mindir.constant dense<[2]> : tensor<1xi64>
  %r = mindir.cross_entropy %x, %i : tensor<1x2xf32>, tensor<1xi64> -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// CHECK: error: ValueError: 'mindir.add' expected operands of equal shape, but got tensor<2xf32> and tensor<3xf32>
func.func @add() -> tensor<?xf32> {
  %x = mindir.constant dense<1.0> : tensor<2xf32>
  %y = mindir.constant dense<1.0> : tensor<3xf32>
  %a = tensor.cast %x : tensor<2xf32> to tensor<?xf32>
  %b = tensor.cast %y : tensor<3xf32> to tensor<?xf32>
  %r = mindir.add %a, %b : tensor<?xf32>
  return %r : tensor<?xf32>
}

// CHECK: error: ValueError: For 'Reshape', expected a shape of 4 elements, but got tensor<3xf32>
func.func @reshape() -> tensor<?xf32> {
  %x = mindir.constant dense<1.0> : tensor<2x2xf32>
  %c3 = arith.constant 3 : index
  %r = mindir.reshape %x sizes(%c3) : tensor<2x2xf32> -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// CHECK: error: ValueError: 'tensor.empty' cannot allocate a result of shape (-1)
func.func @negative() -> tensor<?xf32> {
  %c = arith.constant -1 : index
  %r = tensor.empty(%c) : tensor<?xf32>
  return %r : tensor<?xf32>
}

// CHECK: error: ValueError: 'mindir.iota' cannot allocate a result of shape (100000, 100000)
func.func @huge() -> tensor<100000x100000xf32> {
  %r = mindir.iota axis = 0 : tensor<100000x100000xf32>
  return %r : tensor<100000x100000xf32>
}

// CHECK: error: ValueError: 'tensor.cast' expected a value of type tensor<3xf32>, but got tensor<2xf32>
func.func @cast() -> tensor<3xf32> {
  %x = mindir.constant dense<1.0> : tensor<2xf32>
  %a = tensor.cast %x : tensor<2xf32> to tensor<?xf32>
  %r = tensor.cast %a : tensor<?xf32> to tensor<3xf32>
  return %r : tensor<3xf32>
}

// CHECK: error: RuntimeError: 'mindir.tape_pop' of an empty tape
func.func @tape() -> tensor<f32> {
  %t = mindir.tape_empty
  %rest, %r = mindir.tape_pop %t : tensor<f32>
  return %r : tensor<f32>
}

// CHECK: error: ZeroDivisionError: 'arith.remsi' divides by zero
func.func @remainder() -> tensor<i32> {
  %c1 = arith.constant 1 : i32
  %c0 = arith.constant 0 : i32
  %x = arith.remsi %c1, %c0 : i32
  %r = tensor.from_elements %x : tensor<i32>
  return %r : tensor<i32>
}

// CHECK: error: NotImplementedError: 'mindir.vjp' is not interpreted; resolve function transformations first
func.func private @callee(%x: tensor<f32>) -> tensor<f32> {
  return %x : tensor<f32>
}
func.func @vjp() -> tensor<f32> {
  %x = mindir.constant dense<1.0> : tensor<f32>
  %y, %dx = mindir.vjp @callee(%x, %x) wrt = [0] : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return %dx : tensor<f32>
}

// CHECK: error: NotImplementedError: the reference interpreter has no kernel for 'math.exp'
func.func @unknown() -> tensor<f32> {
  %x = mindir.constant dense<1.0> : tensor<f32>
  %r = math.exp %x : tensor<f32>
  return %r : tensor<f32>
}

// CHECK: error: NotImplementedError: 'mindir.all_reduce' needs a process grid, and this run has none
shard.grid @grid(shape = 2)
func.func @all_reduce() -> tensor<f32> {
  %x = mindir.constant dense<1.0> : tensor<f32>
  %r = mindir.all_reduce sum, %x on @grid axes = [0] : tensor<f32>
  return %r : tensor<f32>
}

// CHECK: error: ValueError: 'mindir.pad' cannot allocate a result of shape (9223372036854775807)
func.func @pad() -> tensor<?xf32> {
  %x = mindir.constant dense<1.0> : tensor<3xf32>
  %v = mindir.constant dense<0.0> : tensor<f32>
  %d = tensor.cast %x : tensor<3xf32> to tensor<?xf32>
  %r = mindir.pad %d, %v low = [0] high = [0] interior = [9223372036854775807] : tensor<?xf32>, tensor<f32> -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// A size that types do not know is not broadcast, be it one.
// CHECK: error: ValueError: For 'BroadcastTo', expected sizes that are equal or stated as one, but got tensor<1xf32> and tensor<3xf32>
func.func @broadcast_to_c4() -> tensor<3xf32> {
  %x = mindir.constant dense<1.0> : tensor<1xf32>
  %a = tensor.cast %x : tensor<1xf32> to tensor<?xf32>
  %r = mindir.broadcast_to %a : tensor<?xf32> -> tensor<3xf32>
  return %r : tensor<3xf32>
}
