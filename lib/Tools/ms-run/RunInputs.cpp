//===- RunInputs.cpp - the arguments of a run -----------------------------===//
//
// Reads or draws the tensors that a function is run on.
//
//===----------------------------------------------------------------------===//

#include "mindir/Tools/RunInputs.h"

#include "mindir/Dialect/MindIR/IR/MindIR.h"
#include "mindir/Reference/Kernels.h"
#include "mindir/Reference/Npy.h"

#include "mlir/AsmParser/AsmParser.h"
#include "llvm/Support/FileSystem.h"

#include <random>

using namespace mlir;
using namespace mlir::mindir;
using namespace mlir::mindir::reference;

static llvm::Expected<Tensor> parseText(StringRef text, MLIRContext *context) {
  auto elements = dyn_cast_or_null<ElementsAttr>(parseAttribute(text, context));
  std::optional<Tensor> tensor = elements ? decodeElements(elements) : std::nullopt;
  if (!tensor)
    return llvm::createStringError("expected an input like 'dense<[1.0, 2.0]> : "
                                   "tensor<2xf32>' or a .npy file, found '" + text +
                                   "'");
  return std::move(*tensor);
}

/// A number in [0, 1), from the upper bits of one draw: the same on every platform.
static double drawUnit(std::mt19937_64 &engine) {
  return static_cast<double>(engine() >> 11) * 0x1p-53;
}

static llvm::Expected<Tensor> makeRandom(RankedTensorType type, DType dtype,
                                         int64_t dynamicSize, uint64_t seed) {
  SmallVector<int64_t> shape(type.getShape());
  for (int64_t &size : shape)
    size = ShapedType::isDynamic(size) ? dynamicSize : size;
  if (!countElements(shape))
    return llvm::createStringError("an argument's type is too large to run");
  Tensor tensor(dtype, shape);
  std::mt19937_64 engine(seed);
  for (int64_t i = 0, e = tensor.getNumElements(); i < e; ++i)
    if (tensor.isFloat())
      tensor.setReal(i, 2 * drawUnit(engine) - 1);
    else
      tensor.setInteger(i, static_cast<Integer>(8 * drawUnit(engine)));
  return tensor;
}

static llvm::Expected<Tensor> makeArgument(func::FuncOp function, unsigned i,
                                           Type argument, const RunInputs &inputs) {
  auto type = dyn_cast<RankedTensorType>(argument);
  std::optional<DType> dtype =
      type ? reference::getDType(type.getElementType()) : std::nullopt;
  if (!dtype)
    return llvm::createStringError("argument " + Twine(i) + " of '" +
                                   function.getName() + "' is not a tensor");
  if (i < inputs.inputs.size() && StringRef(inputs.inputs[i]).ends_with(".npy"))
    return readNpy(inputs.inputs[i], *dtype);
  if (i < inputs.inputs.size())
    return parseText(inputs.inputs[i], function.getContext());
  std::string path = (inputs.directory + "/" + function.getName() + "." + Twine(i) +
                      ".npy").str();
  if (!inputs.directory.empty() && llvm::sys::fs::exists(path))
    return readNpy(path, *dtype);
  return makeRandom(type, *dtype, inputs.dynamicSize, inputs.seed + i);
}

llvm::Expected<SmallVector<RuntimeValue>>
mindir::makeArguments(func::FuncOp function, TypeRange types,
                      const RunInputs &inputs) {
  if (inputs.inputs.size() > function.getNumArguments())
    return llvm::createStringError("'" + function.getName() + "' takes " +
                                   Twine(function.getNumArguments()) +
                                   " inputs, but " + Twine(inputs.inputs.size()) +
                                   " were given");
  SmallVector<RuntimeValue> arguments;
  for (unsigned i = 0; i < function.getNumArguments(); ++i) {
    llvm::Expected<Tensor> tensor = makeArgument(function, i, types[i], inputs);
    if (!tensor)
      return tensor.takeError();
    arguments.push_back(TensorPtr(std::make_shared<Tensor>(std::move(*tensor))));
  }
  return arguments;
}
