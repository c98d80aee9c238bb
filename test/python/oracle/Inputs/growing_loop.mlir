// A loop whose carried tensor doubles its size in each iteration, with a break.
func.func @f(%x: tensor<2xf64>, %n: tensor<i64>) -> tensor<f64> {
  %one = mindir.constant dense<1> : tensor<i64>
  %zero = mindir.constant dense<0> : tensor<i64>
  %lim = mindir.constant dense<30.0> : tensor<f64>
  %false = mindir.constant dense<false> : tensor<i1>
  %true = mindir.constant dense<true> : tensor<i1>
  %x0 = tensor.cast %x : tensor<2xf64> to tensor<?xf64>
  %r:3 = scf.while (%a = %x0, %i = %zero, %stop = %false) : (tensor<?xf64>, tensor<i64>, tensor<i1>) -> (tensor<?xf64>, tensor<i64>, tensor<i1>) {
    %lt = mindir.compare lt, %i, %n : tensor<i64>
    %go = mindir.not %stop : tensor<i1>
    %c = mindir.and %lt, %go : tensor<i1>
    %cc = tensor.extract %c[] : tensor<i1>
    scf.condition(%cc) %a, %i, %stop : tensor<?xf64>, tensor<i64>, tensor<i1>
  } do {
  ^bb0(%a: tensor<?xf64>, %i: tensor<i64>, %stop: tensor<i1>):
    %sq = mindir.mul %a, %a : tensor<?xf64>
    %s = mindir.reduce_sum %sq axes = [0] : tensor<?xf64> -> tensor<f64>
    %big = mindir.compare gt, %s, %lim : tensor<f64>
    %bb = tensor.extract %big[] : tensor<i1>
    %q:2 = scf.if %bb -> (tensor<?xf64>, tensor<i1>) {
      scf.yield %a, %true : tensor<?xf64>, tensor<i1>
    } else {
      %sin = mindir.sin %a : tensor<?xf64>
      %cat = mindir.concat %a, %sin axis = 0 : tensor<?xf64>, tensor<?xf64> -> tensor<?xf64>
      %m = mindir.mul %cat, %cat : tensor<?xf64>
      scf.yield %m, %false : tensor<?xf64>, tensor<i1>
    }
    %i1 = mindir.add %i, %one : tensor<i64>
    scf.yield %q#0, %i1, %q#1 : tensor<?xf64>, tensor<i64>, tensor<i1>
  }
  %y = mindir.reduce_sum %r#0 axes = [0] : tensor<?xf64> -> tensor<f64>
  return %y : tensor<f64>
}
