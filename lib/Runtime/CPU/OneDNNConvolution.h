//===- OneDNNConvolution.h - Convolution calls ------------------*- C++ -*-===//
//
// The config of a convolution call, and its operands in the library's order.
//
//===----------------------------------------------------------------------===//
#ifndef MINDIR_LIB_RUNTIME_CPU_ONEDNNCONVOLUTION_H
#define MINDIR_LIB_RUNTIME_CPU_ONEDNNCONVOLUTION_H

#include "OneDNNSupport.h"

namespace mindrt::onednn {

/// Which operands of a call are the convolution's input, weights and result.
struct ConvolutionRoles {
  int64_t data, weights, result;
};

/// A checked convolution. Spatial parameters are in the library's form, where
/// dilation 0 is dense.
struct Convolution {
  Dims strides, dilations, before, after;
  std::vector<PostOp> postOps;
  ConvolutionRoles roles;
  Dims dataOrder;     ///< memref dimensions as [N, C, D...]
  Shape data, result; ///< [N, C, D...]
  Shape weights;      ///< [O, I, K...], or [G, O/G, I, K...]

  /// Reads and checks config and operands. `allowPostOps` is false for the
  /// gradient of the weights.
  static Status parse(const Call &call, ConvolutionRoles roles,
                      bool allowPostOps, Convolution &convolution);

  /// The activation as the primitive shall see it: as it is, or, when `dense`,
  /// a channels-last copy.
  Desc activation(const Shape &shape, bool dense) const;
};

} // namespace mindrt::onednn

#endif // MINDIR_LIB_RUNTIME_CPU_ONEDNNCONVOLUTION_H
