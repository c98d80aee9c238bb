//===- MindIRBase.td - op classes and type constraints --------*- tablegen -*-===//
//
// Base classes and type constraints of all op families.
//
//===----------------------------------------------------------------------===//

#ifndef MINDIR_IR_MINDIRBASE_TD
#define MINDIR_IR_MINDIRBASE_TD

include "mindir/Dialect/MindIR/IR/MindIRDialect.td"
include "mindir/Dialect/MindIR/IR/MindIREnums.td"
include "mindir/Dialect/MindIR/IR/MindIRTypes.td"
include "mindir/Interfaces/StructuredOpInterface.td"
include "mindir/Interfaces/PrecisionOpInterface.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

//===----------------------------------------------------------------------===//
// Type constraints
//===----------------------------------------------------------------------===//

def MindIR_SInt : AnyTypeOf<[I8, I16, I32, I64]>;
def MindIR_UInt : AnyTypeOf<[UI8, UI16, UI32, UI64]>;
def MindIR_Int : AnyTypeOf<[MindIR_SInt, MindIR_UInt]>;
def MindIR_Float : AnyTypeOf<[F16, BF16, F32, F64]>;

def MindIR_BoolTensor : RankedTensorOf<[I1]>;
def MindIR_IntTensor : RankedTensorOf<[MindIR_Int]>;
def MindIR_FloatTensor : RankedTensorOf<[MindIR_Float]>;
def MindIR_NumericTensor : RankedTensorOf<[MindIR_Int, MindIR_Float]>;
def MindIR_IntegralTensor : RankedTensorOf<[I1, MindIR_Int]>;
def MindIR_Tensor : RankedTensorOf<[I1, MindIR_Int, MindIR_Float]>;
def MindIR_IndexTensor : RankedTensorOf<[I32, I64]>;

/// A position along a dimension, known when run.
def MindIR_Position : Type<
      And<[IsRankedTensorTypePred, CPred<"::mlir::mindir::isPositionType($_self)">]>,
      "0-d tensor of i64", "::mlir::RankedTensorType">,
    BuildableType<"::mlir::RankedTensorType::get({}, $_builder.getI64Type())">;

/// The state of a random generator: [seed, offset].
def MindIR_StateTensor : Type<
      And<[IsRankedTensorTypePred, CPred<"::mlir::mindir::isGeneratorStateType($_self)">]>,
      "tensor of two ui64", "::mlir::RankedTensorType">,
    BuildableType<"::mlir::RankedTensorType::get({2}, $_builder.getIntegerType(64, false))">;

//===----------------------------------------------------------------------===//
// Op classes
//===----------------------------------------------------------------------===//

/// Why an op has no rule of a kind: none would make sense. Kinds: inference,
/// derivative, batching, sharding, reference, lowering. What an op lacks without
/// saying so is a gap, which a test finds.
class MindIR_Without<string ruleKind, string why> {
  string kind = ruleKind;
  string reason = why;
}

class MindIR_Op<string mnemonic, list<Trait> traits = []>
    : Op<MindIR_Dialect, mnemonic, traits> {
  list<MindIR_Without> without = [];
}

defvar MindIR_GivenType = MindIR_Without<"inference",
  "the type of the result is given with the op: it says what to make">;

/// Of ops without operands that carry data.
defvar MindIR_NoOperands = [
  MindIR_Without<"derivative", "there is no operand to differentiate by">,
  MindIR_Without<"batching", "there is no operand that could differ between lanes">];

/// Of ops whose float results depend on no float.
defvar MindIR_OnIntegers = [
  MindIR_Without<"derivative", "the operands are integers or bools, which have none">];
defvar MindIR_ToIntegers = [
  MindIR_Without<"derivative", "the result is an integer or bool, which has none">];
/// Of ops that differentiation takes for constants.
defvar MindIR_PiecewiseConstant = [
  MindIR_Without<"derivative", "it is piecewise constant: zero wherever there is one">];

/// An op without effects.
class MindIR_PureOp<string mnemonic, list<Trait> traits = []>
    : MindIR_Op<mnemonic, !listconcat([Pure], traits)>;

/// A pure op whose result types follow from operands and attributes. A result
/// type written in the IR may know fewer or more sizes than the inferred one.
class MindIR_InferredOp<string mnemonic, list<Trait> traits = []>
    : MindIR_PureOp<mnemonic,
        !listconcat([InferTypeOpAdaptorWithIsCompatible], traits)> {
  code inferredOpDefinition = [{
    bool $cppClass::isCompatibleReturnTypes(::mlir::TypeRange inferred,
                                            ::mlir::TypeRange actual) {
      return ::mlir::mindir::areCompatibleTensorTypes(inferred, actual);
    }
  }];
  let extraClassDefinition = inferredOpDefinition;
}

/// A pure op whose result shape is given, not inferred: the result type states
/// the known sizes and `dynamic_sizes` gives one index per `?`, as in
/// `tensor.empty`.
class MindIR_ShapedOp<string mnemonic, list<Trait> traits = []>
    : MindIR_PureOp<mnemonic, traits> {
  let hasVerifier = 1;
  let without = [MindIR_GivenType];
}

#endif // MINDIR_IR_MINDIRBASE_TD
