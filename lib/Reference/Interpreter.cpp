//===- Interpreter.cpp - the reference interpreter ------------------------===//
//
// Walks blocks op by op, looks up each op's kernel, and checks what it gives
// against the types in the IR.
//
//===----------------------------------------------------------------------===//

#include "mindir/Reference/Interpreter.h"

#include "mindir/Dialect/MindIR/IR/MindIR.h"
#include "mindir/Reference/Kernels.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace mlir::mindir;
using namespace mlir::mindir::reference;

using Values = SmallVector<RuntimeValue>;

//===----------------------------------------------------------------------===//
// Values and errors
//===----------------------------------------------------------------------===//

/// Unlinks in a loop: a tape may be longer than the stack is deep.
TapeEntry::~TapeEntry() {
  while (rest && rest.use_count() == 1)
    rest = std::shared_ptr<const TapeEntry>(rest->rest);
}

char ExecutionError::ID = 0;

void ExecutionError::log(llvm::raw_ostream &os) const {
  os << location << ": " << message;
}

std::error_code ExecutionError::convertToErrorCode() const {
  return llvm::inconvertibleErrorCode();
}

llvm::Error Interpreter::fail(Operation *op, const Twine &message) {
  return llvm::make_error<ExecutionError>(op->getLoc(), message.str());
}

/// Whether a tensor can be a value of `type`: dtype and known sizes agree.
static bool isOfType(const Tensor &tensor, Type type) {
  if (getDType(getElementTypeOrSelf(type)) != tensor.getDType())
    return false;
  auto shaped = dyn_cast<RankedTensorType>(type);
  if (!shaped)
    return tensor.getRank() == 0;
  return shaped.getRank() == tensor.getRank() &&
         llvm::all_of(llvm::zip(shaped.getShape(), tensor.getShape()),
                      [](auto sizes) {
                        auto [known, size] = sizes;
                        return ShapedType::isDynamic(known) || known == size;
                      });
}

llvm::Error Interpreter::checkValue(Operation *op, Type type,
                                    const RuntimeValue &value) {
  auto *tensor = std::get_if<TensorPtr>(&value);
  bool agrees = tensor                           ? isOfType(**tensor, type)
                : std::holds_alternative<Tape>(value) ? isa<TapeType>(type)
                                                 : isa<TokenType>(type);
  if (agrees)
    return llvm::Error::success();
  std::string expected;
  llvm::raw_string_ostream(expected) << type;
  return fail(op, "ValueError: '" + op->getName().getStringRef() +
                      "' expected a value of type " + expected + ", but got " +
                      (tensor ? (*tensor)->getTypeText() : "another kind"));
}

//===----------------------------------------------------------------------===//
// Execution
//===----------------------------------------------------------------------===//

Interpreter::Interpreter(ModuleOp module, InterpreterOptions options)
    : module(module), symbols(module), options(options) {}

llvm::Expected<Values> Interpreter::run(StringRef name,
                                        ArrayRef<RuntimeValue> arguments) {
  steps = 0;
  depth = 0;
  return call(module, name, arguments);
}

llvm::Expected<Values> Interpreter::call(Operation *caller, StringRef name,
                                         ArrayRef<RuntimeValue> arguments) {
  auto function = symbols.lookup<func::FuncOp>(name);
  if (!function || function.isExternal())
    return fail(caller, "ValueError: there is no function '" + name +
                            "' with a body in the module");
  if (function.getNumArguments() != arguments.size())
    return fail(caller, "ValueError: function '" + name + "' takes " +
                            Twine(function.getNumArguments()) +
                            " arguments, but got " + Twine(arguments.size()));
  if (depth == options.maxDepth)
    return fail(caller, "RecursionError: more than " + Twine(options.maxDepth) +
                            " nested calls, the last of '" + name + "'");
  Frame callee;
  Frame *saved = std::exchange(frame, &callee);
  ++depth;
  llvm::Expected<Values> results = runRegion(function.getBody(), arguments);
  frame = saved;
  --depth;
  return results;
}

llvm::Expected<Values> Interpreter::runRegion(Region &region,
                                              ArrayRef<RuntimeValue> arguments) {
  Operation *parent = region.getParentOp();
  if (!region.hasOneBlock())
    return fail(parent, "ValueError: the reference interpreter runs structured "
                        "control flow (scf), but found a region of several blocks");
  Block &block = region.front();
  for (auto [argument, value] : llvm::zip_equal(block.getArguments(), arguments)) {
    if (llvm::Error error = checkValue(parent, argument.getType(), value))
      return error;
    (*frame)[argument] = value;
  }
  for (Operation &op : block.without_terminator())
    if (llvm::Error error = runOp(&op))
      return error;
  Values results;
  if (block.mightHaveTerminator())
    for (Value operand : block.getTerminator()->getOperands())
      results.push_back(frame->lookup(operand));
  return results;
}

