// RUN: ms-opt --verify-diagnostics --split-input-file %s

func.func @reshape_c1(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{ValueError: For 'Reshape', the number of elements must stay 6, but shape [4] has 4}}
  %0 = mindir.reshape %x : tensor<2x3xf32> -> tensor<4xf32>
  return
}

// -----

func.func @reshape_c2(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{expected one dynamic size for each of the 1 unknown sizes of 'tensor<?xf32>', but got 0}}
  %0 = mindir.reshape %x : tensor<2x3xf32> -> tensor<?xf32>
  return
}

// -----

func.func @reshape_c3(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{TypeError: For 'Reshape', the dtype must stay 'f32', but the result has 'i32'}}
  %0 = mindir.reshape %x : tensor<2x3xf32> -> tensor<6xi32>
  return
}

// -----

func.func @broadcast_to_c1(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{ValueError: For 'BroadcastTo', shape [2, 3] does not broadcast to [4, 4, 3]}}
  %0 = mindir.broadcast_to %x : tensor<2x3xf32> -> tensor<4x4x3xf32>
  return
}

// -----

func.func @broadcast_to_c2(%x: tensor<2x3xf32>, %n: index) {
  // expected-error @+1 {{expected one dynamic size for each of the 2 unknown sizes of 'tensor<?x?x3xf32>', but got 1}}
  %0 = mindir.broadcast_to %x sizes(%n) : tensor<2x3xf32> -> tensor<?x?x3xf32>
  return
}

// -----

func.func @broadcast_to_c3(%x: tensor<1xf32>) {
  // expected-error @+1 {{TypeError: For 'BroadcastTo', the dtype must stay 'f32', but the result has 'f64'}}
  %0 = mindir.broadcast_to %x : tensor<1xf32> -> tensor<2xf64>
  return
}

// -----

func.func @broadcast_to_c3_rank(%x: tensor<1x1xf32>) {
  // expected-error @+1 {{ValueError: For 'BroadcastTo', shape [1, 1] does not broadcast to [1]}}
  %0 = mindir.broadcast_to %x : tensor<1x1xf32> -> tensor<1xf32>
  return
}

// -----

func.func @transpose_c1(%x: tensor<2x3xf32>) {
  // expected-error @+2 {{ValueError: For 'Transpose', expected a permutation of the 2 dimensions, but got [0, 0]}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = mindir.transpose %x permutation = [0, 0] : tensor<2x3xf32> -> tensor<2x2xf32>
  return
}

// -----

func.func @transpose_c1_count(%x: tensor<2x3xf32>) {
  // expected-error @+2 {{ValueError: For 'Transpose', expected a permutation of the 2 dimensions, but got [0, 2, 1]}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = mindir.transpose %x permutation = [0, 2, 1] : tensor<2x3xf32> -> tensor<2x3xf32>
  return
}

// -----

func.func @slice_c1(%x: tensor<2x3xf32>) {
  // expected-error @+2 {{ValueError: For 'Slice', expected 2 starts, limits and strides, but got 1, 2 and 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = mindir.slice %x starts = [0] limits = [2, 3] strides = [1, 1] : tensor<2x3xf32> -> tensor<2x3xf32>
  return
}

// -----

func.func @slice_c2(%x: tensor<2x3xf32>) {
  // expected-error @+2 {{ValueError: For 'Slice', strides must be at least 1, but got [1, 0]}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = mindir.slice %x starts = [0, 0] limits = [2, 3] strides = [1, 0] : tensor<2x3xf32> -> tensor<2x3xf32>
  return
}

// -----

func.func @slice_c3(%x: tensor<2x3xf32>) {
  // expected-error @+2 {{ValueError: For 'Slice', the range [0, 4) does not lie inside dimension 1 of size 3}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = mindir.slice %x starts = [0, 0] limits = [2, 4] strides = [1, 1] : tensor<2x3xf32> -> tensor<2x4xf32>
  return
}

// -----

func.func @slice_c3_order(%x: tensor<2x3xf32>) {
  // expected-error @+2 {{ValueError: For 'Slice', the range [2, 1) does not lie inside dimension 1 of size 3}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = mindir.slice %x starts = [0, 2] limits = [2, 1] strides = [1, 1] : tensor<2x3xf32> -> tensor<2x0xf32>
  return
}

