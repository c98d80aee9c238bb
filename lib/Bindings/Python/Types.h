//===- Types.h - element and value types between Python and MLIR -*- C++ -*-===//
//
// In Python a value's type is (dtype, shape): a dtype is named as in numpy, or
// "bfloat16", "index", "token", "tape"; an unknown size is None. The shape None
// marks a scalar that is no tensor; () is a 0-d tensor.
//
//===----------------------------------------------------------------------===//
#ifndef MINDIR_BINDINGS_PYTHON_TYPES_H
#define MINDIR_BINDINGS_PYTHON_TYPES_H

#include "mlir/IR/BuiltinTypes.h"

#include <pybind11/pybind11.h>

namespace mlir::mindir::python {

/// The type with a dtype name; null for an unknown name.
Type lookupElementType(MLIRContext *context, StringRef dtype);
/// The same; TypeError for an unknown name.
Type getElementType(MLIRContext *context, StringRef dtype);
/// The dtype name of an element, scalar, token or tape type; other types print
/// as in the IR.
std::string getDTypeName(Type type);
/// The type of a Python (dtype, shape) pair.
Type getValueType(MLIRContext *context, pybind11::handle pair);
/// A tensor type of Python sizes, None being an unknown one.
RankedTensorType getTensorType(Type element, pybind11::handle shape);
/// The shape of a value: a tuple, or None when `type` is no tensor.
pybind11::object getShape(Type type);

} // namespace mlir::mindir::python

#endif // MINDIR_BINDINGS_PYTHON_TYPES_H
