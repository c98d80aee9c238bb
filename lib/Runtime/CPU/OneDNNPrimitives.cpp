//===- OneDNNPrimitives.cpp - Prepared and cached primitives --------------===//
//
// Making a primitive generates machine code and costs milliseconds, so each is
// kept under a key of all that it depends on. One scratch block a call, from
// the caching allocator, holds scratchpads and reordered operands.
//
//===----------------------------------------------------------------------===//
#include "OneDNNSupport.h"

#include "mindir/Runtime/Parallel.h"

#include <list>
#include <mutex>
#include <unordered_map>

using namespace mindrt;
using namespace mindrt::onednn;

/// Streams are not thread safe; one a thread.
static dnnl::stream &getStream() {
  static thread_local dnnl::stream stream(getEngine());
  return stream;
}

//===----------------------------------------------------------------------===//
// PreparedCall
//===----------------------------------------------------------------------===//

PreparedCall::PreparedCall(dnnl::primitive primitive, const Desc &scratchpad)
    : main{std::move(primitive), scratchpad, 0} {
  main.scratchpadOffset = reserve(scratchpad.get_size());
}

/// Room for `bytes` in the scratch block; the offset.
int64_t PreparedCall::reserve(size_t bytes) {
  int64_t offset = scratchBytes;
  scratchBytes += (static_cast<int64_t>(bytes) + 63) / 64 * 64;
  return offset;
}

void PreparedCall::bindInput(int argument, int64_t operand, const Desc &user,
                             const Desc &wanted) {
  bind(argument, operand, user, wanted, /*isOutput=*/false);
}

void PreparedCall::bindOutput(int argument, int64_t operand, const Desc &user,
                              const Desc &wanted) {
  bind(argument, operand, user, wanted, /*isOutput=*/true);
}

void PreparedCall::bind(int argument, int64_t operand, const Desc &user,
                        const Desc &wanted, bool isOutput) {
  Binding binding{argument, operand, isOutput, user, wanted, std::nullopt};
  if (user != wanted) {
    dnnl::primitive_attr attributes;
    attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
    dnnl::reorder::primitive_desc desc(getEngine(), isOutput ? wanted : user,
                                       getEngine(), isOutput ? user : wanted,
                                       attributes);
    Step step{dnnl::reorder(desc), desc.scratchpad_desc(), 0};
    step.scratchpadOffset = reserve(step.scratchpad.get_size());
    binding.reorder = std::move(step);
    binding.offset = reserve(wanted.get_size());
  }
  bindings.push_back(std::move(binding));
}

void PreparedCall::runReorder(const Binding &binding, void *user,
                              char *scratch) const {
  dnnl::engine &engine = getEngine();
  memory outside(binding.user, engine, user);
  memory inside(binding.wanted, engine, scratch + binding.offset);
  memory pad(binding.reorder->scratchpad, engine,
             scratch + binding.reorder->scratchpadOffset);
  binding.reorder->primitive.execute(
      getStream(), {{DNNL_ARG_FROM, binding.isOutput ? inside : outside},
                    {DNNL_ARG_TO, binding.isOutput ? outside : inside},
                    {DNNL_ARG_SCRATCHPAD, pad}});
}

namespace {
struct Free {
  void operator()(void *pointer) const { mindrt_free(pointer); }
};
} // namespace

Status PreparedCall::execute(const Call &call) const {
  std::unique_ptr<void, Free> block;
  if (scratchBytes)
    block.reset(mindrt_alloc(scratchBytes));
  if (scratchBytes && !block)
    return lastError();
  char *scratch = static_cast<char *>(block.get());

  std::unordered_map<int, memory> arguments;
  for (const Binding &binding : bindings) {
    void *data = call.operand(binding.operand).data;
    if (binding.reorder && !binding.isOutput)
      runReorder(binding, data, scratch);
    void *used = binding.reorder ? scratch + binding.offset : data;
    arguments.emplace(binding.argument,
                      memory(binding.wanted, getEngine(), used));
  }
  if (main.scratchpad.get_size())
    arguments.emplace(
        DNNL_ARG_SCRATCHPAD,
        memory(main.scratchpad, getEngine(), scratch + main.scratchpadOffset));
  main.primitive.execute(getStream(), arguments);
  for (const Binding &binding : bindings)
    if (binding.reorder && binding.isOutput)
      runReorder(binding, call.operand(binding.operand).data, scratch);
  getStream().wait();
  return Status::success();
}

//===----------------------------------------------------------------------===//
// Cache
//===----------------------------------------------------------------------===//

namespace {
/// The most recently used prepared calls.
class PreparedCallCache {
public:
  using Value = std::shared_ptr<const PreparedCall>;

  Value find(const std::string &key) {
    std::lock_guard<std::mutex> lock(mutex);
    auto found = index.find(key);
    if (found == index.end())
      return nullptr;
    order.splice(order.begin(), order, found->second);
    return found->second->second;
  }

  void insert(const std::string &key, const Value &value) {
    std::lock_guard<std::mutex> lock(mutex);
    if (index.count(key))
      return; // Another thread was faster.
    order.emplace_front(key, value);
    index.emplace(key, order.begin());
    if (order.size() <= kCapacity)
      return;
    index.erase(order.back().first);
    order.pop_back();
  }

private:
  static constexpr size_t kCapacity = 1024;
  std::mutex mutex;
  std::list<std::pair<std::string, Value>> order;
  std::unordered_map<std::string, decltype(order)::iterator> index;
};
} // namespace

static PreparedCallCache &getCache() {
  static auto *cache = new PreparedCallCache();
  return *cache;
}

static void append(std::string &key, const void *data, size_t bytes) {
  key.append(static_cast<const char *>(data), bytes);
}

/// All that a primitive depends on: function, threads, config, shapes, strides,
/// and which operands are the output.
static std::string makeKey(const Call &call) {
  std::string key(call.name);
  key += '\0';
  int64_t head[] = {mindrt_get_num_threads(), call.numOperands, call.numConfig};
  append(key, head, sizeof(head));
  append(key, call.config, static_cast<size_t>(call.numConfig) * 8);
  for (int64_t i = 0; i < call.numOperands; ++i) {
    const MindrtMemRef &memref = call.operand(i);
    int64_t traits[] = {memref.rank, isOutputItself(call, memref)};
    append(key, traits, sizeof(traits));
    append(key, memref.sizes, static_cast<size_t>(memref.rank) * 8);
    append(key, memref.strides, static_cast<size_t>(memref.rank) * 8);
  }
  return key;
}

Status onednn::runCached(const Call &call,
                         const std::function<PreparedCall()> &prepare) {
  useRuntimeThreads();
  std::string key = makeKey(call);
  PreparedCallCache::Value prepared = getCache().find(key);
  if (!prepared) {
    prepared = std::make_shared<const PreparedCall>(prepare());
    getCache().insert(key, prepared);
  }
  return prepared->execute(call);
}
