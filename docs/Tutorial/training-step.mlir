func.func @main(%x: tensor<8x4xf32>, %w: tensor<4x3xf32> {mindir.parameter, mindir.donated}, %dy: tensor<f32>)
    -> (tensor<f32>, tensor<4x3xf32> {mindir.updates = 1 : i64}) {
  %loss, %dw = mindir.vjp @loss(%x, %w, %dy) wrt = [1]
    : (tensor<8x4xf32>, tensor<4x3xf32>, tensor<f32>) -> (tensor<f32>, tensor<4x3xf32>)
  %rate = mindir.constant dense<0.1> : tensor<4x3xf32>
  %step = mindir.mul %rate, %dw : tensor<4x3xf32>
  %new = mindir.sub %w, %step : tensor<4x3xf32>
  return %loss, %new : tensor<f32>, tensor<4x3xf32>
}
func.func private @loss(%x: tensor<8x4xf32>, %w: tensor<4x3xf32>) -> tensor<f32> {
  %0 = mindir.matmul %x, %w : tensor<8x4xf32>, tensor<4x3xf32> -> tensor<8x3xf32>
  %1 = mindir.tanh %0 : tensor<8x3xf32>
  %2 = mindir.reduce_sum %1 axes = [0, 1] : tensor<8x3xf32> -> tensor<f32>
  return %2 : tensor<f32>
}
