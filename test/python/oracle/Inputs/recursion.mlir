// Two functions that call each other, called from a loop and from straight line.
func.func private @even(%x: tensor<2xf64>, %n: tensor<i64>) -> tensor<2xf64> {
  %zero = mindir.constant dense<0> : tensor<i64>
  %one = mindir.constant dense<1> : tensor<i64>
  %c = mindir.compare gt, %n, %zero : tensor<i64>
  %go = tensor.extract %c[] : tensor<i1>
  %r = scf.if %go -> (tensor<2xf64>) {
    %m = mindir.sub %n, %one : tensor<i64>
    %0 = func.call @odd(%x, %m) : (tensor<2xf64>, tensor<i64>) -> tensor<2xf64>
    %1 = mindir.sin %0 : tensor<2xf64>
    scf.yield %1 : tensor<2xf64>
  } else {
    scf.yield %x : tensor<2xf64>
  }
  return %r : tensor<2xf64>
}
func.func private @odd(%x: tensor<2xf64>, %n: tensor<i64>) -> tensor<2xf64> {
  %zero = mindir.constant dense<0> : tensor<i64>
  %one = mindir.constant dense<1> : tensor<i64>
  %c = mindir.compare gt, %n, %zero : tensor<i64>
  %go = tensor.extract %c[] : tensor<i1>
  %r = scf.if %go -> (tensor<2xf64>) {
    %m = mindir.sub %n, %one : tensor<i64>
    %0 = func.call @even(%x, %m) : (tensor<2xf64>, tensor<i64>) -> tensor<2xf64>
    %1 = mindir.mul %0, %x : tensor<2xf64>
    scf.yield %1 : tensor<2xf64>
  } else {
    %1 = mindir.exp %x : tensor<2xf64>
    scf.yield %1 : tensor<2xf64>
  }
  return %r : tensor<2xf64>
}
func.func @f(%x: tensor<2xf64>, %n: tensor<i64>) -> tensor<f64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %0 = call @even(%x, %n) : (tensor<2xf64>, tensor<i64>) -> tensor<2xf64>
  %1 = scf.for %i = %c0 to %c2 step %c1 iter_args(%a = %0) -> (tensor<2xf64>) {
    %2 = func.call @odd(%a, %n) : (tensor<2xf64>, tensor<i64>) -> tensor<2xf64>
    %3 = mindir.tanh %2 : tensor<2xf64>
    scf.yield %3 : tensor<2xf64>
  }
  %y = mindir.reduce_sum %1 axes = [0] : tensor<2xf64> -> tensor<f64>
  return %y : tensor<f64>
}
