//===- PlanArena.cpp - one allocation for many buffers --------------------===//
//
// Places the buffers of a function that live within one block into one arena.
//
//===----------------------------------------------------------------------===//

#include "mindir/Transforms/Memory/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

namespace mlir::mindir {
#define GEN_PASS_DEF_PLANARENA
#include "mindir/Transforms/Memory/Passes.h.inc"
} // namespace mlir::mindir

using namespace mlir;
using namespace mlir::mindir;

/// Buffers begin at multiples of a cache line.
static constexpr int64_t kAlignment = 64;

namespace {

/// A buffer that is allocated and freed in one block.
struct Tenant {
  memref::AllocOp alloc;
  memref::DeallocOp dealloc;
  /// Positions of the first and the last use in the block, and the place in the arena:
  /// of buffers of unknown size the slot.
  int64_t begin = 0, end = 0, bytes = 0, offset = 0;
};

/// Buffers of one unknown size: the product of `factor` bytes and some sizes.
struct SizeClass {
  SmallVector<Value> sizes;
  int64_t factor = 0, numSlots = 0;
  SmallVector<Tenant> tenants;
};

bool canBePlaced(MemRefType type) {
  return type.getLayout().isIdentity() && type.getElementType().isIntOrFloat();
}

/// The product of the sizes that the type knows, in bytes.
int64_t getKnownBytes(MemRefType type) {
  int64_t bytes = llvm::divideCeil(type.getElementTypeBitWidth(), 8);
  for (int64_t size : type.getShape())
    if (!ShapedType::isDynamic(size))
      bytes *= size;
  return bytes;
}

/// The one deallocation of the buffer in its block, if it is freed there.
memref::DeallocOp findDealloc(memref::AllocOp alloc) {
  memref::DeallocOp found;
  for (Operation *user : alloc->getUsers())
    if (auto dealloc = dyn_cast<memref::DeallocOp>(user)) {
      if (found || dealloc->getBlock() != alloc->getBlock())
        return {};
      found = dealloc;
    }
  return found;
}

/// The first and the last op of the block that use the buffer or a view of it; its
/// deallocation, which stands at the end of the block, is the last when the buffer may
/// live on under another name.
class UseRange {
public:
  UseRange(memref::AllocOp alloc, memref::DeallocOp dealloc)
      : block(alloc->getBlock()), dealloc(dealloc) {
    follow(alloc);
    if (escapes || !first) {
      first = alloc;
      last = dealloc;
    }
  }
  Operation *first = nullptr, *last = nullptr;

private:
  void follow(Value buffer) {
    for (Operation *user : buffer.getUsers()) {
      if (user == dealloc)
        continue;
      Operation *op = block->findAncestorOpInBlock(*user);
      if (!first || op->isBeforeInBlock(first))
        first = op;
      if (!last || last->isBeforeInBlock(op))
        last = op;
      if (isa<ViewLikeOpInterface>(user))
        follow(user->getResult(0));
      else
        escapes |= user->hasTrait<OpTrait::IsTerminator>() ||
                   isa<memref::ExtractAlignedPointerAsIndexOp,
                       memref::ExtractStridedMetadataOp>(user) ||
                   llvm::any_of(user->getResultTypes(), [](Type type) {
                     return isa<BaseMemRefType>(type);
                   });
    }
  }

  Block *block;
  Operation *dealloc;
  bool escapes = false;
};

/// Whether a value can be computed where its block begins.
bool isKnownAtEntry(Value value, Block &block) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return true;
  if (op->getBlock() != &block)
    return op->getParentRegion()->isProperAncestor(block.getParent());
  return isPure(op) && !op->getNumRegions() &&
         llvm::all_of(op->getOperands(),
                      [&](Value v) { return isKnownAtEntry(v, block); });
}

/// What a block's arena is to hold.
struct Tenants {
  explicit Tenants(Block &block);
  SmallVector<Tenant> known;
  SmallVector<SizeClass> unknown;

