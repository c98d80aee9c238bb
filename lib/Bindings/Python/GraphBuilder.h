//===- GraphBuilder.h - a module under construction from Python -*- C++ -*-===//
//
// One capture builds one module in a context of its own: functions, detached
// regions and ops, whose result types are inferred and which are verified as
// they are created.
//
//===----------------------------------------------------------------------===//
#ifndef MINDIR_BINDINGS_PYTHON_GRAPHBUILDER_H
#define MINDIR_BINDINGS_PYTHON_GRAPHBUILDER_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

#include <pybind11/pybind11.h>

#include <memory>
#include <vector>

namespace mlir::mindir::python {

class GraphBuilder;

/// An SSA value, which keeps its builder alive.
struct GraphValue {
  std::shared_ptr<GraphBuilder> owner;
  Value value;
};
using GraphValues = std::vector<GraphValue>;

/// A finished region that no op holds yet. When it is dropped its ops move to
/// the builder's discarded regions, because Python may still hold their values.
struct GraphRegion {
  std::shared_ptr<GraphBuilder> owner;
  std::unique_ptr<Region> region;

  GraphRegion(std::shared_ptr<GraphBuilder> owner,
              std::unique_ptr<Region> region)
      : owner(std::move(owner)), region(std::move(region)) {}
  GraphRegion(const GraphRegion &) = delete;
  ~GraphRegion();
};

/// What `op` needs beside name and operands.
struct OpArguments {
  pybind11::dict attributes;
  pybind11::object resultTypes;
  std::vector<GraphRegion *> regions;
  pybind11::object location;
};

class GraphBuilder : public std::enable_shared_from_this<GraphBuilder> {
public:
  GraphBuilder();
  ~GraphBuilder();

  /// Starts a function and makes its body the insertion point. Functions nest:
  /// another may be open.
  GraphValues beginFunction(const std::string &name, pybind11::object types,
                            pybind11::object attributes, bool isPrivate,
                            pybind11::object location);
  /// Appends an argument to the innermost open function.
  GraphValue addArgument(pybind11::object type, pybind11::object attributes);
  /// Returns `results` from the innermost function, which must have no open
  /// region, and closes it.
  void endFunction(const GraphValues &results, pybind11::object attributes);

  /// Starts a detached region with one block.
  GraphValues beginRegion(pybind11::object types);
  /// Ends the innermost region by the op named `terminator`.
  std::unique_ptr<GraphRegion> endRegion(const std::string &terminator,
                                         const GraphValues &operands);
  /// Drops the innermost open region, or function, with what it holds.
  void abandon();

  /// Creates an op at the insertion point and verifies it.
  GraphValues createOp(const std::string &name, const GraphValues &operands,
                       const OpArguments &arguments);
  /// Calls a function of this module; `resultTypes` may be None once the
  /// callee is finished.
  GraphValues createCall(const std::string &callee, const GraphValues &operands,
                         pybind11::object resultTypes,
                         pybind11::object location);
  /// A constant: of a numpy array or a Python number as a tensor of `dtype`, or,
  /// where `dtype` is (name, None), as a scalar.
  GraphValue createConstant(pybind11::object value, pybind11::object dtype,
                            pybind11::object location);

  /// Moves the functions of a module in text form into this one. A name that is
  /// taken is changed. Returns the new names by the old.
  pybind11::dict insertModule(const std::string &text);

  /// Verifies the whole module, which must have no open function.
  void verify();
  std::string getText(bool withLocations);
  /// The module as bytecode, with source positions.
  std::string getBytecode();
  MLIRContext *getContext() { return &context; }

  /// The position of ops for which none is given.
  pybind11::object defaultLocation = pybind11::none();

private:
  friend struct GraphRegion;
  /// What is open: a function, or a detached region.
  struct Frame {
    func::FuncOp function;
    std::unique_ptr<Region> region;
    Block *block;
  };

  Frame &getFrame();
  Frame &getFunctionFrame();
  Location getLocation(pybind11::handle location);
  GraphValues wrap(ValueRange values);
  SmallVector<Value> unwrap(const GraphValues &values);
  /// The op's name, with its dialect loaded; ValueError when there is none.
  OperationName getOpName(const std::string &name);
  func::FuncOp lookup(const std::string &name);
  void inferResultTypes(Operation *op);
  GraphValues finishOp(Operation *op);
  void discard(Operation *op);

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  OpBuilder builder;
  std::vector<Frame> frames;
  std::vector<std::unique_ptr<Region>> discarded;
};

} // namespace mlir::mindir::python

#endif // MINDIR_BINDINGS_PYTHON_GRAPHBUILDER_H
