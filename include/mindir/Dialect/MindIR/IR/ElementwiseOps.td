//===- ElementwiseOps.td - elementwise ops --------------------*- tablegen -*-===//
//
// Ops that compute each element of the result from the elements of equal index.
//
//===----------------------------------------------------------------------===//

#ifndef MINDIR_IR_ELEMENTWISEOPS_TD
#define MINDIR_IR_ELEMENTWISEOPS_TD

include "mindir/Dialect/MindIR/IR/MindIRBase.td"

class MindIR_ElementwiseOp<string mnemonic, list<Trait> traits = []>
    : MindIR_PureOp<mnemonic, !listconcat([
        Elementwise, SameOperandsAndResultShape,
        StructuredOpInterface, PrecisionOpInterface], traits)> {
  let hasFolder = 1;
  code elementwiseDeclaration = [{
    ::llvm::SmallVector<::mlir::utils::IteratorType> getIteratorTypes() {
      return ::mlir::mindir::getElementwiseIteratorTypes(getOperation());
    }
    ::llvm::SmallVector<::mlir::AffineMap> getStructuredIndexingMaps() {
      return ::mlir::mindir::getElementwiseIndexingMaps(getOperation());
    }
  }];
  let extraClassDeclaration = elementwiseDeclaration;
  let extraClassDefinition = [{
    ::mlir::OpFoldResult $cppClass::fold(FoldAdaptor adaptor) {
      return ::mlir::mindir::foldElementwise(getOperation(), adaptor.getOperands());
    }
  }];
}

class MindIR_UnaryOp<string mnemonic, Type tensor, string summaryText,
                     string formula, list<Trait> traits = []>
    : MindIR_ElementwiseOp<mnemonic,
        !listconcat([SameOperandsAndResultType], traits)> {
  let summary = summaryText;
  let description = "`result = " # formula # "`, elementwise.";
  let arguments = (ins tensor:$input);
  let results = (outs tensor:$result);
  let assemblyFormat = "$input attr-dict `:` type($result)";
}

