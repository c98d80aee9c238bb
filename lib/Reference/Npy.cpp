//===- Npy.cpp - tensors as .npy files ------------------------------------===//
//
// A magic string, a version, the length of the header, the header (a Python dict
// literal padded to 64 bytes), and the elements.
//
//===----------------------------------------------------------------------===//

#include "mindir/Reference/Npy.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::mindir;
using namespace mlir::mindir::reference;

static constexpr StringLiteral kMagic("\x93NUMPY");

static StringRef getDescription(DType dtype) {
  static constexpr StringLiteral names[] = {"|b1", "|i1", "<i2", "<i4", "<i8",
                                            "|u1", "<u2", "<u4", "<u8", "<i8",
                                            "<f2", "<V2", "<f4", "<f8"};
  return names[static_cast<int>(dtype)];
}

static llvm::Error fail(StringRef path, const Twine &message) {
  return llvm::createStringError(path + ": " + message);
}

/// The text after `'key':` up to `end` in a header.
static StringRef getField(StringRef header, StringRef key, StringRef end) {
  StringRef rest = header.split(("'" + key + "':").str()).second.ltrim();
  return rest.substr(0, rest.find(end));
}

static bool parseShape(StringRef text, SmallVectorImpl<int64_t> &shape) {
  SmallVector<StringRef> sizes;
  text.ltrim("(").split(sizes, ',', -1, /*KeepEmpty=*/false);
  for (StringRef size : sizes) {
    int64_t value;
    if (size.trim().empty())
      continue;
    if (size.trim().getAsInteger(10, value))
      return false;
    shape.push_back(value);
  }
  return true;
}

llvm::Expected<Tensor> reference::readNpy(StringRef path, DType expected) {
  auto file = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                          /*RequiresNullTerminator=*/false);
  if (!file)
    return fail(path, file.getError().message());
  StringRef data = (*file)->getBuffer();
  if (!data.starts_with(kMagic) || data.size() < 12)
    return fail(path, "expected a .npy file, found another format");
  size_t lengthBytes = data[6] == 1 ? 2 : 4;
  size_t length = 0;
  for (size_t i = 0; i < lengthBytes; ++i)
    length |= size_t(uint8_t(data[8 + i])) << (8 * i);
  StringRef header = data.substr(8 + lengthBytes, length);
  StringRef description = getField(header, "descr", ",").trim("' ");
  if (description == "|V2")
    description = "<V2";
  if (description != getDescription(expected))
    return fail(path, "expected elements '" + getDescription(expected) +
                          "', found '" + description + "'");
  if (getField(header, "fortran_order", ",").trim() != "False")
    return fail(path, "expected C order, found Fortran order");
  SmallVector<int64_t> shape;
  if (!parseShape(getField(header, "shape", ")"), shape))
    return fail(path, "cannot read the shape in the header");
  StringRef bytes = data.drop_front(std::min(data.size(), 8 + lengthBytes + length));
  std::optional<Tensor> tensor =
      Tensor::fromBytes(expected, shape, ArrayRef(bytes.data(), bytes.size()));
  if (!tensor)
    return fail(path, "found " + Twine(bytes.size()) +
                          " bytes, which are not what the shape needs");
  return std::move(*tensor);
}

llvm::Error reference::writeNpy(StringRef path, const Tensor &tensor) {
  std::string header = "{'descr': '" + getDescription(tensor.getDType()).str() +
                       "', 'fortran_order': False, 'shape': (";
  for (int64_t size : tensor.getShape())
    header += std::to_string(size) + ",";
  header += "), }";
  header.append(63 - (10 + header.size()) % 64, ' ');
  header += '\n';
  std::error_code code;
  llvm::raw_fd_ostream os(path, code);
  if (code)
    return fail(path, code.message());
  os << kMagic << '\x01' << '\0' << char(header.size() & 0xff)
     << char(header.size() >> 8) << header;
  std::vector<char> bytes = tensor.toBytes();
  os.write(bytes.data(), bytes.size());
  os.flush();
  if (!os.has_error())
    return llvm::Error::success();
  os.clear_error();
  return fail(path, "cannot write the file");
}
