//===- Types.cpp - element and value types between Python and MLIR --------===//
//
// One table of dtype names serves both directions.
//
//===----------------------------------------------------------------------===//
#include "Types.h"

#include "Errors.h"

#include "mindir/Dialect/MindIR/IR/MindIR.h"

#include "llvm/Support/raw_ostream.h"

namespace py = pybind11;
using namespace mlir;
using namespace mlir::mindir::python;

namespace {
struct NamedType {
  const char *name;
  Type (*get)(MLIRContext *);
};
} // namespace

template <unsigned width, bool isUnsigned>
static Type getInteger(MLIRContext *context) {
  return IntegerType::get(context, width,
                          isUnsigned ? IntegerType::Unsigned
                                     : IntegerType::Signless);
}
template <typename T> static Type getType(MLIRContext *context) {
  return T::get(context);
}

static const NamedType namedTypes[] = {
    {"float32", getType<Float32Type>},
    {"int64", getInteger<64, false>},
    {"bool", getInteger<1, false>},
    {"int32", getInteger<32, false>},
    {"float16", getType<Float16Type>},
    {"bfloat16", getType<BFloat16Type>},
    {"float64", getType<Float64Type>},
    {"int8", getInteger<8, false>},
    {"int16", getInteger<16, false>},
    {"uint8", getInteger<8, true>},
    {"uint16", getInteger<16, true>},
    {"uint32", getInteger<32, true>},
    {"uint64", getInteger<64, true>},
    {"index", getType<IndexType>},
    {"token", getType<mlir::mindir::TokenType>},
    {"tape", getType<mlir::mindir::TapeType>},
};

Type mlir::mindir::python::lookupElementType(MLIRContext *context,
                                             StringRef dtype) {
  for (const NamedType &entry : namedTypes)
    if (dtype == entry.name)
      return entry.get(context);
  return {};
}

Type mlir::mindir::python::getElementType(MLIRContext *context,
                                          StringRef dtype) {
  if (Type type = lookupElementType(context, dtype))
    return type;
  raiseTypeError("expected a dtype such as 'float32', found '" + dtype.str() +
                 "'");
}

std::string mlir::mindir::python::getDTypeName(Type type) {
  if (auto shaped = dyn_cast<ShapedType>(type))
    type = shaped.getElementType();
  for (const NamedType &entry : namedTypes)
    if (type == entry.get(type.getContext()))
      return entry.name;
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

RankedTensorType mlir::mindir::python::getTensorType(Type element,
                                                     py::handle shape) {
  SmallVector<int64_t> sizes;
  for (py::handle size : py::iter(shape)) {
    int64_t value = size.is_none() ? ShapedType::kDynamic
                                   : py::cast<int64_t>(size);
    if (!size.is_none() && value < 0)
      raiseValueError("expected sizes of at least 0, found " +
                      std::to_string(value) + "; None marks an unknown size");
    sizes.push_back(value);
  }
  return RankedTensorType::get(sizes, element);
}

Type mlir::mindir::python::getValueType(MLIRContext *context, py::handle pair) {
  if (!py::isinstance<py::sequence>(pair) || py::isinstance<py::str>(pair) ||
      py::len(pair) != 2)
    raiseTypeError("expected a type as (dtype, shape), found " +
                   py::cast<std::string>(py::repr(pair)));
  auto items = py::reinterpret_borrow<py::sequence>(pair);
  Type element =
      getElementType(context, py::cast<std::string>(py::str(items[0])));
  py::object shape = items[1];
  if (shape.is_none() || !RankedTensorType::isValidElementType(element) ||
      (isa<IndexType>(element) && py::len(shape) == 0))
    return element;
  return getTensorType(element, shape);
}

py::object mlir::mindir::python::getShape(Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  if (!shaped || !shaped.hasRank())
    return py::none();
  py::tuple shape(shaped.getRank());
  for (int64_t dim = 0; dim < shaped.getRank(); ++dim)
    shape[dim] = shaped.isDynamicDim(dim)
                     ? py::object(py::none())
                     : py::object(py::int_(shaped.getDimSize(dim)));
  return shape;
}
