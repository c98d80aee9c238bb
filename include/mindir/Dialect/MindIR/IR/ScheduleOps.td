//===- ScheduleOps.td - the schedule's calls -*- tablegen -*-===//
//
// What remains of a function once its kernels are outlined: destination-passing calls.
//
//===----------------------------------------------------------------------===//

#ifndef MINDIR_IR_SCHEDULEOPS_TD
#define MINDIR_IR_SCHEDULEOPS_TD

include "mindir/Dialect/MindIR/IR/MindIRBase.td"

include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/DestinationStyleOpInterface.td"
include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.td"

defvar MindIR_AfterLowering = [
  MindIR_Without<"inference", "results have the types of the inits, or are none">,
  MindIR_Without<"derivative", "the lowering makes it, after autodiff">,
  MindIR_Without<"batching", "the lowering makes it, after vmap">,
  MindIR_Without<"sharding", "the lowering makes it, of one device's program">,
  MindIR_Without<"lowering", "it is lowered: a call of a kernel or of a library">];

class MindIR_ScheduleOp<string mnemonic, list<Trait> traits = []>
    : MindIR_Op<mnemonic, !listconcat([AttrSizedOperandSegments, DestinationStyleOpInterface,
        DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
        DeclareOpInterfaceMethods<BufferizableOpInterface,
          ["bufferizesToMemoryRead", "bufferizesToMemoryWrite", "getAliasingValues",
           "bufferizesToElementwiseAccess", "bufferize"]>], traits)> {
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() { return getInitsMutable(); }
  }];
  let without = MindIR_AfterLowering;
}

def MindIR_LaunchOp : MindIR_ScheduleOp<"launch",
    [DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "Runs a kernel, a private function in destination-passing style.";
  let description = [{
    The kernel takes the inputs, then the inits, and returns the results, each
    computed into the init of its index. `elementwise` promises that the kernel
    reads an input's element, if at all, before it writes the result's element of
    the same index, so that both may share a buffer; `reads_init` marks inits whose
    contents the kernel reads. Both are derived from the kernel's body.

    Constraints:
    - (c1) the callee is a function of the operands' types.
    - (c2) results have the types of the inits, on tensors; there are none on buffers.
  }];
  let arguments = (ins FlatSymbolRefAttr:$kernel, Variadic<AnyType>:$inputs,
                       Variadic<AnyType>:$inits,
                       OptionalAttr<DenseBoolArrayAttr>:$reads_init, UnitAttr:$elementwise);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let assemblyFormat = [{
    $kernel `ins` `(` ($inputs^ `:` type($inputs))? `)`
    `outs` `(` ($inits^ `:` type($inits))? `)` attr-dict (`->` type($results)^)?
  }];
}

def MindIR_LibraryCallOp : MindIR_ScheduleOp<"library_call"> {
  let summary = "Calls an entry of the runtime's library registry.";
  let without = !listconcat(MindIR_AfterLowering, [
    MindIR_Without<"reference", "the reference runs without the runtime's libraries">]);
  let description = [{
    `name` is an entry of the runtime's registry (`onednn.matmul`), `config` its
    integers in the layout that the entry documents.
  }];
  let arguments = (ins StrAttr:$name, Variadic<AnyType>:$inputs, Variadic<AnyType>:$inits,
                       DenseI64ArrayAttr:$config,
                       OptionalAttr<DenseBoolArrayAttr>:$reads_init, UnitAttr:$elementwise);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let assemblyFormat = [{
    $name `ins` `(` ($inputs^ `:` type($inputs))? `)`
    `outs` `(` ($inits^ `:` type($inits))? `)` `config` `=` $config attr-dict
    (`->` type($results)^)?
  }];
}

#endif // MINDIR_IR_SCHEDULEOPS_TD