// -----

func.func @slice_c3_negative(%x: tensor<?xf32>) {
  // expected-error @+2 {{ValueError: For 'Slice', the range [-1, ?) does not lie inside dimension 0 of size ?}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = mindir.slice %x starts = [-1] limits = [-9223372036854775808] strides = [1] : tensor<?xf32> -> tensor<?xf32>
  return
}

// -----

func.func @slice_c3_negative_limit(%x: tensor<?xf32>) {
  // expected-error @+2 {{ValueError: For 'Slice', the range [0, -3) does not lie inside dimension 0 of size ?}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = mindir.slice %x starts = [0] limits = [-3] strides = [1] : tensor<?xf32> -> tensor<?xf32>
  return
}

// -----

func.func @reverse_c1(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{ValueError: For 'ReverseV2', axes must be distinct, but got [1, 1]}}
  %0 = mindir.reverse %x axes = [1, 1] : tensor<2x3xf32>
  return
}

// -----

func.func @reverse_c1_range(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{ValueError: For 'ReverseV2', the axis must lie in [0, 2) for a tensor of rank 2, but got 2}}
  %0 = mindir.reverse %x axes = [2] : tensor<2x3xf32>
  return
}

// -----

func.func @pad_c1(%x: tensor<2x3xf32>, %v: tensor<f32>) {
  // expected-error @+2 {{ValueError: For 'Pad', expected 2 counts, none negative, but got low [0], high [0, 0], interior [0, 0]}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = mindir.pad %x, %v low = [0] high = [0, 0] interior = [0, 0] : tensor<2x3xf32>, tensor<f32> -> tensor<2x3xf32>
  return
}

// -----

func.func @pad_c1_negative(%x: tensor<2x3xf32>, %v: tensor<f32>) {
  // expected-error @+2 {{ValueError: For 'Pad', expected 2 counts, none negative, but got low [0, 0], high [0, -1], interior [0, 0]}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = mindir.pad %x, %v low = [0, 0] high = [0, -1] interior = [0, 0] : tensor<2x3xf32>, tensor<f32> -> tensor<2x2xf32>
  return
}

// -----

func.func @pad_c2(%x: tensor<2x3xf32>, %v: tensor<1xf32>) {
  // expected-error @+2 {{TypeError: For 'Pad', the padding value must be a scalar of dtype 'f32', but got 'tensor<1xf32>'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = mindir.pad %x, %v low = [0, 0] high = [0, 0] interior = [0, 0] : tensor<2x3xf32>, tensor<1xf32> -> tensor<2x3xf32>
  return
}

// -----

func.func @pad_c2_dtype(%x: tensor<2x3xf32>, %v: tensor<i32>) {
  // expected-error @+2 {{TypeError: For 'Pad', the padding value must be a scalar of dtype 'f32', but got 'tensor<i32>'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = mindir.pad %x, %v low = [0, 0] high = [0, 0] interior = [0, 0] : tensor<2x3xf32>, tensor<i32> -> tensor<2x3xf32>
  return
}

// -----

func.func @concat_c1() {
  // expected-error @+2 {{ValueError: For 'Concat', expected at least one input, but got none}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = "mindir.concat"() {axis = 0 : i64} : () -> tensor<2xf32>
  return
}

// -----

func.func @concat_c1_axis(%x: tensor<2xf32>) {
  // expected-error @+2 {{ValueError: For 'Concat', the axis must lie in [0, 1) for a tensor of rank 1, but got 1}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = mindir.concat %x axis = 1 : tensor<2xf32> -> tensor<2xf32>
  return
}

// -----

func.func @concat_c2(%x: tensor<2x3xf32>, %y: tensor<2x4xf32>) {
  // expected-error @+2 {{ValueError: For 'Concat', the inputs must have equal shapes off axis 0, but got [2, 3] and [2, 4]}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = mindir.concat %x, %y axis = 0 : tensor<2x3xf32>, tensor<2x4xf32> -> tensor<4x3xf32>
  return
}

