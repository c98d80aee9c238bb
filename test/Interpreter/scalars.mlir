// RUN: ms-run --reference --every-function %s | FileCheck %s

// The arith and tensor ops that stand between mindir ops.

// CHECK-LABEL: @integers
// CHECK-NEXT: tensor<9xi32> [4, -10, -21, -2, -1, -3, -2, 6, -5]
func.func @integers() -> tensor<9xi32> {
  %a = arith.constant -7 : i32
  %b = arith.constant 3 : i32
  %c = arith.constant 11 : i32
  %add = arith.addi %a, %c : i32
  %sub = arith.subi %a, %b : i32
  %mul = arith.muli %a, %b : i32
  %div = arith.divsi %a, %b : i32
  %rem = arith.remsi %a, %b : i32
  %floor = arith.floordivsi %a, %b : i32
  %ceil = arith.ceildivsi %a, %b : i32
  %c2 = arith.constant 2 : i32
  %quarter = arith.divui %c, %c2 : i32
  %c5 = arith.constant 1 : i32
  %six = arith.addi %quarter, %c5 : i32
  %xor = arith.xori %a, %c2 : i32
  %r = tensor.from_elements %add, %sub, %mul, %div, %rem, %floor, %ceil, %six, %xor : tensor<9xi32>
  return %r : tensor<9xi32>
}

// CHECK-LABEL: @comparisons
// CHECK-NEXT: tensor<4xi1> [true, false, false, true]
func.func @comparisons() -> tensor<4xi1> {
  %a = arith.constant -7 : i32
  %b = arith.constant 3 : i32
  %nan = arith.constant 0x7FC00000 : f32
  %signed = arith.cmpi slt, %a, %b : i32
  %unsigned = arith.cmpi ult, %a, %b : i32
  %ordered = arith.cmpf oeq, %nan, %nan : f32
  %unordered = arith.cmpf une, %nan, %nan : f32
  %r = tensor.from_elements %signed, %unsigned, %ordered, %unordered : tensor<4xi1>
  return %r : tensor<4xi1>
}

// CHECK-LABEL: @conversions
// CHECK-NEXT: tensor<4xi64> [-1, 1, 44, -2]
// CHECK-NEXT: tensor<2xf32> [-7, 0.1]
func.func @conversions() -> (tensor<4xi64>, tensor<2xf32>) {
  %true = arith.constant true
  %c300 = arith.constant 300 : i32
  %c-7 = arith.constant -7 : i32
  %pi = arith.constant -2.5 : f64
  %tenth = arith.constant 0.1 : f64
  %s = arith.extsi %true : i1 to i64
  %u = arith.extui %true : i1 to i64
  %t8 = arith.trunci %c300 : i32 to i8
  %t = arith.extui %t8 : i8 to i64
  %f = arith.fptosi %pi : f64 to i64
  %x = arith.sitofp %c-7 : i32 to f32
  %y = arith.truncf %tenth : f64 to f32
  %r = tensor.from_elements %s, %u, %t, %f : tensor<4xi64>
  %r2 = tensor.from_elements %x, %y : tensor<2xf32>
  return %r, %r2 : tensor<4xi64>, tensor<2xf32>
}

// A scalar condition chooses between whole tensors.
// CHECK-LABEL: @select
// CHECK-NEXT: tensor<2xf32> [3, 4]
// CHECK-NEXT: tensor<2xf32> [1, 4]
func.func @select() -> (tensor<2xf32>, tensor<2xf32>) {
  %false = arith.constant false
  %mask = arith.constant dense<[true, false]> : tensor<2xi1>
  %a = mindir.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %b = mindir.constant dense<[3.0, 4.0]> : tensor<2xf32>
  %whole = arith.select %false, %a, %b : tensor<2xf32>
  %each = arith.select %mask, %a, %b : tensor<2xi1>, tensor<2xf32>
  return %whole, %each : tensor<2xf32>, tensor<2xf32>
}

// CHECK-LABEL: @shapes
// CHECK-NEXT: tensor<2x3xf32> {{\[\[}}1.5, 1.5, 1.5], [1.5, 1.5, 1.5]]
// CHECK-NEXT: tensor<3xf32> [0, 9, 0]
func.func @shapes() -> (tensor<2x?xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = mindir.constant dense<[[1.0, 9.0, 3.0]]> : tensor<1x3xf32>
  %d = tensor.dim %x, %c1 : tensor<1x3xf32>
  %f = arith.constant 1.5 : f32
  %splat = tensor.splat %f[%d] : tensor<2x?xf32>
  %e = tensor.extract %x[%c0, %c1] : tensor<1x3xf32>
  %empty = tensor.empty(%d) : tensor<?xf32>
  %r = tensor.insert %e into %empty[%c1] : tensor<?xf32>
  return %splat, %r : tensor<2x?xf32>, tensor<?xf32>
}