llvm::Error Interpreter::runOp(Operation *op) {
  if (options.maxSteps && ++steps > options.maxSteps)
    return fail(op, "RuntimeError: stopped after " + Twine(options.maxSteps) +
                        " ops; raise the step bound if the program does end");
  StringRef name = op->getName().getStringRef();
  const Kernel *kernel = KernelRegistry::get().lookup(name);
  if (!kernel)
    return fail(op, "NotImplementedError: the reference interpreter has no "
                    "kernel for '" + name + "'");
  KernelCall call(*this, op);
  LogicalResult status = (*kernel)(call);
  if (llvm::Error error = std::move(call.error))
    return error;
  if (failed(status))
    return fail(op, "RuntimeError: the kernel of '" + name + "' failed");
  if (call.results.size() != op->getNumResults())
    return fail(op, "ValueError: '" + name + "' expected " +
                        Twine(op->getNumResults()) + " results, but got " +
                        Twine(call.results.size()));
  for (auto [result, value] : llvm::zip_equal(op->getResults(), call.results)) {
    if (llvm::Error error = checkValue(op, result.getType(), value))
      return error;
    (*frame)[result] = std::move(value);
  }
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// KernelCall
//===----------------------------------------------------------------------===//

const RuntimeValue &KernelCall::getValue(Value value) const {
  return interpreter.frame->find(value)->second;
}

const Tensor &KernelCall::get(Value value) const {
  return *std::get<TensorPtr>(getValue(value));
}

int64_t KernelCall::getScalar(Value value) const {
  return static_cast<int64_t>(get(value).getInteger(0));
}

SmallVector<int64_t> KernelCall::getScalars(ValueRange values) const {
  return llvm::map_to_vector(values, [&](Value v) { return getScalar(v); });
}

LogicalResult KernelCall::fail(const Twine &message) {
  error = llvm::joinErrors(std::move(error), interpreter.fail(op, message));
  return failure();
}

Tensor *KernelCall::allocateResult(ArrayRef<int64_t> shape) {
  Type type = op->getResult(results.size()).getType();
  if (!countElements(shape)) {
    std::string text;
    llvm::raw_string_ostream os(text);
    llvm::interleaveComma(shape, os);
    (void)fail("ValueError: '" + op->getName().getStringRef() +
               "' cannot allocate a result of shape (" + text + ")");
    return nullptr;
  }
  auto tensor = std::make_shared<Tensor>(
      reference::getDType(getElementTypeOrSelf(type)).value_or(DType::F64), shape);
  Tensor *pointer = tensor.get();
  addResult(TensorPtr(std::move(tensor)));
  return pointer;
}

Tensor *KernelCall::allocateResult(ValueRange dynamicSizes) {
  auto type = cast<RankedTensorType>(op->getResult(results.size()).getType());
  SmallVector<int64_t> shape(type.getShape());
  SmallVector<int64_t> sizes = getScalars(dynamicSizes);
  unsigned next = 0;
  for (int64_t &size : shape)
    if (ShapedType::isDynamic(size) && next < sizes.size())
      size = sizes[next++];
  return allocateResult(shape);
}

FailureOr<Values> KernelCall::take(llvm::Expected<Values> values) {
  if (values)
    return std::move(*values);
  error = llvm::joinErrors(std::move(error), values.takeError());
  return failure();
}

FailureOr<Values> KernelCall::runRegion(Region &region,
                                        ArrayRef<RuntimeValue> arguments) {
  return take(interpreter.runRegion(region, arguments));
}

FailureOr<Values> KernelCall::callFunction(StringRef name,
                                           ArrayRef<RuntimeValue> arguments) {
  return take(interpreter.call(op, name, arguments));
}

//===----------------------------------------------------------------------===//
// Registry
//===----------------------------------------------------------------------===//

const Kernel *KernelRegistry::lookup(StringRef name) const {
  auto it = kernels.find(name);
  return it == kernels.end() ? nullptr : &it->second;
}

const KernelRegistry &KernelRegistry::get() {
  static const KernelRegistry registry = [] {
    KernelRegistry result;
    populateElementwiseKernels(result);
    populateReductionKernels(result);
    populateLinearKernels(result);
    populateNormalizationKernels(result);
    populateMovementKernels(result);
    populateIndexingKernels(result);
    populateRandomKernels(result);
    populateStateKernels(result);
    populateCollectiveKernels(result);
    populateControlFlowKernels(result);
    populateScalarKernels(result);
    return result;
  }();
  return registry;
}
