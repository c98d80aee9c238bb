//===- NumpyTypes.h - numpy's dtypes and the runtime's ----------*- C++ -*-===//
//
// numpy has no bfloat16: it is the type of the package ml_dtypes where that is
// installed, else uint16 bits.
//
//===----------------------------------------------------------------------===//
#ifndef MINDIR_BINDINGS_PYTHON_NUMPYTYPES_H
#define MINDIR_BINDINGS_PYTHON_NUMPYTYPES_H

#include "mindir/Runtime/Array.h"

#include <pybind11/numpy.h>

namespace mlir::mindir::python {

/// `value` as a numpy array in native byte order.
pybind11::array toNativeArray(pybind11::handle value);
/// The dtype name of a numpy array ("float32", "bfloat16").
std::string getDTypeName(const pybind11::array &array);
/// numpy's type for a dtype.
pybind11::dtype getNumpyType(mindrt::DType dtype);

/// The values of a numeric array as bits of bfloat16, each rounded once, ties to even;
/// NaN stays NaN.
pybind11::array_t<uint16_t> roundToBFloat16(const pybind11::array &values);
/// The value of the bfloat16 at `data`.
float widenBFloat16(const void *data);

/// A DLPack capsule that keeps the array's bytes alive.
pybind11::object toDLPack(const mindrt::Array &array, pybind11::object stream,
                          pybind11::object maxVersion, pybind11::object device,
                          pybind11::object copy);

} // namespace mlir::mindir::python

#endif // MINDIR_BINDINGS_PYTHON_NUMPYTYPES_H
