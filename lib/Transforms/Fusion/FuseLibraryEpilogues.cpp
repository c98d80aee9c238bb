//===- FuseLibraryEpilogues.cpp - elementwise ops into library calls ------===//
//
// Lets a library add a bias or a residual to what it computes, where that saves a pass
// over memory.
//
//===----------------------------------------------------------------------===//

#include "mindir-c/Runtime.h"
#include "mindir/Conversion/RuntimeCalls.h"
#include "mindir/Dialect/MindIR/IR/MindIR.h"
#include "mindir/Transforms/Fusion/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Remarks.h"

namespace mlir::mindir {
#define GEN_PASS_DEF_FUSELIBRARYEPILOGUES
#include "mindir/Transforms/Fusion/Passes.h.inc"
} // namespace mlir::mindir

using namespace mlir;
using namespace mlir::mindir;

//===----------------------------------------------------------------------===//
// What libraries take
//===----------------------------------------------------------------------===//

namespace {

/// One elementwise op of two operands, and the post-op that it is; -1 for none. All of
/// these give the value of the op bit for bit, be it NaN or an infinity. oneDNN's relu
/// does not.
struct PostOp {
  StringLiteral name;
  /// Whether the call's result may be either operand, else it is the first.
  bool commutes;
  /// The other operand being a vector along the channels, or of the result's shape.
  int64_t ofVector, ofTensor;
};

constexpr PostOp kOneDNNPostOps[] = {
    {"arith.addf", true, MINDRT_POST_BIAS, MINDRT_POST_RESIDUAL},
    {"arith.subf", false, MINDRT_POST_CHANNEL_SUB, -1},
    {"arith.mulf", true, MINDRT_POST_CHANNEL_MUL, -1},
};

/// A library function that takes post-ops.
struct LibraryFunction {
  StringLiteral name;
  ArrayRef<PostOp> postOps;
  /// Whether this call takes them: the channels are the last dimension of its result.
  bool (*takesPostOps)(LibraryCallOp call);
};

bool always(LibraryCallOp) { return true; }
bool isChannelsLast(LibraryCallOp call) {
  return call.getConfig()[1] == MINDRT_CHANNELS_LAST;
}
/// The library refuses an empty cotangent, unless for an empty batch.
bool isChannelsLastGradient(LibraryCallOp call) {
  auto cotangent = cast<RankedTensorType>(call.getInputs().front().getType());
  return isChannelsLast(call) &&
         !ShapedType::isDynamicShape(cotangent.getShape().drop_front());
}

const LibraryFunction kFunctions[] = {
    {"onednn.matmul", kOneDNNPostOps, always},
    {"onednn.convolution", kOneDNNPostOps, isChannelsLast},
    {"onednn.convolution_backward_data", kOneDNNPostOps, isChannelsLastGradient},
};

/// An op that a call may take in: its post-op, and what that reads.
struct Epilogue {
  linalg::GenericOp op;
  int64_t kind;
  Value operand;
};

} // namespace

static const LibraryFunction *findFunction(LibraryCallOp call) {
  const auto *found = llvm::find_if(kFunctions, [&](const LibraryFunction &function) {
    return function.name == call.getName();
  });
  bool takes = found != std::end(kFunctions) && call->getNumResults() == 1 &&
               found->takesPostOps(call);
  return takes ? found : nullptr;
}

//===----------------------------------------------------------------------===//
// Matching
//===----------------------------------------------------------------------===//

/// Whether a loop computes each element from those of equal index.
static bool isElementwise(linalg::GenericOp op) {
  return op.getNumParallelLoops() == op.getNumLoops() && op->getNumResults() == 1 &&
         llvm::all_of(op.getIndexingMapsArray(),
                      [](AffineMap map) { return map.isIdentity(); });
}

/// The tensor that `value` repeats along all dimensions but the last; null if none.
static Value getRepeated(Value value) {
  auto op = value.getDefiningOp<linalg::GenericOp>();
  if (!op || op.getNumDpsInputs() != 1 || op.getBody()->getOperations().size() != 1 ||
      op.getBody()->getTerminator()->getOperand(0) != op.getBody()->getArgument(0) ||
      !op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isIdentity())
    return Value();
  AffineMap map = op.getMatchingIndexingMap(op.getDpsInputOperand(0));
  if (map.getNumResults() == 0)
    return Value();
  auto last = dyn_cast<AffineDimExpr>(map.getResults().back());
  bool isVector = last && last.getPosition() + 1 == map.getNumDims() &&
                  llvm::all_of(map.getResults().drop_back(), [](AffineExpr expr) {
                    return isa<AffineConstantExpr>(expr);
                  });
  return isVector ? op.getDpsInputOperand(0)->get() : Value();
}

