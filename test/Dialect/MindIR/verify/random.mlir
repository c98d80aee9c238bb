// RUN: ms-opt --verify-diagnostics --split-input-file %s

func.func @random_bits_c1(%s: tensor<2xui64>, %n: index) {
  // expected-error @+1 {{expected one dynamic size for each of the 1 unknown sizes of 'tensor<4x?xui32>', but got 2}}
  %0, %1 = mindir.random_bits %s sizes(%n, %n) : tensor<4x?xui32>
  return
}

// -----

func.func @random_uniform_c1(%s: tensor<2xui64>, %n: index) {
  // expected-error @+1 {{expected one dynamic size for each of the 1 unknown sizes of 'tensor<4x?xf32>', but got 2}}
  %0, %1 = mindir.random_uniform %s sizes(%n, %n) : tensor<4x?xf32>
  return
}

// -----

func.func @random_normal_c1(%s: tensor<2xui64>, %n: index) {
  // expected-error @+1 {{expected one dynamic size for each of the 1 unknown sizes of 'tensor<4x?xf64>', but got 2}}
  %0, %1 = mindir.random_normal %s sizes(%n, %n) : tensor<4x?xf64>
  return
}
