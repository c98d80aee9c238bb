//===- OneDNNSupport.h - Common parts of the oneDNN calls -------*- C++ -*-===//
//
// Operand checks, memory descriptors, post-ops, and primitives that are
// prepared once for a combination of shapes and kept in a bounded cache.
//
//===----------------------------------------------------------------------===//
#ifndef MINDIR_LIB_RUNTIME_CPU_ONEDNNSUPPORT_H
#define MINDIR_LIB_RUNTIME_CPU_ONEDNNSUPPORT_H

#include "mindir/Runtime/MemRef.h"

#include <dnnl.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace mindrt::onednn {

using Desc = dnnl::memory::desc;
using Dims = dnnl::memory::dims;
using dnnl::memory;

dnnl::engine &getEngine();

/// What generated code passed to a library function.
struct Call {
  const char *name;
  int64_t numOperands;
  const MindrtMemRef *const *operands;
  const int64_t *config;
  int64_t numConfig;

  const MindrtMemRef &operand(int64_t i) const { return *operands[i]; }
  const MindrtMemRef &output() const { return *operands[numOperands - 1]; }
  /// A failure whose text starts with the function's name.
  Status error(ErrorCode code, const std::string &text) const;
};

/// Fails unless every operand is float32 with positive strides.
Status checkOperands(const Call &call);

/// One entry of a post-op list; `operand` is -1 when it takes none.
struct PostOp {
  int64_t kind;
  float parameter;
  int64_t operand;
};

/// Reads the post-op list at `config[position...]`, whose operands start with
/// `firstOperand`, and checks that the call has exactly these and one output.
Status parsePostOps(const Call &call, int64_t position, int64_t firstOperand,
                    std::vector<PostOp> &postOps);

/// Dimensions of a tensor in the library's order, with its strides. Strides of
/// dimensions of size 1, which mean nothing, are made those of a dense tensor.
struct Shape {
  Dims sizes, strides;

  /// Dimension i of the result is dimension order[i] of `memref`.
  static Shape permuted(const MindrtMemRef &memref, const Dims &order);
  /// The dimensions as they are.
  static Shape of(const MindrtMemRef &memref);

  Desc desc() const { return Desc(sizes, memory::data_type::f32, strides); }
  /// The same sizes in row-major order without gaps.
  Desc denseDesc() const;
  /// The same sizes in the layout that the library prefers.
  Desc anyDesc() const { return tagged(memory::format_tag::any); }
  Desc tagged(memory::format_tag tag) const {
    return Desc(sizes, memory::data_type::f32, tag);
  }
};

/// A primitive with the reorders around it, ready to run on any operands of the
/// shapes that it was made for. Immutable after construction.
class PreparedCall {
public:
  PreparedCall(dnnl::primitive primitive, const Desc &scratchpad);

  /// Binds a call operand, laid out as `user`, to the primitive's argument,
  /// which wants it as `wanted`.
  void bindInput(int argument, int64_t operand, const Desc &user,
                 const Desc &wanted);
  void bindOutput(int argument, int64_t operand, const Desc &user,
                  const Desc &wanted);

  Status execute(const Call &call) const;

private:
  struct Step {
    dnnl::primitive primitive;
    Desc scratchpad;
    int64_t scratchpadOffset;
  };
  struct Binding {
    int argument;
    int64_t operand;
    bool isOutput;
    Desc user, wanted;
    std::optional<Step> reorder;
    int64_t offset = 0; // of the reordered copy
  };

  void bind(int argument, int64_t operand, const Desc &user, const Desc &wanted,
            bool isOutput);
  int64_t reserve(size_t bytes);
  void runReorder(const Binding &binding, void *user, char *scratch) const;

  Step main;
  std::vector<Binding> bindings;
  int64_t scratchBytes = 0;
};

/// How the output's dimensions reach the library.
struct OutputView {
  Dims order;       ///< of the memref's dimensions
  size_t channel;   ///< library dimension along which a bias runs
  Desc wanted;      ///< what the primitive writes
  bool isOwnLayout; ///< whether that is the operand's memory itself
};

/// Fails unless the operands of `postOps` have the shapes that an output with
/// `channels` channels needs.
Status checkPostOps(const Call &call, const std::vector<PostOp> &postOps,
                    int64_t channels);

/// The primitive's attributes for a post-op list, and the operands they read.
/// A bias that comes first is the primitive's own bias argument; a residual
/// that is the output's memory is a sum when the primitive writes there
/// directly.
class PostOpAttributes {
public:
  PostOpAttributes(const Call &call, const std::vector<PostOp> &postOps,
                   const OutputView &output);

  const dnnl::primitive_attr &get() const { return attributes; }
  bool hasBias() const { return biasOperand >= 0; }
  /// Binds the operands, the bias as a vector with the descriptor `bias`.
  void bindTo(PreparedCall &prepared, const Desc &bias) const;

private:
  struct BinaryOperand {
    int argument;
    int64_t operand;
    Desc user, wanted;
  };
  void addBinary(dnnl::post_ops &list, const PostOp &op, const Desc &user,
                 const Desc &wanted);

  dnnl::primitive_attr attributes;
  std::vector<BinaryOperand> binaries;
  int64_t biasOperand = -1;
};

/// Runs the relu that ends a post-op list and is not the library's, if any.
Status applyFinalRelu(const Call &call, const std::vector<PostOp> &postOps);

/// Runs the prepared call for the operands' shapes and the config, making it by
/// `prepare` when the cache has none.
Status runCached(const Call &call,
                 const std::function<PreparedCall()> &prepare);

/// Whether `memref` is the same memory in the same order as the call's output.
bool isOutputItself(const Call &call, const MindrtMemRef &memref);

/// Whether two memrefs have the same sizes.
bool haveEqualSizes(const MindrtMemRef &a, const MindrtMemRef &b);

/// Whether a primitive descriptor is one of the library's slow plain loops.
template <typename PrimitiveDesc> bool isReference(const PrimitiveDesc &desc) {
  return std::string_view(desc.impl_info_str()).substr(0, 3) == "ref";
}

int matmul(int64_t, const MindrtMemRef *const *, const int64_t *, int64_t);
int convolution(int64_t, const MindrtMemRef *const *, const int64_t *, int64_t);
int convolutionBackwardData(int64_t, const MindrtMemRef *const *,
                            const int64_t *, int64_t);
int convolutionBackwardWeights(int64_t, const MindrtMemRef *const *,
                               const int64_t *, int64_t);

} // namespace mindrt::onednn

#endif // MINDIR_LIB_RUNTIME_CPU_ONEDNNSUPPORT_H
