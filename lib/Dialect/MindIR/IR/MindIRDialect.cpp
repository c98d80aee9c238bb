//===- MindIRDialect.cpp - registration of the dialect --------------------===//
//
// Registers types, attributes and ops; materializes constants.
//
//===----------------------------------------------------------------------===//

#include "mindir/Dialect/MindIR/IR/MindIR.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Transforms/InliningUtils.h"
#include "llvm/ADT/TypeSwitch.h"

#include "mindir/Dialect/MindIR/IR/MindIRDialect.cpp.inc"
#include "mindir/Dialect/MindIR/IR/MindIREnums.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "mindir/Dialect/MindIR/IR/MindIRTypes.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "mindir/Dialect/MindIR/IR/MindIRAttrs.cpp.inc"

using namespace mlir;
using namespace mlir::mindir;

namespace {
/// Every mindir op may stand in another function.
struct MindIRInlinerInterface : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;
  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const override {
    return true;
  }
};
} // namespace

void MindIRDialect::initialize() {
  addInterfaces<MindIRInlinerInterface>();
  addTypes<
#define GET_TYPEDEF_LIST
#include "mindir/Dialect/MindIR/IR/MindIRTypes.cpp.inc"
      >();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "mindir/Dialect/MindIR/IR/MindIRAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "mindir/Dialect/MindIR/IR/CollectiveOps.cpp.inc"
      ,
#define GET_OP_LIST
#include "mindir/Dialect/MindIR/IR/ControlFlowOps.cpp.inc"
      ,
#define GET_OP_LIST
#include "mindir/Dialect/MindIR/IR/ElementwiseOps.cpp.inc"
      ,
#define GET_OP_LIST
#include "mindir/Dialect/MindIR/IR/IndexingOps.cpp.inc"
      ,
#define GET_OP_LIST
#include "mindir/Dialect/MindIR/IR/LinearOps.cpp.inc"
      ,
#define GET_OP_LIST
#include "mindir/Dialect/MindIR/IR/MovementOps.cpp.inc"
      ,
#define GET_OP_LIST
#include "mindir/Dialect/MindIR/IR/NormalizationOps.cpp.inc"
      ,
#define GET_OP_LIST
#include "mindir/Dialect/MindIR/IR/RandomOps.cpp.inc"
      ,
#define GET_OP_LIST
#include "mindir/Dialect/MindIR/IR/ReductionOps.cpp.inc"
      ,
#define GET_OP_LIST
#include "mindir/Dialect/MindIR/IR/ScheduleOps.cpp.inc"
      ,
#define GET_OP_LIST
#include "mindir/Dialect/MindIR/IR/StateOps.cpp.inc"
      >();
}

Operation *MindIRDialect::materializeConstant(OpBuilder &builder,
                                              Attribute value, Type type,
                                              Location loc) {
  auto elements = dyn_cast<ElementsAttr>(value);
  if (!elements || elements.getType() != type)
    return nullptr;
  return ConstantOp::create(builder, loc, elements);
}
