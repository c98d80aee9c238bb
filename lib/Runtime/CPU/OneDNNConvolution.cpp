//===- OneDNNConvolution.cpp - Convolutions by oneDNN ---------------------===//
//
// "onednn.convolution" and its two gradients (mindir-c/Runtime.h). Activations
// are used where they lie; weights are reordered into the packing that the
// primitive prefers. When the library has only a plain loop for the
// activations' strides, channels-last copies are used instead.
//
//===----------------------------------------------------------------------===//
#include "OneDNNConvolution.h"

using namespace mindrt;
using namespace mindrt::onednn;

static constexpr auto kAlgorithm = dnnl::algorithm::convolution_direct;

/// Attributes of a primitive without post-ops.
static dnnl::primitive_attr plainAttributes() {
  dnnl::primitive_attr attributes;
  attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  return attributes;
}

/// The forward descriptor that the gradients take as a hint.
static dnnl::convolution_forward::primitive_desc
forwardHint(const Convolution &conv, bool dense) {
  return {getEngine(),
          dnnl::prop_kind::forward_training,
          kAlgorithm,
          conv.activation(conv.data, dense),
          conv.weights.anyDesc(),
          conv.activation(conv.result, dense),
          conv.strides,
          conv.dilations,
          conv.before,
          conv.after,
          plainAttributes()};
}

static PreparedCall prepareForward(const Call &call, const Convolution &conv,
                                   bool dense, bool &isSlow) {
  Desc data = conv.activation(conv.data, dense);
  Desc result = conv.activation(conv.result, dense);
  OutputView output{conv.dataOrder, 1, result, result == conv.result.desc()};
  PostOpAttributes attributes(call, conv.postOps, output);
  Desc bias = attributes.hasBias()
                  ? Shape{{conv.result.sizes[1]}, {}}.denseDesc()
                  : Desc();
  dnnl::convolution_forward::primitive_desc desc(
      getEngine(), dnnl::prop_kind::forward_training, kAlgorithm, data,
      conv.weights.anyDesc(), bias, result, conv.strides, conv.dilations,
      conv.before, conv.after, attributes.get());
  isSlow = isReference(desc);
  PreparedCall prepared(dnnl::convolution_forward(desc),
                        desc.scratchpad_desc());
  prepared.bindInput(DNNL_ARG_SRC, conv.roles.data, conv.data.desc(), data);
  prepared.bindInput(DNNL_ARG_WEIGHTS, conv.roles.weights, conv.weights.desc(),
                     desc.weights_desc());
  attributes.bindTo(prepared, bias);
  prepared.bindOutput(DNNL_ARG_DST, conv.roles.result, conv.result.desc(),
                      result);
  return prepared;
}

/// The weights with input and output channels exchanged.
static Shape exchangeChannels(Shape weights, bool hasGroups) {
  size_t first = hasGroups ? 1 : 0;
  std::swap(weights.sizes[first], weights.sizes[first + 1]);
  std::swap(weights.strides[first], weights.strides[first + 1]);
  return weights;
}

/// The same kernels as for backward data, which takes no post-ops. They are wrong on
/// outputs with gaps, so that those are always dense.
static PreparedCall prepareDeconvolution(const Call &call, const Convolution &conv,
                                         bool dense, bool &isSlow) {
  Desc data = conv.activation(conv.data, /*dense=*/true);
  Desc result = conv.activation(conv.result, dense);
  Shape weights = exchangeChannels(
      conv.weights, conv.weights.sizes.size() > conv.data.sizes.size());
  OutputView output{conv.dataOrder, 1, data, data == conv.data.desc()};
  PostOpAttributes attributes(call, conv.postOps, output);
  Desc bias = attributes.hasBias() ? Shape{{conv.data.sizes[1]}, {}}.denseDesc()
                                   : Desc();
  dnnl::deconvolution_forward::primitive_desc desc(
      getEngine(), dnnl::prop_kind::forward_training,
      dnnl::algorithm::deconvolution_direct, result, weights.anyDesc(), bias, data,
      conv.strides, conv.dilations, conv.before, conv.after, attributes.get());
  isSlow = isReference(desc);
  PreparedCall prepared(dnnl::deconvolution_forward(desc),
                        desc.scratchpad_desc());
  prepared.bindInput(DNNL_ARG_SRC, conv.roles.result, conv.result.desc(), result);
  prepared.bindInput(DNNL_ARG_WEIGHTS, conv.roles.weights, weights.desc(),
                     desc.weights_desc());
  attributes.bindTo(prepared, bias);
  prepared.bindOutput(DNNL_ARG_DST, conv.roles.data, conv.data.desc(), data);
  return prepared;
}