// -----

func.func @concat_c2_dtype(%x: tensor<2xf32>, %y: tensor<2xf64>) {
  // expected-error @+2 {{TypeError: For 'Concat', the inputs must have the same dtype, but got 'f32' and 'f64'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = mindir.concat %x, %y axis = 0 : tensor<2xf32>, tensor<2xf64> -> tensor<4xf32>
  return
}

// -----

func.func @concat_c2_rank(%x: tensor<2xf32>, %y: tensor<2x1xf32>) {
  // expected-error @+2 {{ValueError: For 'Concat', the inputs must have equal shapes off axis 0, but got [2] and [2, 1]}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = mindir.concat %x, %y axis = 0 : tensor<2xf32>, tensor<2x1xf32> -> tensor<4xf32>
  return
}

// -----

func.func @dynamic_slice_c1(%x: tensor<4x3xf32>, %i: tensor<i64>) {
  // expected-error @+1 {{ValueError: For 'Slice', expected one start for each of the 2 dimensions, but got 1}}
  %0 = mindir.dynamic_slice %x[%i] : tensor<4x3xf32> -> tensor<2x3xf32>
  return
}

// -----

func.func @dynamic_slice_c2(%x: tensor<4x3xf32>, %i: tensor<i64>) {
  // expected-error @+1 {{expected one dynamic size for each of the 1 unknown sizes of 'tensor<?x3xf32>', but got 0}}
  %0 = mindir.dynamic_slice %x[%i, %i] : tensor<4x3xf32> -> tensor<?x3xf32>
  return
}

// -----

func.func @dynamic_slice_c3(%x: tensor<4x3xf32>, %i: tensor<i64>) {
  // expected-error @+1 {{ValueError: For 'Slice', a block of shape [5, 3] does not fit a tensor of shape [4, 3]}}
  %0 = mindir.dynamic_slice %x[%i, %i] : tensor<4x3xf32> -> tensor<5x3xf32>
  return
}

// -----

func.func @dynamic_slice_c3_dtype(%x: tensor<4x3xf32>, %i: tensor<i64>) {
  // expected-error @+1 {{TypeError: For 'Slice', the dtype must stay 'f32', but the result has 'f64'}}
  %0 = mindir.dynamic_slice %x[%i, %i] : tensor<4x3xf32> -> tensor<2x3xf64>
  return
}

// -----

func.func @dynamic_slice_c3_rank(%x: tensor<4x3xf32>, %i: tensor<i64>) {
  // expected-error @+1 {{ValueError: For 'Slice', a block of shape [3] does not fit a tensor of shape [4, 3]}}
  %0 = mindir.dynamic_slice %x[%i, %i] : tensor<4x3xf32> -> tensor<3xf32>
  return
}

// -----

func.func @dynamic_update_slice_c1(%x: tensor<4x3xf32>, %i: tensor<i64>, %u: tensor<2x3xf32>) {
  // expected-error @+1 {{ValueError: For 'SliceUpdate', expected one start for each of the 2 dimensions, but got 3}}
  %0 = mindir.dynamic_update_slice %x, %u[%i, %i, %i] : tensor<4x3xf32>, tensor<2x3xf32>
  return
}

// -----

func.func @dynamic_update_slice_c2(%x: tensor<4x3xf32>, %i: tensor<i64>, %u: tensor<2x4xf32>) {
  // expected-error @+1 {{ValueError: For 'SliceUpdate', a block of shape [2, 4] does not fit a tensor of shape [4, 3]}}
  %0 = mindir.dynamic_update_slice %x, %u[%i, %i] : tensor<4x3xf32>, tensor<2x4xf32>
  return
}

// -----

func.func @dynamic_update_slice_c2_dtype(%x: tensor<4x3xf32>, %i: tensor<i64>, %u: tensor<2x3xi32>) {
  // expected-error @+1 {{TypeError: For 'SliceUpdate', the dtype must stay 'f32', but the result has 'i32'}}
  %0 = mindir.dynamic_update_slice %x, %u[%i, %i] : tensor<4x3xf32>, tensor<2x3xi32>
  return
}
