//===- RunGrid.cpp - runs on a simulated grid -----------------------------===//
//
// Moves values between the whole tensors that a user sees and the parts that
// devices hold.
//
//===----------------------------------------------------------------------===//

#include "mindir/Tools/RunGrid.h"

#include "mindir/Dialect/MindIR/IR/MindIR.h"
#include "mindir/Reference/SimulatedGrid.h"

#include "mlir/Dialect/Shard/IR/ShardOps.h"

using namespace mlir;
using namespace mlir::mindir;
using namespace mlir::mindir::reference;

using Values = SmallVector<RuntimeValue>;

/// The shape of a grid whose extents are known.
static llvm::Expected<GridShape> findGrid(func::FuncOp function, StringRef name) {
  auto grid = SymbolTable::lookupNearestSymbolFrom<shard::GridOp>(
      function, StringAttr::get(function.getContext(), name));
  if (!grid)
    return llvm::createStringError("there is no shard.grid '" + name + "'");
  if (ShapedType::isDynamicShape(grid.getShape()))
    return llvm::createStringError("a simulated grid needs known extents, but '" +
                                   name + "' has '?'");
  return GridShape(grid.getShape());
}

static SmallVector<Type> getWholeTypes(func::FuncOp function,
                                       const GridShape &grid) {
  SmallVector<Type> types;
  for (unsigned i = 0; i < function.getNumArguments(); ++i) {
    Type type = function.getArgumentTypes()[i];
    auto sharding = function.getArgAttrOfType<ShardingAttr>(i, kShardingAttrName);
    auto tensor = dyn_cast<RankedTensorType>(type);
    types.push_back(tensor ? Type(getWholeType(tensor, sharding, grid)) : type);
  }
  return types;
}

/// The arguments of one device.
static llvm::Expected<Values> splitArguments(func::FuncOp function,
                                             const Values &wholes,
                                             const GridShape &grid, int64_t device) {
  Values parts;
  for (auto [i, whole] : llvm::enumerate(wholes)) {
    auto sharding = function.getArgAttrOfType<ShardingAttr>(i, kShardingAttrName);
    auto part = getShard(*std::get<TensorPtr>(whole), sharding, grid, device);
    if (!part)
      return llvm::createStringError("argument " + Twine(i) + ": " +
                                     llvm::toString(part.takeError()));
    parts.push_back(TensorPtr(std::make_shared<Tensor>(std::move(*part))));
  }
  return parts;
}

/// Joins result `i` of all devices; a token or tape is that of device 0.
static llvm::Expected<RuntimeValue> joinResult(func::FuncOp function, unsigned i,
                                               ArrayRef<Values> results,
                                               const GridShape &grid) {
  SmallVector<const Tensor *> parts;
  for (const Values &values : results)
    if (auto *tensor = std::get_if<TensorPtr>(&values[i]))
      parts.push_back(tensor->get());
  if (parts.empty())
    return results.front()[i];
  auto sharding = function.getResultAttrOfType<ShardingAttr>(i, kShardingAttrName);
  auto whole = joinShards(parts, sharding, grid);
  if (!whole)
    return llvm::createStringError("result " + Twine(i) + ": " +
                                   llvm::toString(whole.takeError()));
  return RuntimeValue(TensorPtr(std::make_shared<Tensor>(std::move(*whole))));
}

llvm::Expected<Values> mindir::runOnGrid(func::FuncOp function, StringRef name,
                                         const RunInputs &inputs,
                                         const InterpreterOptions &options) {
  auto grid = findGrid(function, name);
  if (!grid)
    return grid.takeError();
  auto wholes = makeArguments(function, getWholeTypes(function, *grid), inputs);
  if (!wholes)
    return wholes.takeError();
  std::vector<Values> arguments;
  for (int64_t device = 0; device < grid->getNumDevices(); ++device) {
    auto parts = splitArguments(function, *wholes, *grid, device);
    if (!parts)
      return parts.takeError();
    arguments.push_back(std::move(*parts));
  }
  SimulatedGrid devices(name, *grid);
  auto results = devices.run(function->getParentOfType<ModuleOp>(),
                             function.getName(), arguments, options);
  if (!results)
    return results.takeError();
  Values joined;
  for (unsigned i = 0; i < function.getNumResults(); ++i) {
    auto result = joinResult(function, i, *results, *grid);
    if (!result)
      return result.takeError();
    joined.push_back(std::move(*result));
  }
  return joined;
}
