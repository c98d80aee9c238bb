// RUN: rm -rf %t && mkdir -p %t
// RUN: ms-run --reference %s --input='dense<[1.5, 2.5]> : tensor<2xbf16>' --input='dense<3> : tensor<ui8>' --output-directory=%t
// RUN: ms-run --reference %s --input=%t/main.0.npy --input=%t/main.1.npy | FileCheck %s
// RUN: ms-run --reference %s --seed=1 --dynamic-size=2 | FileCheck %s --check-prefix=RANDOM
// RUN: not ms-run --reference %s --input=%s.npy 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: not ms-run --reference %s --input='dense<1> : tensor<2xi32>' 2>&1 | FileCheck %s --check-prefix=TYPE
// RUN: not ms-run --reference %s --entry=other 2>&1 | FileCheck %s --check-prefix=ENTRY
// RUN: not ms-run --reference --compare %s 2>&1 | FileCheck %s --check-prefix=MODE

// What one run writes, another reads.
// CHECK: tensor<2xbf16> [1.5, 2.5]
// CHECK-NEXT: tensor<ui8> 3
// RANDOM: tensor<2xbf16> [{{-?0\.[0-9]+}}, {{-?0\.[0-9]+}}]
// MISSING: error: {{.*}}.npy: No such file
// TYPE: error: ValueError: 'func.func' expected a value of type tensor<?xbf16>, but got tensor<2xi32>
// ENTRY: error: there is no function 'other'
// MODE: error: --compare runs both ways: give it without --reference
func.func @main(%x: tensor<?xbf16>, %y: tensor<ui8>) -> (tensor<?xbf16>, tensor<ui8>) {
  return %x, %y : tensor<?xbf16>, tensor<ui8>
}