  size_t size() const {
    size_t count = known.size();
    for (const SizeClass &sizes : unknown)
      count += sizes.tenants.size();
    return count;
  }

private:
  SizeClass &getClass(memref::AllocOp alloc);
};

SizeClass &Tenants::getClass(memref::AllocOp alloc) {
  SmallVector<Value> sizes(alloc.getDynamicSizes());
  llvm::sort(sizes, [](Value a, Value b) {
    return a.getAsOpaquePointer() < b.getAsOpaquePointer();
  });
  int64_t factor = getKnownBytes(alloc.getType());
  for (SizeClass &known : unknown)
    if (known.factor == factor && known.sizes == sizes)
      return known;
  unknown.push_back({sizes, factor, 0, {}});
  return unknown.back();
}

Tenants::Tenants(Block &block) {
  DenseMap<Operation *, int64_t> positions;
  for (auto [position, op] : llvm::enumerate(block))
    positions[&op] = position;
  for (auto alloc : block.getOps<memref::AllocOp>()) {
    memref::DeallocOp dealloc = findDealloc(alloc);
    if (!dealloc || !canBePlaced(alloc.getType()))
      continue;
    UseRange uses(alloc, dealloc);
    Tenant tenant{alloc, dealloc, positions[uses.first],
                  positions[uses.last] + 1, 0, 0};
    if (alloc.getType().hasStaticShape()) {
      tenant.bytes = llvm::alignTo(
          std::max<int64_t>(getKnownBytes(alloc.getType()), 1), kAlignment);
      known.push_back(tenant);
    } else if (llvm::all_of(alloc.getDynamicSizes(), [&](Value size) {
                 return isKnownAtEntry(size, block);
               })) {
      getClass(alloc).tenants.push_back(tenant);
    }
  }
}

/// Gives buffers of one size slots in turn: the first that is free.
void placeInSlots(SizeClass &sizes) {
  SmallVector<int64_t> ends;
  llvm::stable_sort(sizes.tenants, [](const Tenant &a, const Tenant &b) {
    return a.begin < b.begin;
  });
  for (Tenant &tenant : sizes.tenants) {
    auto *slot = llvm::find_if(
        ends, [&](int64_t end) { return end <= tenant.begin; });
    if (slot == ends.end())
      slot = ends.insert(ends.end(), 0);
    *slot = tenant.end;
    tenant.offset = slot - ends.begin();
  }
  sizes.numSlots = ends.size();
}

/// First fit, largest first. Returns the size of the arena.
int64_t placeTenants(SmallVectorImpl<Tenant> &tenants) {
  SmallVector<Tenant *> order, placed;
  for (Tenant &tenant : tenants)
    order.push_back(&tenant);
  llvm::stable_sort(order, [](const Tenant *a, const Tenant *b) {
    return a->bytes > b->bytes;
  });
  int64_t size = 0;
  for (Tenant *tenant : order) {
    // `placed` is sorted by offset.
    int64_t offset = 0;
    for (Tenant *other : placed) {
      bool meet = tenant->begin < other->end && other->begin < tenant->end;
      if (!meet)
        continue;
      if (offset + tenant->bytes <= other->offset)
        break;
      offset = std::max(offset, other->offset + other->bytes);
    }
    tenant->offset = offset;
    size = std::max(size, offset + tenant->bytes);
    auto place = llvm::upper_bound(placed, tenant,
                                   [](const Tenant *a, const Tenant *b) {
                                     return a->offset < b->offset;
                                   });
    placed.insert(place, tenant);
  }
  return size;
}

/// The allocation: buffers of known size, then a range of slots for each unknown size.
class Arena {
public:
  Arena(OpBuilder &b, Location loc, Block &block, int64_t knownBytes)
      : b(b), loc(loc), block(block), knownBytes(knownBytes) {}

