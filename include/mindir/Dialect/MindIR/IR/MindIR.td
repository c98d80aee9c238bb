//===- MindIR.td - all op families ----------------------------*- tablegen -*-===//
//
// Joins the families for the generated documentation.
//
//===----------------------------------------------------------------------===//

#ifndef MINDIR_IR_MINDIR_TD
#define MINDIR_IR_MINDIR_TD

include "mindir/Dialect/MindIR/IR/ElementwiseOps.td"
include "mindir/Dialect/MindIR/IR/ReductionOps.td"
include "mindir/Dialect/MindIR/IR/LinearOps.td"
include "mindir/Dialect/MindIR/IR/NormalizationOps.td"
include "mindir/Dialect/MindIR/IR/MovementOps.td"
include "mindir/Dialect/MindIR/IR/IndexingOps.td"
include "mindir/Dialect/MindIR/IR/RandomOps.td"
include "mindir/Dialect/MindIR/IR/StateOps.td"
include "mindir/Dialect/MindIR/IR/CollectiveOps.td"
include "mindir/Dialect/MindIR/IR/ControlFlowOps.td"
include "mindir/Dialect/MindIR/IR/ScheduleOps.td"

#endif // MINDIR_IR_MINDIR_TD
