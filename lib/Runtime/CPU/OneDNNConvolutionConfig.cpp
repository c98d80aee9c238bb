//===- OneDNNConvolutionConfig.cpp - Config of convolution calls ----------===//
//
// Reads a convolution's config and checks that its operands fit it.
//
//===----------------------------------------------------------------------===//
#include "OneDNNConvolution.h"

using namespace mindrt;
using namespace mindrt::onednn;

/// Memref dimensions in the order [N, C, D...].
static Dims makeDataOrder(int64_t spatial, int64_t layout) {
  Dims order{0, layout == MINDRT_CHANNELS_LAST ? spatial + 1 : 1};
  for (int64_t d = 0; d < spatial; ++d)
    order.push_back(d + (layout == MINDRT_CHANNELS_LAST ? 1 : 2));
  return order;
}

/// Memref dimensions in the order [O, I, K...].
static Dims makeWeightsOrder(int64_t spatial, int64_t layout) {
  Dims order = layout == MINDRT_OIK   ? Dims{0, 1}
               : layout == MINDRT_KIO ? Dims{spatial + 1, spatial}
                                      : Dims{0, spatial + 1};
  int64_t first = layout == MINDRT_OIK ? 2 : layout == MINDRT_KIO ? 0 : 1;
  for (int64_t d = 0; d < spatial; ++d)
    order.push_back(first + d);
  return order;
}

/// Splits the leading dimension O into [G, O/G].
static Shape splitGroups(Shape shape, int64_t groups) {
  int64_t perGroup = shape.sizes[0] / groups;
  shape.sizes[0] = perGroup;
  shape.sizes.insert(shape.sizes.begin(), groups);
  shape.strides.insert(shape.strides.begin(), shape.strides[0] * perGroup);
  return shape;
}

/// Keeps the arithmetic on spatial sizes within int64.
static constexpr int64_t kMaxParameter = int64_t(1) << 30;

static Status checkSpatial(const Call &call, const Convolution &conv) {
  for (size_t d = 0; d < conv.strides.size(); ++d) {
    int64_t in = conv.data.sizes[d + 2], kernel = conv.weights.sizes[d + 2];
    int64_t out = conv.result.sizes[d + 2];
    auto isBetween = [](int64_t value, int64_t least) {
      return value >= least && value <= kMaxParameter;
    };
    if (!isBetween(conv.strides[d], 1) || !isBetween(conv.dilations[d], 0) ||
        !isBetween(conv.before[d], 0) || !isBetween(conv.after[d], 0) ||
        !isBetween(kernel, 1))
      return call.error(ErrorCode::Value,
                        "expected strides, dilations and kernel sizes >= 1, "
                        "paddings >= 0, and none above 2^30");
    int64_t room = in + conv.before[d] + conv.after[d] -
                   (kernel - 1) * (conv.dilations[d] + 1) - 1;
    int64_t expected = room < 0 ? 0 : room / conv.strides[d] + 1;
    if (out != expected)
      return call.error(ErrorCode::Value, "output size of spatial dimension " +
                                              std::to_string(d) +
                                              ": expected " +
                                              std::to_string(expected) +
                                              ", found " + std::to_string(out));
  }
  return Status::success();
}

static Status checkChannels(const Call &call, const Convolution &conv,
                            int64_t groups) {
  bool fits = groups >= 1 && conv.weights.sizes[0] % groups == 0 &&
              conv.data.sizes[0] == conv.result.sizes[0] &&
              conv.data.sizes[1] == conv.weights.sizes[1] * groups &&
              conv.result.sizes[1] == conv.weights.sizes[0];
  if (fits)
    return Status::success();
  const ConvolutionRoles &roles = conv.roles;
  return call.error(
      ErrorCode::Value,
      "batch and channels of input " + describeType(call.operand(roles.data)) +
          ", weights " + describeType(call.operand(roles.weights)) +
          " and output " + describeType(call.operand(roles.result)) +
          " do not fit for " + std::to_string(groups) + " groups");
}

static Status checkHead(const Call &call, const ConvolutionRoles &roles) {
  int64_t spatial = call.numConfig >= 4 ? call.config[0] : 0;
  if (spatial < 1 || spatial > 3 || call.numConfig < 4 + 4 * spatial)
    return call.error(ErrorCode::Value,
                      "expected a config for 1 to 3 spatial dimensions");
  if (call.config[1] < 0 || call.config[1] > MINDRT_CHANNELS_LAST ||
      call.config[2] < 0 || call.config[2] > MINDRT_OKI)
    return call.error(ErrorCode::Value, "unknown layout");
  for (int64_t i : {roles.data, roles.weights, roles.result})
    if (call.operand(i).rank != spatial + 2)
      return call.error(ErrorCode::Value,
                        "operand " + std::to_string(i) + ": expected rank " +
                            std::to_string(spatial + 2) + ", found " +
                            describeType(call.operand(i)));
  return Status::success();
}

Status Convolution::parse(const Call &call, ConvolutionRoles roles,
                          bool allowPostOps, Convolution &conv) {
  MINDRT_TRY(checkOperands(call));
  MINDRT_TRY(checkHead(call, roles));
  const int64_t spatial = call.config[0], groups = call.config[3];
  const int64_t *next = call.config + 4;
  for (Dims *dims :
       {&conv.strides, &conv.dilations, &conv.before, &conv.after}) {
    dims->assign(next, next + spatial);
    next += spatial;
  }
  for (int64_t &dilation : conv.dilations)
    dilation = dilation < 1 ? -1 : dilation - 1;
  MINDRT_TRY(parsePostOps(call, 4 + 4 * spatial, 2, conv.postOps));
  if (!allowPostOps && !conv.postOps.empty())
    return call.error(ErrorCode::Value, "takes no post-ops");

  conv.roles = roles;
  conv.dataOrder = makeDataOrder(spatial, call.config[1]);
  conv.data = Shape::permuted(call.operand(roles.data), conv.dataOrder);
  conv.result = Shape::permuted(call.operand(roles.result), conv.dataOrder);
  conv.weights = Shape::permuted(call.operand(roles.weights),
                                 makeWeightsOrder(spatial, call.config[2]));
  MINDRT_TRY(checkSpatial(call, conv));
  MINDRT_TRY(checkChannels(call, conv, groups));
  const Shape &output = roles.data == call.numOperands - 1 ? conv.data : conv.result;
  MINDRT_TRY(checkPostOps(call, conv.postOps, output.sizes[1]));
  if (groups > 1)
    conv.weights = splitGroups(conv.weights, groups);
  return Status::success();
}

Desc Convolution::activation(const Shape &shape, bool dense) const {
  using tag = memory::format_tag;
  constexpr tag channelsLast[] = {tag::nwc, tag::nhwc, tag::ndhwc};
  return dense ? shape.tagged(channelsLast[strides.size() - 1]) : shape.desc();
}
