//===- BuilderBinding.cpp - Builder, Value and Region in Python -----------===//
//
// The Python face of GraphBuilder.
//
//===----------------------------------------------------------------------===//
#include "Bindings.h"
#include "GraphBuilder.h"
#include "Types.h"

#include "mlir/AsmParser/AsmParser.h"

#include <pybind11/stl.h>

namespace py = pybind11;
using namespace mlir;
using namespace mlir::mindir::python;

static std::string print(const GraphValue &value) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << "Value(" << value.value.getType() << ")";
  return text;
}

static void bindValue(py::module_ &module) {
  py::class_<GraphValue>(module, "Value", "An SSA value of a Builder's module.")
      .def_property_readonly(
          "dtype",
          [](const GraphValue &v) { return getDTypeName(v.value.getType()); },
          "Name of the element type: 'float32', 'bool', 'index', 'token' ...")
      .def_property_readonly(
          "shape",
          [](const GraphValue &v) { return getShape(v.value.getType()); },
          "Sizes as a tuple, None for an unknown one; None when no tensor.")
      .def_property_readonly(
          "rank",
          [](const GraphValue &v) -> py::object {
            py::object shape = getShape(v.value.getType());
            return shape.is_none() ? shape : py::int_(py::len(shape));
          },
          "Number of dimensions; None when no tensor.")
      .def_property_readonly(
          "type",
          [](const GraphValue &v) {
            return py::make_tuple(getDTypeName(v.value.getType()),
                                  getShape(v.value.getType()));
          },
          "(dtype, shape), as the builder's functions take it.")
      .def("__eq__", [](const GraphValue &a,
                        const GraphValue &b) { return a.value == b.value; })
      .def("__hash__",
           [](const GraphValue &v) -> size_t { return hash_value(v.value); })
      .def("__repr__", print);
  py::class_<GraphRegion>(module, "Region",
                          "A finished region that no op holds yet.");
}

static void bindConstruction(
    py::class_<GraphBuilder, std::shared_ptr<GraphBuilder>> &builder) {
  builder
      .def("begin_function", &GraphBuilder::beginFunction, py::arg("name"),
           py::arg("arg_types") = py::tuple(), py::arg("arg_attrs") = py::none(),
           py::arg("private") = false, py::arg("loc") = py::none(),
           "Starts a function; gives its arguments. Functions nest.")
      .def(
          "add_argument",
          [](GraphBuilder &self, py::object dtype, py::object shape,
             py::object attrs) {
            return self.addArgument(py::make_tuple(dtype, shape), attrs);
          },
          py::arg("dtype"), py::arg("shape"), py::arg("attrs") = py::none(),
          "Appends an argument to the innermost open function.")
      .def("end_function", &GraphBuilder::endFunction, py::arg("results"),
           py::arg("result_attrs") = py::none(),
           "Returns from the innermost function and closes it.")
      .def("begin_region", &GraphBuilder::beginRegion,
           py::arg("arg_types") = py::tuple(),
           "Starts a detached region; gives its block's arguments.")
      .def("end_region", &GraphBuilder::endRegion, py::arg("terminator"),
           py::arg("operands"), "Ends the innermost region.")
      .def("abandon", &GraphBuilder::abandon,
           "Drops the innermost open region or function.");
}

static void
bindOps(py::class_<GraphBuilder, std::shared_ptr<GraphBuilder>> &builder) {
  builder
      .def(
          "op",
          [](GraphBuilder &self, const std::string &name,
             const GraphValues &operands, py::object attrs,
             py::object resultTypes, const std::vector<GraphRegion *> &regions,
             py::object loc) {
            py::dict dict = attrs.is_none() ? py::dict() : py::dict(attrs);
            return self.createOp(name, operands,
                                 {dict, resultTypes, regions, loc});
          },
          py::arg("name"), py::arg("operands") = GraphValues(),
          py::arg("attrs") = py::none(), py::arg("result_types") = py::none(),
          py::arg("regions") = std::vector<GraphRegion *>(),
          py::arg("loc") = py::none(),
          "Creates an op and verifies it; gives its results.")
      .def("call", &GraphBuilder::createCall, py::arg("name"),
           py::arg("operands"), py::arg("result_types") = py::none(),
           py::arg("loc") = py::none(), "Calls a function of this module.")
      .def("constant", &GraphBuilder::createConstant, py::arg("value"),
           py::arg("dtype") = py::none(), py::arg("loc") = py::none(),
           "A constant of a numpy array or a number; dtype (name, None) makes "
           "a scalar.");
}

void mlir::mindir::python::bindBuilder(py::module_ &module) {
  bindValue(module);
  py::class_<GraphBuilder, std::shared_ptr<GraphBuilder>> builder(
      module, "Builder", "A module under construction.");
  builder.def(py::init<>());
  bindConstruction(builder);
  bindOps(builder);
  builder
      .def("insert", &GraphBuilder::insertModule, py::arg("text"),
           "Moves the functions of a module text into this module; gives the "
           "new names by the old.")
      .def("verify", &GraphBuilder::verify, "Verifies the whole module.")
      .def("text", &GraphBuilder::getText, py::arg("locations") = false,
           "The module as MLIR text.")
      .def("bytecode",
           [](GraphBuilder &self) { return py::bytes(self.getBytecode()); },
           "The module as MLIR bytecode, with source positions.")
      .def_readwrite("location", &GraphBuilder::defaultLocation,
                     "Position of ops created without loc: (file, line, "
                     "column[, name]) or a list of them, innermost first.");
}
