//===- Attributes.h - Python values as attributes ---------------*- C++ -*-===//
//
// Turns Python values into the attributes that ops want. What an op wants is
// asked of its own verifier, so that no table of attributes is kept here.
//
//===----------------------------------------------------------------------===//
#ifndef MINDIR_BINDINGS_PYTHON_ATTRIBUTES_H
#define MINDIR_BINDINGS_PYTHON_ATTRIBUTES_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/OperationSupport.h"

#include <pybind11/pybind11.h>

namespace mlir::mindir::python {

/// The attributes of an op from a Python dict of str to value:
/// True → unit or bool, False and None → absent (False where a bool is wanted),
/// int → i64 (or the integer type that the op wants), float → f64, list of int →
/// DenseI64Array (or i32, bool), list of str → array of strings, str → enum
/// keyword, symbol reference or string, ("type", dtype) → type, numpy array →
/// dense elements. A str that starts with '#' is attribute syntax. TypeError when
/// the op has no such attribute or refuses the value.
NamedAttrList getOpAttributes(OperationName name, pybind11::dict attributes);

/// A discardable attribute, such as those of function arguments.
NamedAttrList getDiscardableAttributes(MLIRContext *context,
                                       pybind11::handle attributes);

/// The constant in `value`, a numpy array or a Python number, as elements of
/// `dtype` ("" means that of the array; of Python numbers bool, int64, float32).
DenseElementsAttr getElements(MLIRContext *context, pybind11::handle value,
                              StringRef dtype);

} // namespace mlir::mindir::python

#endif // MINDIR_BINDINGS_PYTHON_ATTRIBUTES_H
