//===- OneDNNPostOps.cpp - Post-ops of the oneDNN calls -------------------===//
//
// Reads post-op lists of configs and turns them into the library's attributes.
//
//===----------------------------------------------------------------------===//
#include "OneDNNSupport.h"

#include "mindir/Runtime/Parallel.h"

#include <algorithm>
#include <cstring>
#include <numeric>

using namespace mindrt;
using namespace mindrt::onednn;

/// Whether a post-op reads a vector with one value per channel.
static bool takesVector(int64_t kind) {
  return kind == MINDRT_POST_BIAS || kind == MINDRT_POST_CHANNEL_SUB ||
         kind == MINDRT_POST_CHANNEL_MUL;
}

/// Whether a post-op reads an operand.
static bool takesOperand(int64_t kind) {
  return takesVector(kind) || kind == MINDRT_POST_RESIDUAL;
}

static dnnl::algorithm getBinary(int64_t kind) {
  if (kind == MINDRT_POST_CHANNEL_SUB)
    return dnnl::algorithm::binary_sub;
  return kind == MINDRT_POST_CHANNEL_MUL ? dnnl::algorithm::binary_mul
                                         : dnnl::algorithm::binary_add;
}

/// Whether a post-op is a relu that keeps NaN: the library's turns it into 0.
static bool isExactRelu(const PostOp &op) {
  return op.kind == MINDRT_POST_RELU && op.parameter == 0.0f;
}

/// The float32 whose bits are the low half of `value`.
static float floatFromBits(int64_t value) {
  auto bits = static_cast<uint32_t>(value);
  float result;
  std::memcpy(&result, &bits, sizeof(result));
  return result;
}

Status onednn::parsePostOps(const Call &call, int64_t position,
                            int64_t firstOperand,
                            std::vector<PostOp> &postOps) {
  int64_t count = position < call.numConfig ? call.config[position] : -1;
  if (count < 0 || call.numConfig != position + 1 + 2 * count)
    return call.error(ErrorCode::Value,
                      "config has " + std::to_string(call.numConfig) +
                          " numbers, which is not what its parts take");
  int64_t operand = firstOperand;
  for (int64_t i = 0; i < count; ++i) {
    PostOp op{call.config[position + 1 + 2 * i],
              floatFromBits(call.config[position + 2 + 2 * i]), -1};
    if (op.kind < MINDRT_POST_BIAS || op.kind > MINDRT_POST_CHANNEL_MUL)
      return call.error(ErrorCode::Value,
                        "unknown post-op " + std::to_string(op.kind));
    if (isExactRelu(op) && i + 1 != count)
      return call.error(ErrorCode::Value,
                        "a relu that keeps NaN must be the last post-op");
    if (takesOperand(op.kind))
      op.operand = operand++;
    postOps.push_back(op);
  }
  if (call.numOperands != operand + 1)
    return call.error(ErrorCode::Value, "expected " +
                                            std::to_string(operand + 1) +
                                            " operands, found " +
                                            std::to_string(call.numOperands));
  return Status::success();
}

Status onednn::checkPostOps(const Call &call,
                            const std::vector<PostOp> &postOps,
                            int64_t channels) {
  for (const PostOp &op : postOps) {
    if (!takesOperand(op.kind))
      continue;
    const MindrtMemRef &operand = call.operand(op.operand);
    if (takesVector(op.kind)) {
      bool dense = operand.rank == 1 && operand.sizes[0] == channels &&
                   (channels <= 1 || operand.strides[0] == 1);
      if (!dense)
        return call.error(ErrorCode::Value,
                          "post-op: expected a dense vector of " +
                              std::to_string(channels) + ", found " +
                              describeType(operand));
    } else if (!haveEqualSizes(operand, call.output())) {
      return call.error(ErrorCode::Value,
                        "residual: expected the output's shape " +
                            describeType(call.output()) + ", found " +
                            describeType(operand));
    }
  }
  return Status::success();
}

PostOpAttributes::PostOpAttributes(const Call &call,
                                   const std::vector<PostOp> &postOps,
                                   const OutputView &output) {
  attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  dnnl::post_ops list;
  for (const PostOp &op : postOps) {
    if (isExactRelu(op))
      continue; // See applyFinalRelu.
    if (op.kind == MINDRT_POST_RELU || op.kind == MINDRT_POST_RELU_NO_NAN) {
      list.append_eltwise(dnnl::algorithm::eltwise_relu, op.parameter, 0.0f);
    } else if (op.kind == MINDRT_POST_SCALE) {
      list.append_eltwise(dnnl::algorithm::eltwise_linear, op.parameter, 0.0f);
    } else if (op.kind == MINDRT_POST_BIAS && &op == postOps.data()) {
      biasOperand = op.operand;
    } else if (takesVector(op.kind)) {
      Shape vector;
      vector.sizes.assign(output.order.size(), 1);
      vector.sizes[output.channel] = call.operand(op.operand).sizes[0];
      addBinary(list, op, vector.denseDesc(), vector.denseDesc());
    } else if (output.isOwnLayout &&
               isOutputItself(call, call.operand(op.operand))) {
      list.append_sum(1.0f);
    } else {
      Shape residual = Shape::permuted(call.operand(op.operand), output.order);
      addBinary(list, op, residual.desc(), output.wanted);
    }
  }
  attributes.set_post_ops(list);
}

void PostOpAttributes::addBinary(dnnl::post_ops &list, const PostOp &op,
                                 const Desc &user, const Desc &wanted) {
  int argument = DNNL_ARG_ATTR_MULTIPLE_POST_OP(list.len()) | DNNL_ARG_SRC_1;
  binaries.push_back({argument, op.operand, user, wanted});
  list.append_binary(getBinary(op.kind), wanted);
}

void PostOpAttributes::bindTo(PreparedCall &prepared, const Desc &bias) const {
  if (hasBias())
    prepared.bindInput(DNNL_ARG_BIAS, biasOperand, bias, bias);
  for (const BinaryOperand &binary : binaries)
    prepared.bindInput(binary.argument, binary.operand, binary.user,
                       binary.wanted);
}

/// The same elements with the dimensions ordered by falling stride.
static Shape inMemoryOrder(const MindrtMemRef &memref) {
  Dims order(static_cast<size_t>(memref.rank));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
    return memref.strides[a] > memref.strides[b];
  });
  return Shape::permuted(memref, order);
}

Status onednn::applyFinalRelu(const Call &call,
                              const std::vector<PostOp> &postOps) {
  if (postOps.empty() || !isExactRelu(postOps.back()))
    return Status::success();
  Shape shape = inMemoryOrder(call.output());
  MindrtMemRef output = call.output();
  output.sizes = shape.sizes.data();
  output.strides = shape.strides.data();
  int code = MINDRT_OK;
  forEachRun(output, [&](char *run, int64_t bytes) {
    auto *values = reinterpret_cast<float *>(run);
    int64_t count = bytes / static_cast<int64_t>(sizeof(float));
    int result = parallelFor(count, 1 << 14, [=](int64_t lo, int64_t hi) {
      for (int64_t i = lo; i < hi; ++i)
        values[i] = values[i] <= 0 ? 0 : values[i]; // false for NaN
    });
    code = code ? code : result;
  });
  return code ? lastError() : Status::success();
}
