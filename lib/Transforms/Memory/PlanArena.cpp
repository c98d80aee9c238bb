//===- PlanArena.cpp - one allocation for many buffers --------------------===//
//
// Places the buffers of a function that live within one block into one arena.
//
//===----------------------------------------------------------------------===//

#include "mindir/Transforms/Memory/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

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
  /// Positions of the two ops in the block, and the place in the arena.
  int64_t begin = 0, end = 0, bytes = 0, offset = 0;
};

/// The size of a buffer of known shape, rounded up; nothing otherwise.
std::optional<int64_t> getBytes(MemRefType type) {
  if (!type.hasStaticShape() || !type.getLayout().isIdentity() ||
      !type.getElementType().isIntOrFloat())
    return std::nullopt;
  int64_t element = llvm::divideCeil(type.getElementTypeBitWidth(), 8);
  return llvm::alignTo(std::max<int64_t>(type.getNumElements() * element, 1),
                       kAlignment);
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

SmallVector<Tenant> collectTenants(Block &block) {
  SmallVector<Tenant> tenants;
  DenseMap<Operation *, int64_t> positions;
  for (auto [position, op] : llvm::enumerate(block))
    positions[&op] = position;
  for (auto alloc : block.getOps<memref::AllocOp>()) {
    std::optional<int64_t> bytes = getBytes(alloc.getType());
    memref::DeallocOp dealloc = findDealloc(alloc);
    if (bytes && dealloc)
      tenants.push_back({alloc, dealloc, positions[alloc], positions[dealloc],
                         *bytes, 0});
  }
  return tenants;
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

struct PlanArena : mlir::mindir::impl::PlanArenaBase<PlanArena> {
  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (!function.isDeclaration())
        for (Block &block : function.getBody())
          plan(block);
  }

private:
  void plan(Block &block) {
    SmallVector<Tenant> tenants = collectTenants(block);
    if (tenants.size() < 2)
      return;
    int64_t size = placeTenants(tenants);
    OpBuilder b = OpBuilder::atBlockBegin(&block);
    Location loc = block.getParentOp()->getLoc();
    auto type = MemRefType::get({size}, b.getI8Type());
    Value arena = memref::AllocOp::create(b, loc, type);
    for (Tenant &tenant : tenants) {
      b.setInsertionPoint(tenant.alloc);
      Value offset = arith::ConstantIndexOp::create(b, loc, tenant.offset);
      Value view = memref::ViewOp::create(b, tenant.alloc.getLoc(),
                                          tenant.alloc.getType(), arena, offset,
                                          ValueRange{});
      tenant.dealloc.erase();
      tenant.alloc.getResult().replaceAllUsesWith(view);
      tenant.alloc.erase();
      ++numPlaced;
    }
    b.setInsertionPoint(block.getTerminator());
    memref::DeallocOp::create(b, loc, arena);
  }
};

} // namespace
