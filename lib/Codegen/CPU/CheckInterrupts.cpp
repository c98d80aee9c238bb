//===- CheckInterrupts.cpp - loops that Ctrl-C ends -----------------------===//
//
// Joins the condition of every `scf.while` with the runtime's interrupt flag.
//
//===----------------------------------------------------------------------===//

#include "mindir/Codegen/CPU/Passes.h"

#include "mindir/Conversion/RuntimeCalls.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir::mindir {
#define GEN_PASS_DEF_CHECKINTERRUPTS
#include "mindir/Codegen/CPU/Passes.h.inc"
} // namespace mlir::mindir

using namespace mlir;
using namespace mlir::mindir;

static void addCheck(scf::ConditionOp condition) {
  OpBuilder b(condition);
  Location loc = condition.getLoc();
  Value code = callRuntime(b, loc, "mindrt_check_interrupt", b.getI32Type(),
                           ValueRange{})[0];
  Value zero = arith::ConstantIntOp::create(b, loc, b.getI32Type(), 0);
  Value goes = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                                     code, zero);
  Value both = arith::AndIOp::create(b, loc, condition.getCondition(), goes);
  condition.getConditionMutable().assign(both);
}

namespace {
struct CheckInterrupts
    : mlir::mindir::impl::CheckInterruptsBase<CheckInterrupts> {
  void runOnOperation() override {
    SmallVector<scf::ConditionOp> conditions;
    getOperation().walk(
        [&](scf::ConditionOp condition) { conditions.push_back(condition); });
    llvm::for_each(conditions, addCheck);
  }
};
} // namespace