/// Matches an op on `value`, which a call computes, to a post-op of the table.
static std::optional<Epilogue> matchEpilogue(linalg::GenericOp op, Value value,
                                             ArrayRef<PostOp> table) {
  if (!isElementwise(op) || op.getNumDpsInputs() != 2 ||
      op.getBody()->getOperations().size() != 2)
    return std::nullopt;
  Operation &scalar = op.getBody()->front();
  const auto *entry = llvm::find_if(table, [&](const PostOp &postOp) {
    return postOp.name == scalar.getName().getStringRef();
  });
  auto argument = [&](unsigned i) {
    auto block = dyn_cast<BlockArgument>(scalar.getOperand(i));
    return block && block.getArgNumber() < 2
               ? op.getDpsInputOperand(block.getArgNumber())->get()
               : Value();
  };
  if (entry == table.end() || scalar.getNumOperands() != 2)
    return std::nullopt;
  Value lhs = argument(0), rhs = argument(1);
  if (entry->commutes && rhs == value)
    std::swap(lhs, rhs);
  if (lhs != value || !rhs || rhs == value || rhs.getType() != value.getType())
    return std::nullopt;
  if (Value vector = getRepeated(rhs))
    return Epilogue{op, entry->ofVector, vector};
  if (entry->ofTensor < 0)
    return std::nullopt;
  return Epilogue{op, entry->ofTensor, rhs};
}

/// Whether loops that read the op's result leave no pass over memory to it: they
/// compute it on the way, each if that is cheap.
static bool isComputedByUsers(Epilogue epilogue) {
  Value result = epilogue.op->getResult(0);
  bool isCheap = epilogue.kind != MINDRT_POST_RESIDUAL;
  return (isCheap || result.hasOneUse()) &&
         llvm::all_of(result.getUsers(),
                      [](Operation *user) { return isa<linalg::GenericOp>(user); });
}

/// The longest chain of ops after the call that it can take in and that ends in one
/// which would be a pass over memory.
static SmallVector<Epilogue> findEpilogues(LibraryCallOp call,
                                           const LibraryFunction &function) {
  SmallVector<Epilogue> chain;
  size_t length = 0;
  Value value = call.getResult(0);
  while (value.hasOneUse()) {
    auto op = dyn_cast<linalg::GenericOp>(*value.getUsers().begin());
    auto epilogue = op && op->getBlock() == call->getBlock()
                        ? matchEpilogue(op, value, function.postOps)
                        : std::nullopt;
    if (!epilogue)
      break;
    chain.push_back(*epilogue);
    if (!isComputedByUsers(*epilogue))
      length = chain.size();
    value = op.getResult(0);
  }
  if (length < chain.size())
    remark::missed(chain[length].op.getLoc(),
                   remark::RemarkOpts::name("Epilogue").category("fusion"))
        << "not taken into the library call: the loop that reads the result computes "
           "it on the way";
  chain.truncate(length);
  return chain;
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

/// A tensor of one row, [1, .., n], as a vector.
static Value asVector(OpBuilder &b, Location loc, Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  if (type.getRank() == 1)
    return value;
  if (auto expand = value.getDefiningOp<tensor::ExpandShapeOp>())
    if (expand.getSrcType().getRank() == 1)
      return expand.getSrc();
  ReassociationIndices all = llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()));
  return tensor::CollapseShapeOp::create(b, loc, value,
                                         ArrayRef<ReassociationIndices>(all));
}

/// The config with post-ops appended to the list that ends it. It had none.
static SmallVector<int64_t> extendConfig(ArrayRef<int64_t> config,
                                         ArrayRef<Epilogue> chain) {
  SmallVector<int64_t> result(config);
  result.back() = chain.size();
  for (const Epilogue &epilogue : chain)
    result.append({epilogue.kind, /*parameter=*/0});
  return result;
}

static void takeIn(LibraryCallOp call, MutableArrayRef<Epilogue> chain) {
  linalg::GenericOp last = chain.back().op;
  OpBuilder b(last);
  SmallVector<Value> inputs(call.getInputs());
  SmallVector<Location> locations{call.getLoc()};
  for (Epilogue &epilogue : chain) {
    bool isVector = epilogue.kind != MINDRT_POST_RESIDUAL;
    inputs.push_back(isVector ? asVector(b, last.getLoc(), epilogue.operand)
                              : epilogue.operand);
    locations.push_back(epilogue.op.getLoc());
    remark::passed(epilogue.op.getLoc(),
                   remark::RemarkOpts::name("Epilogue").category("fusion"))
        << "taken into the library call that computes its operand";
  }
  auto fused = LibraryCallOp::create(
      b, b.getFusedLoc(locations), call.getResultTypes(), call.getName(), inputs,
      call.getInits(), extendConfig(call.getConfig(), chain), call.getReadsInitAttr(),
      call.getElementwise());
  if (auto permutations = call->getAttrOfType<ArrayAttr>(kPermutationsName)) {
    SmallVector<Attribute> all(permutations.getValue());
    all.insert(all.end() - 1, chain.size(), b.getDenseI64ArrayAttr({}));
    fused->setAttr(kPermutationsName, b.getArrayAttr(all));
  }
  last.getResult(0).replaceAllUsesWith(fused.getResult(0));
  for (Epilogue &epilogue : llvm::reverse(chain))
    epilogue.op->erase();
  call.erase();
}

namespace {

struct FuseLibraryEpilogues
    : mlir::mindir::impl::FuseLibraryEpiloguesBase<FuseLibraryEpilogues> {
  void runOnOperation() override {
    SmallVector<LibraryCallOp> calls;
    getOperation()->walk([&](LibraryCallOp call) { calls.push_back(call); });
    for (LibraryCallOp call : calls) {
      const LibraryFunction *function = findFunction(call);
      if (!function || call.getConfig().back() != 0)
        continue;
      SmallVector<Epilogue> chain = findEpilogues(call, *function);
      if (!chain.empty())
        takeIn(call, chain);
    }
  }
};

} // namespace
