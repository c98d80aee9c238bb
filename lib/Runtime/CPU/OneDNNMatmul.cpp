//===- OneDNNMatmul.cpp - Matrix products by oneDNN -----------------------===//
//
// "onednn.matmul" of mindir-c/Runtime.h.
//
//===----------------------------------------------------------------------===//
#include "OneDNNSupport.h"

using namespace mindrt;
using namespace mindrt::onednn;

/// Fails unless C = A x B is defined.
static Status checkShapes(const Call &call) {
  const MindrtMemRef &a = call.operand(0), &b = call.operand(1),
                     &c = call.output();
  bool fits = a.rank >= 2 && a.rank == b.rank && a.rank == c.rank;
  int32_t m = a.rank - 2, n = a.rank - 1;
  for (int32_t d = 0; fits && d < m; ++d)
    fits = (a.sizes[d] == b.sizes[d] || a.sizes[d] == 1 || b.sizes[d] == 1) &&
           c.sizes[d] == (a.sizes[d] == 1 ? b.sizes[d] : a.sizes[d]);
  fits = fits && a.sizes[m] == c.sizes[m] && a.sizes[n] == b.sizes[m] &&
         b.sizes[n] == c.sizes[n];
  if (fits)
    return Status::success();
  return call.error(ErrorCode::Value,
                    "expected [..., M, K] x [..., K, N] = [..., M, N], found " +
                        describeType(a) + " x " + describeType(b) + " = " +
                        describeType(c));
}

/// The primitive on operands as they are, or on dense copies of them.
static PreparedCall prepare(const Call &call,
                            const std::vector<PostOp> &postOps, bool dense,
                            bool &isSlow) {
  Shape a = Shape::of(call.operand(0)), b = Shape::of(call.operand(1)),
        c = Shape::of(call.output());
  auto wanted = [&](const Shape &shape) {
    return dense ? shape.denseDesc() : shape.desc();
  };
  OutputView output{Dims(c.sizes.size()), c.sizes.size() - 1, wanted(c),
                    wanted(c) == c.desc()};
  for (size_t d = 0; d < output.order.size(); ++d)
    output.order[d] = static_cast<int64_t>(d);
  PostOpAttributes attributes(call, postOps, output);

  Shape biasShape{Dims(c.sizes.size(), 1), {}};
  biasShape.sizes.back() = c.sizes.back();
  Desc bias = attributes.hasBias() ? biasShape.denseDesc() : Desc();
  dnnl::matmul::primitive_desc desc(getEngine(), wanted(a), wanted(b), bias,
                                    wanted(c), attributes.get());
  isSlow = isReference(desc);
  PreparedCall prepared(dnnl::matmul(desc), desc.scratchpad_desc());
  prepared.bindInput(DNNL_ARG_SRC, 0, a.desc(), wanted(a));
  prepared.bindInput(DNNL_ARG_WEIGHTS, 1, b.desc(), wanted(b));
  attributes.bindTo(prepared, bias);
  prepared.bindOutput(DNNL_ARG_DST, call.numOperands - 1, c.desc(), wanted(c));
  return prepared;
}

static Status run(const Call &call, const std::vector<PostOp> &postOps) {
  MINDRT_TRY(runCached(call, [&] {
    bool isSlow = false;
    PreparedCall direct = prepare(call, postOps, /*dense=*/false, isSlow);
    if (!isSlow)
      return direct;
    PreparedCall copying = prepare(call, postOps, /*dense=*/true, isSlow);
    return isSlow ? direct : copying;
  }));
  return applyFinalRelu(call, postOps);
}

/// K = 0: the product of zero columns and a zero row has the same value.
static Status runOnZeros(const Call &call, const std::vector<PostOp> &postOps) {
  Shape columns = Shape::of(call.output());
  Dims row(columns.sizes.size(), 1), ones(columns.sizes.size(), 1);
  row.back() = columns.sizes.back();
  columns.sizes.back() = 1;
  columns.strides = columns.denseDesc().get_strides();
  std::vector<float> zeros(columns.denseDesc().get_size() / sizeof(float));
  std::vector<float> rowZeros(static_cast<size_t>(row.back()));
  auto memref = [&](std::vector<float> &data, const Dims &sizes,
                    const Dims &strides) -> MindrtMemRef {
    return {MINDRT_FLOAT32, call.output().rank, data.data(), sizes.data(),
            strides.data()};
  };
  MindrtMemRef a = memref(zeros, columns.sizes, columns.strides);
  MindrtMemRef b = memref(rowZeros, row, ones);
  std::vector<const MindrtMemRef *> operands(call.operands,
                                             call.operands + call.numOperands);
  operands[0] = &a;
  operands[1] = &b;
  Call substitute = call;
  substitute.operands = operands.data();
  return run(substitute, postOps);
}

int onednn::matmul(int64_t numOperands, const MindrtMemRef *const *operands,
                   const int64_t *config, int64_t numConfig) {
  return guarded([&]() -> Status {
    Call call{"onednn.matmul", numOperands, operands, config, numConfig};
    std::vector<PostOp> postOps;
    MINDRT_TRY(checkOperands(call));
    MINDRT_TRY(parsePostOps(call, 0, 2, postOps));
    MINDRT_TRY(checkShapes(call));
    MINDRT_TRY(checkPostOps(call, postOps,
                            call.output().sizes[call.output().rank - 1]));
    if (isEmpty(call.output()))
      return Status::success();
    return isEmpty(call.operand(0)) ? runOnZeros(call, postOps)
                                    : run(call, postOps);
  });
}