class MindIR_BinaryOp<string mnemonic, Type tensor, string summaryText,
                      string formula, list<Trait> traits = []>
    : MindIR_ElementwiseOp<mnemonic,
        !listconcat([SameOperandsAndResultType], traits)> {
  let summary = summaryText;
  let description = "`result = " # formula # "`, elementwise.";
  let arguments = (ins tensor:$lhs, tensor:$rhs);
  let results = (outs tensor:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($result)";
}

//===----------------------------------------------------------------------===//
// Unary
//===----------------------------------------------------------------------===//

def MindIR_AbsOp : MindIR_UnaryOp<"abs", MindIR_NumericTensor,
    "Absolute value; of the least integer, itself.", "|input|">;
def MindIR_NegOp : MindIR_UnaryOp<"neg", MindIR_NumericTensor,
    "Negation; integers wrap.", "-input">;
let without = MindIR_PiecewiseConstant in {
def MindIR_SignOp : MindIR_UnaryOp<"sign", MindIR_NumericTensor,
    "Sign: -1, 0 or 1; NaN of NaN.", "sign(input)">;
def MindIR_CeilOp : MindIR_UnaryOp<"ceil", MindIR_FloatTensor,
    "Least integer not below.", "ceil(input)">;
def MindIR_FloorOp : MindIR_UnaryOp<"floor", MindIR_FloatTensor,
    "Greatest integer not above.", "floor(input)">;
def MindIR_RoundOp : MindIR_UnaryOp<"round", MindIR_FloatTensor,
    "Nearest integer, ties to even.", "rint(input)">;
}
def MindIR_ExpOp : MindIR_UnaryOp<"exp", MindIR_FloatTensor,
    "Exponential.", "e^input">;
def MindIR_Expm1Op : MindIR_UnaryOp<"expm1", MindIR_FloatTensor,
    "Exponential less one, exact near zero.", "e^input - 1">;
def MindIR_LogOp : MindIR_UnaryOp<"log", MindIR_FloatTensor,
    "Natural logarithm.", "ln(input)">;
def MindIR_Log1pOp : MindIR_UnaryOp<"log1p", MindIR_FloatTensor,
    "Logarithm of one plus, exact near zero.", "ln(1 + input)">;
def MindIR_SqrtOp : MindIR_UnaryOp<"sqrt", MindIR_FloatTensor,
    "Square root.", "sqrt(input)">;
def MindIR_RsqrtOp : MindIR_UnaryOp<"rsqrt", MindIR_FloatTensor,
    "Reciprocal of the square root.", "1 / sqrt(input)">;
def MindIR_SinOp : MindIR_UnaryOp<"sin", MindIR_FloatTensor,
    "Sine of radians.", "sin(input)">;
def MindIR_CosOp : MindIR_UnaryOp<"cos", MindIR_FloatTensor,
    "Cosine of radians.", "cos(input)">;
def MindIR_TanhOp : MindIR_UnaryOp<"tanh", MindIR_FloatTensor,
    "Hyperbolic tangent.", "tanh(input)">;
def MindIR_ErfOp : MindIR_UnaryOp<"erf", MindIR_FloatTensor,
    "Error function.", "erf(input)">;
def MindIR_SigmoidOp : MindIR_UnaryOp<"sigmoid", MindIR_FloatTensor,
    "Logistic function.", "1 / (1 + e^-input)">;
def MindIR_ReluOp : MindIR_UnaryOp<"relu", MindIR_NumericTensor,
    "Rectifier; NaN of NaN; its derivative at zero is zero.", "max(input, 0)">;
let without = MindIR_OnIntegers in {
def MindIR_NotOp : MindIR_UnaryOp<"not", MindIR_IntegralTensor,
    "Logical complement of bool, bitwise of integers.", "~input">;
}

//===----------------------------------------------------------------------===//
// Binary
//===----------------------------------------------------------------------===//

def MindIR_AddOp : MindIR_BinaryOp<"add", MindIR_NumericTensor,
    "Sum; integers wrap.", "lhs + rhs", [Commutative]>;
def MindIR_SubOp : MindIR_BinaryOp<"sub", MindIR_NumericTensor,
    "Difference; integers wrap.", "lhs - rhs">;
def MindIR_MulOp : MindIR_BinaryOp<"mul", MindIR_NumericTensor,
    "Product; integers wrap.", "lhs * rhs", [Commutative]>;
def MindIR_DivOp : MindIR_BinaryOp<"div", MindIR_FloatTensor,
    "Quotient of floats.", "lhs / rhs">;
let without = MindIR_PiecewiseConstant in {
def MindIR_FloorDivOp : MindIR_BinaryOp<"floor_div", MindIR_NumericTensor,
    "Quotient rounded down; an integer divided by zero is zero.",
    "floor(lhs / rhs)">;
}
def MindIR_FloorModOp : MindIR_BinaryOp<"floor_mod", MindIR_NumericTensor,
    "Remainder with the divisor's sign; of an integer by zero, zero.",
    "lhs - floor(lhs / rhs) * rhs">;
def MindIR_PowOp : MindIR_BinaryOp<"pow", MindIR_NumericTensor,
    "Power; a negative integer exponent gives what the exact value truncates to.",
    "lhs ^ rhs">;
def MindIR_MaximumOp : MindIR_BinaryOp<"maximum", MindIR_NumericTensor,
    "Greater of two; NaN when either is.", "max(lhs, rhs)", [Commutative]>;
def MindIR_MinimumOp : MindIR_BinaryOp<"minimum", MindIR_NumericTensor,
    "Less of two; NaN when either is.", "min(lhs, rhs)", [Commutative]>;
let without = MindIR_OnIntegers in {
def MindIR_AndOp : MindIR_BinaryOp<"and", MindIR_IntegralTensor,
    "Logical and of bool, bitwise of integers.", "lhs & rhs", [Commutative]>;
def MindIR_OrOp : MindIR_BinaryOp<"or", MindIR_IntegralTensor,
    "Logical or of bool, bitwise of integers.", "lhs | rhs", [Commutative]>;
def MindIR_XorOp : MindIR_BinaryOp<"xor", MindIR_IntegralTensor,
    "Exclusive or of bool, bitwise of integers.", "lhs ^ rhs", [Commutative]>;
}

//===----------------------------------------------------------------------===//
// Comparison, selection, conversion
//===----------------------------------------------------------------------===//

def MindIR_CompareOp : MindIR_ElementwiseOp<"compare",
    [SameTypeOperands, DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let summary = "Order or equality test; NaN is unequal and unordered.";
  let without = MindIR_ToIntegers;
  let description = [{
    `result = lhs predicate rhs`, elementwise, as bool. Bools order as false < true.

    ```mlir
    %0 = mindir.compare lt, %a, %b : tensor<4xf32>
    ```
  }];
  let arguments = (ins MindIR_ComparePredicateAttr:$predicate,
                       MindIR_Tensor:$lhs, MindIR_Tensor:$rhs);
  let results = (outs MindIR_BoolTensor:$result);
  let assemblyFormat = [{
    $predicate `,` $lhs `,` $rhs attr-dict `:` type($lhs)
  }];
}

def MindIR_SelectOp : MindIR_ElementwiseOp<"select",
    [AllTypesMatch<["on_true", "on_false", "result"]>]> {
  let summary = "Chooses between two tensors by a bool tensor.";
  let description = [{
    `result = condition ? on_true : on_false`, elementwise. The element that is
    not chosen has no influence, be it NaN, on the value or on a derivative.
  }];
  let arguments = (ins MindIR_BoolTensor:$condition, MindIR_Tensor:$on_true,
                       MindIR_Tensor:$on_false);
  let results = (outs MindIR_Tensor:$result);
  let assemblyFormat = [{
    $condition `,` $on_true `,` $on_false attr-dict `:` type($condition) `,` type($result)
  }];
}

def MindIR_CastOp : MindIR_ElementwiseOp<"cast"> {
  let summary = "Converts the element type.";
  let description = [{
    Floats to integers truncate; what the target cannot hold (NaN, an infinity, a
    value out of range) saturates, NaN to zero. Integers to narrower integers
    wrap. Anything to bool is `!= 0`.
  }];
  let arguments = (ins MindIR_Tensor:$input);
  let results = (outs MindIR_Tensor:$result);
  let assemblyFormat = "$input attr-dict `:` type($input) `->` type($result)";
  let without = [MindIR_GivenType];
}

//===----------------------------------------------------------------------===//
// Constant
//===----------------------------------------------------------------------===//

def MindIR_ConstantOp : MindIR_PureOp<"constant",
    [ConstantLike, AllTypesMatch<["value", "result"]>]> {
  let summary = "A tensor known when compiling.";
  let without = MindIR_NoOperands;
  let arguments = (ins ElementsAttr:$value);
  let results = (outs MindIR_Tensor:$result);
  let assemblyFormat = "attr-dict $value";
  let hasFolder = 1;
}

#endif // MINDIR_IR_ELEMENTWISEOPS_TD