static PreparedCall prepareBackwardData(const Call &call, const Convolution &conv,
                                        bool dense, bool &isSlow) {
  if (!conv.postOps.empty())
    return prepareDeconvolution(call, conv, dense, isSlow);
  Desc data = conv.activation(conv.data, dense);
  Desc result = conv.activation(conv.result, dense);
  dnnl::convolution_backward_data::primitive_desc desc(
      getEngine(), kAlgorithm, data, conv.weights.anyDesc(), result,
      conv.strides, conv.dilations, conv.before, conv.after,
      forwardHint(conv, dense), plainAttributes());
  isSlow = isReference(desc);
  PreparedCall prepared(dnnl::convolution_backward_data(desc),
                        desc.scratchpad_desc());
  prepared.bindInput(DNNL_ARG_DIFF_DST, conv.roles.result, conv.result.desc(),
                     result);
  prepared.bindInput(DNNL_ARG_WEIGHTS, conv.roles.weights, conv.weights.desc(),
                     desc.weights_desc());
  prepared.bindOutput(DNNL_ARG_DIFF_SRC, conv.roles.data, conv.data.desc(),
                      data);
  return prepared;
}

static PreparedCall prepareBackwardWeights(const Call &,
                                           const Convolution &conv, bool dense,
                                           bool &isSlow) {
  Desc data = conv.activation(conv.data, dense);
  Desc result = conv.activation(conv.result, dense);
  dnnl::convolution_backward_weights::primitive_desc desc(
      getEngine(), kAlgorithm, data, conv.weights.anyDesc(), result,
      conv.strides, conv.dilations, conv.before, conv.after,
      forwardHint(conv, dense), plainAttributes());
  isSlow = isReference(desc);
  PreparedCall prepared(dnnl::convolution_backward_weights(desc),
                        desc.scratchpad_desc());
  prepared.bindInput(DNNL_ARG_SRC, conv.roles.data, conv.data.desc(), data);
  prepared.bindInput(DNNL_ARG_DIFF_DST, conv.roles.result, conv.result.desc(),
                     result);
  prepared.bindOutput(DNNL_ARG_DIFF_WEIGHTS, conv.roles.weights,
                      conv.weights.desc(), desc.diff_weights_desc());
  return prepared;
}

using Prepare = PreparedCall (*)(const Call &, const Convolution &, bool dense,
                                 bool &isSlow);

static Status run(const Call &call, const Convolution &conv, Prepare prepare) {
  MINDRT_TRY(runCached(call, [&] {
    bool isSlow = false;
    PreparedCall direct = prepare(call, conv, /*dense=*/false, isSlow);
    if (!isSlow)
      return direct;
    PreparedCall copying = prepare(call, conv, /*dense=*/true, isSlow);
    return isSlow ? direct : copying;
  }));
  return applyFinalRelu(call, conv.postOps);
}

int onednn::convolution(int64_t numOperands,
                        const MindrtMemRef *const *operands,
                        const int64_t *config, int64_t numConfig) {
  return guarded([&]() -> Status {
    Call call{"onednn.convolution", numOperands, operands, config, numConfig};
    Convolution conv;
    MINDRT_TRY(Convolution::parse(call, {0, 1, numOperands - 1},
                                  /*allowPostOps=*/true, conv));
    if (isEmpty(call.output()))
      return Status::success();
    if (isEmpty(call.operand(0)) || isEmpty(call.operand(1)))
      return call.error(ErrorCode::Value,
                        "empty input or weights with an output that is not");
    return run(call, conv, prepareForward);
  });
}

/// Shared by the gradients, which are zero when an input is empty.
static int runGradient(const Call &call, ConvolutionRoles roles,
                       Prepare prepare, bool allowPostOps) {
  return guarded([&]() -> Status {
    Convolution conv;
    MINDRT_TRY(Convolution::parse(call, roles, allowPostOps, conv));
    bool isEmptySum = isEmpty(call.operand(0)) || isEmpty(call.operand(1));
    if (isEmptySum && !isEmpty(call.output()) && !conv.postOps.empty())
      return call.error(ErrorCode::Value,
                        "empty input or weights with post-ops");
    if (isEmptySum || isEmpty(call.output())) {
      fillZero(call.output());
      return Status::success();
    }
    return run(call, conv, prepare);
  });
}

int onednn::convolutionBackwardData(int64_t numOperands,
                                    const MindrtMemRef *const *operands,
                                    const int64_t *config, int64_t numConfig) {
  return runGradient({"onednn.convolution_backward_data", numOperands, operands,
                      config, numConfig},
                     {numOperands - 1, 1, 0}, prepareBackwardData,
                     /*allowPostOps=*/true);
}

int onednn::convolutionBackwardWeights(int64_t numOperands,
                                       const MindrtMemRef *const *operands,
                                       const int64_t *config,
                                       int64_t numConfig) {
  return runGradient({"onednn.convolution_backward_weights", numOperands,
                      operands, config, numConfig},
                     {0, 2, 1}, prepareBackwardWeights,
                     /*allowPostOps=*/false);
}