  /// Appends the slots of a class; computes their size where the block begins.
  void reserve(const SizeClass &sizes) {
    Value bytes = arith::ConstantIndexOp::create(b, loc, sizes.factor);
    for (Value size : sizes.sizes) {
      hoist(size);
      bytes = arith::MulIOp::create(b, loc, bytes, size);
    }
    Value align = arith::ConstantIndexOp::create(b, loc, kAlignment);
    bytes = arith::CeilDivUIOp::create(b, loc, bytes, align);
    bytes = arith::MulIOp::create(b, loc, bytes, align);
    if (!total)
      total = arith::ConstantIndexOp::create(b, loc, knownBytes);
    starts.push_back(total);
    slotBytes.push_back(bytes);
    Value count = arith::ConstantIndexOp::create(b, loc, sizes.numSlots);
    Value all = arith::MulIOp::create(b, loc, bytes, count);
    total = arith::AddIOp::create(b, loc, total, all);
  }

  Value allocate() {
    int64_t size = total ? ShapedType::kDynamic : knownBytes;
    auto type = MemRefType::get({size}, b.getI8Type());
    return memref::AllocOp::create(b, loc, type,
                                   total ? ValueRange(total) : ValueRange());
  }

  Value getOffset(OpBuilder &builder, size_t sizeClass, int64_t slot) {
    Value number = arith::ConstantIndexOp::create(builder, loc, slot);
    Value offset =
        arith::MulIOp::create(builder, loc, slotBytes[sizeClass], number);
    return arith::AddIOp::create(builder, loc, starts[sizeClass], offset);
  }

private:
  /// Moves what computes a size to where the block begins.
  void hoist(Value size) {
    Operation *op = size.getDefiningOp();
    if (!op || op->getBlock() != &block || !moved.insert(op).second)
      return;
    for (Value operand : op->getOperands())
      hoist(operand);
    // Behind what was moved or made before; the builder goes on behind it.
    if (op->getIterator() == b.getInsertionPoint())
      b.setInsertionPointAfter(op);
    else
      op->moveBefore(&block, b.getInsertionPoint());
  }

  OpBuilder &b;
  Location loc;
  Block &block;
  int64_t knownBytes;
  Value total;
  SmallVector<Value> starts, slotBytes;
  llvm::SmallPtrSet<Operation *, 8> moved;
};

struct PlanArena : mlir::mindir::impl::PlanArenaBase<PlanArena> {
  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (!function.isDeclaration())
        for (Block &block : function.getBody())
          plan(block);
  }

private:
  void plan(Block &block) {
    Tenants tenants(block);
    if (tenants.size() < 2)
      return;
    int64_t size = placeTenants(tenants.known);
    OpBuilder b = OpBuilder::atBlockBegin(&block);
    Location loc = block.getParentOp()->getLoc();
    Arena arena(b, loc, block, size);
    for (SizeClass &sizes : tenants.unknown) {
      placeInSlots(sizes);
      arena.reserve(sizes);
    }
    Value buffer = arena.allocate();
    for (Tenant &tenant : tenants.known)
      settle(tenant, buffer, [&](OpBuilder &b) -> Value {
        return arith::ConstantIndexOp::create(b, loc, tenant.offset);
      });
    for (auto [number, sizes] : llvm::enumerate(tenants.unknown))
      for (Tenant &tenant : sizes.tenants)
        settle(tenant, buffer, [&, index = number](OpBuilder &b) {
          return arena.getOffset(b, index, tenant.offset);
        });
    b.setInsertionPoint(block.getTerminator());
    memref::DeallocOp::create(b, loc, buffer);
  }

  /// Makes the buffer a view of the arena.
  void settle(Tenant &tenant, Value arena,
              function_ref<Value(OpBuilder &)> getOffset) {
    OpBuilder b(tenant.alloc);
    Value view = memref::ViewOp::create(
        b, tenant.alloc.getLoc(), tenant.alloc.getType(), arena, getOffset(b),
        tenant.alloc.getDynamicSizes());
    tenant.dealloc.erase();
    tenant.alloc.getResult().replaceAllUsesWith(view);
    tenant.alloc.erase();
    ++numPlaced;
  }
};

} // namespace
