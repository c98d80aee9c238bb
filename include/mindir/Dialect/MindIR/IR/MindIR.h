//===- MindIR.h - the mindir dialect --------------------------------------===//
//
// The one header of the dialect: types, attributes and all op families.
//
//===----------------------------------------------------------------------===//

#ifndef MINDIR_DIALECT_MINDIR_IR_MINDIR_H
#define MINDIR_DIALECT_MINDIR_IR_MINDIR_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "mindir/Dialect/MindIR/IR/TypeInference.h"
#include "mindir/Interfaces/PrecisionOpInterface.h"
#include "mindir/Interfaces/StructuredOpInterface.h"

#include "mindir/Dialect/MindIR/IR/MindIREnums.h.inc"

namespace mlir::mindir {

/// Folds an elementwise op: identities, and constants of few elements.
OpFoldResult foldElementwise(Operation *op, ArrayRef<Attribute> operands);

/// The attribute of a function's argument or result that says how it is
/// distributed, a `ShardingAttr`.
inline constexpr llvm::StringLiteral kShardingAttrName = "mindir.sharding";

} // namespace mlir::mindir

#include "mindir/Dialect/MindIR/IR/MindIRDialect.h.inc"

#define GET_TYPEDEF_CLASSES
#include "mindir/Dialect/MindIR/IR/MindIRTypes.h.inc"

#define GET_ATTRDEF_CLASSES
#include "mindir/Dialect/MindIR/IR/MindIRAttrs.h.inc"

#define GET_OP_CLASSES
#include "mindir/Dialect/MindIR/IR/CollectiveOps.h.inc"
#define GET_OP_CLASSES
#include "mindir/Dialect/MindIR/IR/ControlFlowOps.h.inc"
#define GET_OP_CLASSES
#include "mindir/Dialect/MindIR/IR/ElementwiseOps.h.inc"
#define GET_OP_CLASSES
#include "mindir/Dialect/MindIR/IR/IndexingOps.h.inc"
#define GET_OP_CLASSES
#include "mindir/Dialect/MindIR/IR/LinearOps.h.inc"
#define GET_OP_CLASSES
#include "mindir/Dialect/MindIR/IR/MovementOps.h.inc"
#define GET_OP_CLASSES
#include "mindir/Dialect/MindIR/IR/NormalizationOps.h.inc"
#define GET_OP_CLASSES
#include "mindir/Dialect/MindIR/IR/RandomOps.h.inc"
#define GET_OP_CLASSES
#include "mindir/Dialect/MindIR/IR/ReductionOps.h.inc"
#define GET_OP_CLASSES
#include "mindir/Dialect/MindIR/IR/ScheduleOps.h.inc"
#define GET_OP_CLASSES
#include "mindir/Dialect/MindIR/IR/StateOps.h.inc"

#endif // MINDIR_DIALECT_MINDIR_IR_MINDIR_H
