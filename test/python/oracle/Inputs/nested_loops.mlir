// Loops in a loop in a branch: for with a non-zero start and step, a while whose
// condition region computes what it hands on, values captured from outside.
func.func @f(%x: tensor<2xf64>, %n: tensor<i64>) -> tensor<f64> {
  %zero = mindir.constant dense<0> : tensor<i64>
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c9 = arith.constant 9 : index
  %count = tensor.extract %n[] : tensor<i64>
  %upper = arith.index_cast %count : i64 to index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = mindir.sin %x : tensor<2xf64>
  %any = mindir.compare gt, %n, %zero : tensor<i64>
  %go = tensor.extract %any[] : tensor<i1>
  %r = scf.if %go -> (tensor<2xf64>) {
    %o = scf.for %i = %c0 to %upper step %c1 iter_args(%a = %x) -> (tensor<2xf64>) {
      %b = scf.for %j = %c2 to %c9 step %c3 iter_args(%b = %a) -> (tensor<2xf64>) {
        %k = arith.addi %i, %j : index
        %l = arith.index_cast %k : index to i64
        %m = tensor.from_elements %l : tensor<i64>
        %f = mindir.cast %m : tensor<i64> -> tensor<f64>
        %g = mindir.broadcast_to %f : tensor<f64> -> tensor<2xf64>
        %h = mindir.mul %b, %s : tensor<2xf64>
        %p = mindir.mul %h, %g : tensor<2xf64>
        %q = mindir.tanh %p : tensor<2xf64>
        scf.yield %q : tensor<2xf64>
      }
      %w:2 = scf.while (%u = %b, %t = %zero) : (tensor<2xf64>, tensor<i64>) -> (tensor<2xf64>, tensor<i64>) {
        %e = mindir.exp %u : tensor<2xf64>
        %d = mindir.mul %e, %x : tensor<2xf64>
        %c = mindir.compare lt, %t, %n : tensor<i64>
        %cc = tensor.extract %c[] : tensor<i1>
        scf.condition(%cc) %d, %t : tensor<2xf64>, tensor<i64>
      } do {
      ^bb0(%u: tensor<2xf64>, %t: tensor<i64>):
        %one = mindir.constant dense<1> : tensor<i64>
        %z = mindir.add %t, %one : tensor<i64>
        %y = mindir.tanh %u : tensor<2xf64>
        scf.yield %y, %z : tensor<2xf64>, tensor<i64>
      }
      scf.yield %w#0 : tensor<2xf64>
    }
    scf.yield %o : tensor<2xf64>
  } else {
    %o = mindir.mul %x, %s : tensor<2xf64>
    scf.yield %o : tensor<2xf64>
  }
  %y = mindir.reduce_sum %r axes = [0] : tensor<2xf64> -> tensor<f64>
  return %y : tensor<f64>
}
