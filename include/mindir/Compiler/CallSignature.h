//===- CallSignature.h - what a compiled entry takes and returns ----------===//
//
// The signature of compiled code in the runtime's terms, which outlives the
// MLIRContext of the compilation and is kept beside the code on disk.
//
//===----------------------------------------------------------------------===//

#ifndef MINDIR_COMPILER_CALLSIGNATURE_H
#define MINDIR_COMPILER_CALLSIGNATURE_H

#include "mindir/Pipelines/Pipelines.h"
#include "mindir/Runtime/DType.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <optional>
#include <string>
#include <vector>

namespace mlir::mindir {

/// A dtype and sizes, unknown ones being `kUnknownSize`.
struct ArrayType {
  static constexpr int64_t kUnknownSize = -1;

  mindrt::DType dtype = mindrt::DType::Float32;
  std::vector<int64_t> sizes;

  size_t getRank() const { return sizes.size(); }
  /// "float32[?, 4]".
  std::string describe() const;
};

struct CallArgument {
  ArrayType type;
  bool isParameter = false;
  /// The code may overwrite the argument's buffer.
  bool isDonated = false;
};

struct CallResult {
  /// None for a token, which compiled code does not return.
  std::optional<ArrayType> type;
  /// The argument whose new value this is.
  std::optional<unsigned> updates;
  /// Position among the descriptors that the code returns; none when it lies in
  /// the buffer of the argument that it updates.
  std::optional<unsigned> position;
};

struct CallSignature {
  std::vector<CallArgument> arguments;
  std::vector<CallResult> results;

  /// Fails for an entry with arguments or results other than tensors and tokens.
  static llvm::Expected<CallSignature> get(const EntrySignature &entry);
  /// One line of text per argument and result.
  std::string serialize() const;
  /// Inverse of `serialize`; none for a text that is not its output.
  static std::optional<CallSignature> parse(llvm::StringRef text);
};

} // namespace mlir::mindir

#endif // MINDIR_COMPILER_CALLSIGNATURE_H
