# Flags, and the functions by which every folder declares what it builds. A new
# library registers itself in the property MINDIR_LIBRARIES, so that tools link it
# without an edit.

set(MINDIR_RUNTIME_OUTPUT "${CMAKE_BINARY_DIR}/bin")
set(MINDIR_LIBRARY_OUTPUT "${CMAKE_BINARY_DIR}/lib")
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${MINDIR_RUNTIME_OUTPUT}")
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${MINDIR_LIBRARY_OUTPUT}")
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY "${MINDIR_LIBRARY_OUTPUT}")
set(MLIR_BINARY_DIR "${CMAKE_BINARY_DIR}")

find_program(MINDIR_CCACHE ccache)
if(MINDIR_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${MINDIR_CCACHE}")
  set(CMAKE_C_COMPILER_LAUNCHER "${MINDIR_CCACHE}")
endif()
find_program(MINDIR_LLD NAMES ld.lld-22 ld.lld)
if(MINDIR_LLD)
  # g++ finds the linker by name in a -B folder.
  file(MAKE_DIRECTORY "${CMAKE_BINARY_DIR}/linker")
  file(CREATE_LINK "${MINDIR_LLD}" "${CMAKE_BINARY_DIR}/linker/ld" SYMBOLIC)
  add_link_options(-B${CMAKE_BINARY_DIR}/linker)
endif()

add_compile_options(-Wall -Wextra -Wno-unused-parameter -Werror)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # False alarms of g++ 12 in inlined LLVM containers.
  add_compile_options(-Wno-comment -Wno-maybe-uninitialized -Wno-array-bounds
                      -Wno-stringop-overflow -Wno-dangling-pointer)
endif()
if(MINDIR_SANITIZER)
  list(JOIN MINDIR_SANITIZER "," MINDIR_SANITIZER_LIST)
  add_compile_options(-fsanitize=${MINDIR_SANITIZER_LIST} -fno-omit-frame-pointer -g1)
  add_link_options(-fsanitize=${MINDIR_SANITIZER_LIST})
endif()

include_directories(BEFORE "${PROJECT_SOURCE_DIR}/include" "${PROJECT_BINARY_DIR}/include")
include_directories(SYSTEM ${MLIR_INCLUDE_DIRS} ${LLVM_INCLUDE_DIRS})
add_definitions(${LLVM_DEFINITIONS})

# The headers nearly every compiler source includes, compiled once.
function(_mindir_use_pch target)
  if(NOT TARGET MindIRPCH)
    file(WRITE "${CMAKE_BINARY_DIR}/pch.cpp" "")
    add_library(MindIRPCH OBJECT "${CMAKE_BINARY_DIR}/pch.cpp")
    target_compile_options(MindIRPCH PRIVATE -fno-exceptions)
    target_precompile_headers(MindIRPCH PRIVATE
      "<mlir/IR/Builders.h>" "<mlir/IR/BuiltinOps.h>" "<mlir/IR/BuiltinTypes.h>"
      "<mlir/IR/PatternMatch.h>" "<mlir/Dialect/Arith/IR/Arith.h>"
      "<mlir/Dialect/Func/IR/FuncOps.h>" "<mlir/Dialect/SCF/IR/SCF.h>"
      "<mlir/Dialect/Tensor/IR/Tensor.h>" "<mlir/Dialect/Linalg/IR/Linalg.h>"
      "<mlir/Pass/Pass.h>" "<mlir/Transforms/DialectConversion.h>")
  endif()
  target_precompile_headers(${target} REUSE_FROM MindIRPCH)
endfunction()

# Declares a compiler library: add_mindir_library(Name sources... DEPENDS ... LINK_LIBS ...)
function(add_mindir_library name)
  cmake_parse_arguments(ARG "NO_REGISTER" "" "DEPENDS;LINK_LIBS" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  target_compile_options(${name} PRIVATE -fno-exceptions)
  _mindir_use_pch(${name})
  if(MINDIR_ENABLE_UNITY)
    set_target_properties(${name} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 6)
  endif()
  get_property(generated GLOBAL PROPERTY MINDIR_TABLEGEN_TARGETS)
  if(generated OR ARG_DEPENDS)
    add_dependencies(${name} ${generated} ${ARG_DEPENDS})
  endif()
  add_dependencies(MindIRPCH ${generated})
  target_link_libraries(${name} PUBLIC ${ARG_LINK_LIBS})
  if(NOT ARG_NO_REGISTER)
    set_property(GLOBAL APPEND PROPERTY MINDIR_LIBRARIES ${name})
  endif()
endfunction()

# Declares a tool: add_mindir_tool(name sources... LINK_LIBS ...); it links every
# registered library, and MLIR and LLVM as shared libraries. A wheel has the tools in
# the package's folder bin.
function(add_mindir_tool name)
  cmake_parse_arguments(ARG "" "" "LINK_LIBS" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  target_compile_options(${name} PRIVATE -fno-exceptions)
  mindir_link_compiler(${name})
  target_link_libraries(${name} PRIVATE ${ARG_LINK_LIBS})
  set_target_properties(${name} PROPERTIES
    BUILD_RPATH "$ORIGIN/../lib;${LLVM_LIBRARY_DIR}"
    INSTALL_RPATH "$ORIGIN/..;${LLVM_LIBRARY_DIR}")
  install(TARGETS ${name} RUNTIME DESTINATION mindir/bin COMPONENT python)
endfunction()

# Links every registered library into `target`.
function(mindir_link_compiler target)
  get_property(libraries GLOBAL PROPERTY MINDIR_LIBRARIES)
  get_property(generated GLOBAL PROPERTY MINDIR_TABLEGEN_TARGETS)
  add_dependencies(${target} ${generated})
  target_link_libraries(${target} PRIVATE -Wl,--start-group ${libraries} -Wl,--end-group
                        MLIR LLVM)
endfunction()

function(_mindir_tablegen_target name)
  add_public_tablegen_target(${name})
  set_property(GLOBAL APPEND PROPERTY MINDIR_TABLEGEN_TARGETS ${name})
endfunction()

# Generates an op interface from <name>.td.
function(add_mindir_interface name)
  set(LLVM_TARGET_DEFINITIONS ${name}.td)
  mlir_tablegen(${name}.h.inc -gen-op-interface-decls)
  mlir_tablegen(${name}.cpp.inc -gen-op-interface-defs)
  _mindir_tablegen_target(MindIR${name}IncGen)
endfunction()

# Generates the op classes of a family from <name>.td.
function(add_mindir_op_family name)
  set(LLVM_TARGET_DEFINITIONS ${name}.td)
  mlir_tablegen(${name}.h.inc -gen-op-decls)
  mlir_tablegen(${name}.cpp.inc -gen-op-defs)
  _mindir_tablegen_target(MindIR${name}IncGen)
endfunction()

# Generates the pass declarations of the Passes.td in this folder; `name` is the
# registration function's group.
function(add_mindir_passes name)
  set(LLVM_TARGET_DEFINITIONS Passes.td)
  mlir_tablegen(Passes.h.inc -gen-pass-decls -name ${name})
  _mindir_tablegen_target(MindIR${name}PassesIncGen)
endfunction()
