//===- OneDNNSupport.cpp - Operands of the oneDNN calls -------------------===//
//
// Registration, checks, and the translation of memrefs and post-op lists into
// the library's descriptors.
//
//===----------------------------------------------------------------------===//
#include "OneDNNSupport.h"

#include "mindir/Runtime/Library.h"

#include <algorithm>

using namespace mindrt;
using namespace mindrt::onednn;

Status mindrt::registerOneDNN(LibraryRegistry &registry) {
  uint64_t dtypes = dtypeBit(DType::Float32);
  MINDRT_TRY(registry.add("onednn.matmul", matmul, dtypes));
  MINDRT_TRY(registry.add("onednn.convolution", convolution, dtypes));
  MINDRT_TRY(registry.add("onednn.convolution_backward_data",
                          convolutionBackwardData, dtypes));
  return registry.add("onednn.convolution_backward_weights",
                      convolutionBackwardWeights, dtypes);
}

dnnl::engine &onednn::getEngine() {
  // Never destroyed: primitives in caches may outlive static destructors.
  static auto *engine = new dnnl::engine(dnnl::engine::kind::cpu, 0);
  return *engine;
}

Status Call::error(ErrorCode code, const std::string &text) const {
  return Status::fromMessage(code, std::string(name) + ": " + text);
}

Status onednn::checkOperands(const Call &call) {
  if (call.numOperands < 3)
    return call.error(ErrorCode::Value, "expected at least 3 operands, found " +
                                            std::to_string(call.numOperands));
  for (int64_t i = 0; i < call.numOperands; ++i) {
    const MindrtMemRef &memref = call.operand(i);
    int64_t bytes = 0;
    MINDRT_TRY(checkMemRef(memref, bytes));
    if (memref.dtype != MINDRT_FLOAT32)
      return call.error(
          ErrorCode::Type,
          "operand " + std::to_string(i) + ": expected float32, found " +
              describeType(memref) + "; use generated code for other dtypes");
    if (memref.rank > DNNL_MAX_NDIMS)
      return call.error(ErrorCode::Value,
                        "operand " + std::to_string(i) + ": rank above 12");
    for (int32_t d = 0; d < memref.rank && !isEmpty(memref); ++d)
      if (memref.sizes[d] > 1 && memref.strides[d] <= 0)
        return call.error(ErrorCode::Value,
                          "operand " + std::to_string(i) +
                              ": expected positive strides, found " +
                              std::to_string(memref.strides[d]) +
                              "; copy the tensor first");
  }
  return Status::success();
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

Shape Shape::permuted(const MindrtMemRef &memref, const Dims &order) {
  Dims strides(memref.strides, memref.strides + memref.rank);
  for (int32_t d = memref.rank; d-- > 0;)
    if (memref.sizes[d] == 1)
      strides[static_cast<size_t>(d)] =
          d + 1 == memref.rank
              ? 1
              : strides[static_cast<size_t>(d) + 1] * memref.sizes[d + 1];
  Shape shape;
  for (int64_t d : order) {
    shape.sizes.push_back(memref.sizes[d]);
    shape.strides.push_back(strides[static_cast<size_t>(d)]);
  }
  return shape;
}

Shape Shape::of(const MindrtMemRef &memref) {
  Dims order;
  for (int32_t d = 0; d < memref.rank; ++d)
    order.push_back(d);
  return permuted(memref, order);
}

Desc Shape::denseDesc() const {
  Dims dense(sizes.size());
  int64_t stride = 1;
  for (size_t d = sizes.size(); d-- > 0; stride *= sizes[d])
    dense[d] = stride;
  return Desc(sizes, memory::data_type::f32, dense);
}

bool onednn::haveEqualSizes(const MindrtMemRef &a, const MindrtMemRef &b) {
  return a.rank == b.rank && std::equal(a.sizes, a.sizes + a.rank, b.sizes);
}

bool onednn::isOutputItself(const Call &call, const MindrtMemRef &memref) {
  const MindrtMemRef &output = call.output();
  if (memref.data != output.data || !haveEqualSizes(memref, output))
    return false;
  for (int32_t d = 0; d < memref.rank; ++d)
    if (memref.sizes[d] != 1 && memref.strides[d] != output.strides[d])
      return false;
  return true;
}
