//===- Diagnostics.cpp - diagnostics as one tagged text -------------------===//
//
// Rewords what upstream's generated verifiers say into MindSpore's lead.
//
//===----------------------------------------------------------------------===//

#include "mindir/Compiler/Diagnostics.h"

#include "mlir/IR/Location.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::mindir;

/// `'mindir.reduce_sum' op operand #0 must be ...` becomes `TypeError: For
/// 'ReduceSum', operand #0 must be ...`; other texts stay.
static std::string reword(StringRef text) {
  StringRef rest = text;
  if (!rest.consume_front("'"))
    return text.str();
  auto [name, tail] = rest.split("' ");
  tail.consume_front("op ");
  for (StringRef tag : {"TypeError: ", "ValueError: ", "IndexError: "})
    if (tail.starts_with(tag))
      return tail.str();
  bool isTypeError = false;
  for (StringRef lead : {"operand #", "expected ", "requires ", "attribute "})
    isTypeError |= tail.starts_with(lead);
  if (!isTypeError || !name.consume_front("mindir."))
    return text.str();
  return "TypeError: For '" +
         llvm::convertToCamelFromSnakeCase(name, /*capitalizeFirst=*/true) +
         "', " + tail.str();
}

std::string mlir::mindir::describePosition(Location location) {
  auto file = location->findInstanceOf<FileLineColLoc>();
  if (!file)
    return "";
  return (file.getFilename().getValue() + ":" + Twine(file.getLine()) + ":" +
          Twine(file.getColumn()))
      .str();
}

static void append(std::string &text, Diagnostic &diagnostic) {
  if (diagnostic.getSeverity() != DiagnosticSeverity::Error)
    return;
  if (!text.empty())
    text += '\n';
  text += reword(diagnostic.str());
  std::string position = describePosition(diagnostic.getLocation());
  if (!position.empty())
    text += "\n  at " + position;
  for (Diagnostic &note : diagnostic.getNotes())
    if (!StringRef(note.str()).starts_with("see current operation"))
      text += "\n  note: " + note.str();
}

DiagnosticText::DiagnosticText(MLIRContext *context)
    : handler(context, [this](Diagnostic &diagnostic) {
        append(text, diagnostic);
        return success();
      }) {}

llvm::Error DiagnosticText::takeError(const llvm::Twine &fallback) {
  std::string message = text.empty() ? fallback.str() : std::move(text);
  text.clear();
  return llvm::createStringError(message);
}
