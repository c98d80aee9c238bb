/*===- mindir-c/Runtime.h - C ABI of MindIR's runtime -----------------------===
 *
 * What generated code, the Python binding and ahead-of-time compiled programs
 * call: errors, buffers, reference-counted storage, the thread pool, tapes,
 * library calls and random bits. Plain C11; needs no MLIR or LLVM.
 *
 * Rules (docs/Runtime.md says more):
 *  - A function that can fail returns `int`, 0 on success, else one of
 *    MindrtErrorCode, or a null pointer. The text of the failure is the calling
 *    thread's last error. No exception leaves the runtime and nothing aborts.
 *  - Every function may be called from any thread at any time.
 *  - Sizes and strides count elements, buffer sizes count bytes.
 *
 *===----------------------------------------------------------------------===*/
#ifndef MINDIR_C_RUNTIME_H
#define MINDIR_C_RUNTIME_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define MINDRT_API __attribute__((visibility("default")))
#else
#define MINDRT_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/*===--- Errors -----------------------------------------------------------===*/

/** Kinds of failure; the Python binding raises the exception named beside. */
enum MindrtErrorCode {
  MINDRT_OK = 0,
  MINDRT_TYPE_ERROR = 1,    /**< TypeError */
  MINDRT_VALUE_ERROR = 2,   /**< ValueError */
  MINDRT_INDEX_ERROR = 3,   /**< IndexError */
  MINDRT_RUNTIME_ERROR = 4, /**< RuntimeError */
  MINDRT_MEMORY_ERROR = 5,  /**< MemoryError */
  MINDRT_INTERRUPT = 6,     /**< KeyboardInterrupt */
  MINDRT_RECURSION_ERROR = 7 /**< RecursionError */
};

/** Code of the calling thread's last failure, MINDRT_OK when there was none
 * since `mindrt_clear_error`. */
MINDRT_API int mindrt_last_error_code(void);
/** Text of the calling thread's last failure, "" when there was none. Valid
 * until the thread's next failing call or `mindrt_clear_error`. */
MINDRT_API const char *mindrt_last_error_message(void);
/** Records a failure for the calling thread and returns `code`. For generated
 * code and for back ends that register library functions. */
MINDRT_API int mindrt_set_error(int code, const char *message);
/** Forgets the calling thread's last failure. */
MINDRT_API void mindrt_clear_error(void);

/*===--- Data types and buffers
 * ---------------------------------------------===*/

/** Element types. The numbers are part of the ABI. */
enum MindrtDType {
  MINDRT_BOOL = 0, /**< one byte, 0 or 1 */
  MINDRT_INT8 = 1,
  MINDRT_INT16 = 2,
  MINDRT_INT32 = 3,
  MINDRT_INT64 = 4,
  MINDRT_UINT8 = 5,
  MINDRT_UINT16 = 6,
  MINDRT_UINT32 = 7,
  MINDRT_UINT64 = 8,
  MINDRT_FLOAT16 = 9,
  MINDRT_BFLOAT16 = 10,
  MINDRT_FLOAT32 = 11,
  MINDRT_FLOAT64 = 12
};

/** Bytes of one element; 0 and a type error for an unknown dtype. */
MINDRT_API int64_t mindrt_dtype_size(int32_t dtype);
/** numpy's name of the dtype ("float32", "bool", "bfloat16"), static storage;
 * null and a type error for an unknown dtype. */
MINDRT_API const char *mindrt_dtype_name(int32_t dtype);
/** Inverse of `mindrt_dtype_name`; -1 and a type error for an unknown name. */
MINDRT_API int32_t mindrt_dtype_from_name(const char *name);

/** A strided tensor in memory, borrowed for the duration of a call. */
typedef struct MindrtMemRef {
  int32_t dtype;          /**< MindrtDType */
  int32_t rank;           /**< number of dimensions, >= 0 */
  void *data;             /**< address of element [0, ..., 0] */
  const int64_t *sizes;   /**< `rank` sizes; may be null when rank is 0 */
  const int64_t *strides; /**< `rank` strides, in elements */
} MindrtMemRef;

/** Head of MLIR's memref descriptor. It is followed in memory by
 * `int64_t sizes[rank]`, then `int64_t strides[rank]`. */
typedef struct MindrtBuffer {
  void *allocated; /**< what to free */
  void *aligned;   /**< where data begin */
  int64_t offset;  /**< of element [0, ..., 0] from `aligned`, in elements */
} MindrtBuffer;

/*===--- Caching allocator
 * --------------------------------------------------===*/

/** `bytes` of memory aligned to 64 bytes (to 2 MiB, on huge pages where the
 * system has them, from 2 MiB on), contents undefined. 0 bytes give a distinct
 * address. Null and a memory error when out of memory. */
MINDRT_API void *mindrt_alloc(int64_t bytes);
/** Like `mindrt_alloc`, aligned to `alignment`, a power of two of at most
 * 2 MiB. Alignments above 64 take at least 2 MiB. */
MINDRT_API void *mindrt_aligned_alloc(int64_t alignment, int64_t bytes);
/** Gives back what `mindrt_alloc` gave; null is allowed. A second free is
 * recorded as a value error and changes nothing, as long as the block is kept.
 */
MINDRT_API void mindrt_free(void *pointer);

/** Counters of the allocator, since start or `mindrt_allocator_reset_stats`. */
typedef struct MindrtAllocatorStats {
  int64_t live_bytes;         /**< requested by live allocations, now */
  int64_t peak_bytes;         /**< highest live_bytes since the reset */
  int64_t live_blocks;        /**< live allocations, now */
  int64_t cached_bytes;       /**< kept for reuse, now */
  int64_t system_allocations; /**< requests that went to the system */
  int64_t pool_allocations;   /**< requests served from kept blocks */
} MindrtAllocatorStats;

MINDRT_API void mindrt_allocator_stats(MindrtAllocatorStats *stats);
/** Zeroes the two allocation counters and sets the peak to what is live. */
MINDRT_API void mindrt_allocator_reset_stats(void);
/** Returns every kept block to the system. */
MINDRT_API void mindrt_allocator_trim(void);
/** Most bytes kept for reuse (default: a quarter of physical memory). Beyond
 * it the size classes that were idle longest are returned to the system. */
MINDRT_API void mindrt_allocator_set_cache_limit(int64_t bytes);
MINDRT_API int64_t mindrt_allocator_cache_limit(void);
/** Most bytes in live allocations (default: the memory of the machine, or of the
 * process's control group). A request beyond it is out of memory, where the
 * system would grant it and end the process when the pages are touched. */
MINDRT_API void mindrt_allocator_set_memory_limit(int64_t bytes);
MINDRT_API int64_t mindrt_allocator_memory_limit(void);

/** Hooks of `finalize-memref-to-llvm{use-generic-functions}`. */
MINDRT_API void *_mlir_memref_to_llvm_aligned_alloc(uint64_t alignment,
                                                    uint64_t bytes);
MINDRT_API void _mlir_memref_to_llvm_free(void *pointer);

/*===--- Storage
 * ------------------------------------------------------------===*/

/** Reference-counted bytes without a dtype. */
typedef struct MindrtStorage MindrtStorage;

/** New storage of `bytes` from the allocator, count 1; null when out of memory.
 */
MINDRT_API MindrtStorage *mindrt_storage_allocate(int64_t bytes);
/** Storage, count 1, that takes over `pointer`, a live block of `mindrt_alloc`
 * of at least `bytes`. Null, with `pointer` still the caller's, on failure. */
MINDRT_API MindrtStorage *mindrt_storage_adopt(void *pointer, int64_t bytes);
/** Storage, count 1, over foreign memory. `deleter(pointer, context)` runs
 * once, when the count reaches 0, on the thread that released it last; it may
 * be null. Null, without a call of the deleter, on failure. */
MINDRT_API MindrtStorage *mindrt_storage_wrap(void *pointer, int64_t bytes,
                                              void (*deleter)(void *pointer,
                                                              void *context),
                                              void *context);
MINDRT_API void mindrt_storage_retain(MindrtStorage *storage);
/** Drops one reference; null is allowed. */
MINDRT_API void mindrt_storage_release(MindrtStorage *storage);
MINDRT_API void *mindrt_storage_data(const MindrtStorage *storage);
MINDRT_API int64_t mindrt_storage_bytes(const MindrtStorage *storage);
/** References now; 1 means that the caller is the only holder. */
MINDRT_API int64_t mindrt_storage_use_count(const MindrtStorage *storage);

/*===--- Threads and interruption
 * -------------------------------------------===*/

/** Runs `fn(context, lo, hi)` over disjoint chunks that cover [0, n), each of
 * at least `grain` indices but the last, on the runtime's threads; inline, as
 * one chunk, when n <= grain or inside another parallel region. `fn` must not
 * throw. Returns when all is done. A failure that a chunk recorded on its
 * thread (see `mindrt_set_error`), or an interruption, stops the remaining
 * chunks and is the result and the caller's last error. */
MINDRT_API int mindrt_parallel_for(void (*fn)(void *context, int64_t lo,
                                              int64_t hi),
                                   void *context, int64_t n, int64_t grain);
/** Number of threads for parallel loops and library calls, >= 1. */
MINDRT_API int mindrt_set_num_threads(int64_t count);
MINDRT_API int64_t mindrt_get_num_threads(void);

/** Asks running code to stop. Safe in a signal handler. Stays set until
 * `mindrt_clear_interrupt`, which the owner of the run calls. */
MINDRT_API void mindrt_request_interrupt(void);
MINDRT_API void mindrt_clear_interrupt(void);
/** MINDRT_INTERRUPT, with the last error set, when a stop was asked for, else
 * 0. */
MINDRT_API int mindrt_check_interrupt(void);

/*===--- Runs of generated code
 * -----------------------------------------------------*/

/** Calls `entry(pointers)`, generated code that uses the functions below. Returns 0,
 * or the code of the first failure that ended the run, or of the last one that was
 * recorded in it; what the code allocated and did not free is then freed. A run may
 * be inside another one, of which the code then is a library function. */
MINDRT_API int mindrt_run(void (*entry)(void **pointers), void **pointers);

/** These five end the calling thread's run on a failure: they return only when there
 * was none, or outside of a run and inside a parallel loop. */

/** Records a failure, as `mindrt_set_error`, and ends the run. */
MINDRT_API void mindrt_fail(int code, const char *message);

/** A block of `bytes`, freed with the run when that fails. */
MINDRT_API void *_mlir_memref_to_llvm_alloc(uint64_t bytes);
/** Ends the run when a buffer of `bytes`, computed as a float so that it does not
 * overflow, cannot exist. */
MINDRT_API void mindrt_check_bytes(double bytes);
/** Ends the run after `mindrt_request_interrupt`. Loops call it once an iteration. */
MINDRT_API void mindrt_poll(void);
/** Ends the run when little stack is left. Recursive functions call it first. */
MINDRT_API void mindrt_check_stack(void);

/*===--- Tape
 * ---------------------------------------------------------------===*/

/** An immutable stack of tensors: residuals of a differentiated loop. A handle
 * is one counted reference; the empty tape is null. */
typedef struct MindrtTape MindrtTape;

/** The empty tape. */
MINDRT_API MindrtTape *mindrt_tape_empty(void);
/** `*result` = `tape` with a copy of `value` on top. Takes over the caller's
 * reference of `tape` (retain it first to use it again); on failure the
 * reference stays the caller's and `*result` is unchanged. */
MINDRT_API int mindrt_tape_push(MindrtTape *tape, const MindrtMemRef *value,
                                MindrtTape **result);
/** Writes the top value to `buffer`, whose storage has room for `rank` sizes
 * and strides, as a fresh dense row-major buffer that the caller frees by
 * `mindrt_free(buffer->allocated)`, and the rest of the stack to `*rest`. Takes
 * over the caller's reference of `tape`; the value is moved out, not copied,
 * when that was the last one. An empty tape is an index error, another dtype or
 * rank a type error; on failure nothing changes. */
MINDRT_API int mindrt_tape_pop(MindrtTape *tape, int32_t dtype, int32_t rank,
                               MindrtBuffer *buffer, MindrtTape **rest);
/** Adds a reference; null is allowed. Returns `tape`. */
MINDRT_API MindrtTape *mindrt_tape_retain(MindrtTape *tape);
/** Drops a reference; null is allowed. */
MINDRT_API void mindrt_tape_release(MindrtTape *tape);
/** Values on the tape. */
MINDRT_API int64_t mindrt_tape_size(const MindrtTape *tape);
/** Values held by all tapes of the process; 0 when nothing leaks. */
MINDRT_API int64_t mindrt_tape_live_nodes(void);

/*===--- Library calls
 * ------------------------------------------------------===*/

/** A library function: inputs first, outputs last. Returns 0 or an error code
 * with the last error set. Must not throw, must be safe on several threads. */
typedef int (*MindrtLibraryFunction)(int64_t num_operands,
                                     const MindrtMemRef *const *operands,
                                     const int64_t *config, int64_t num_config);

/** Makes `function` callable as `name` ("library.operation") on operands of the
 * dtypes in `dtype_mask` (bit d for MindrtDType d). A name is registered once:
 * a second time is a value error. */
MINDRT_API int mindrt_library_register(const char *name,
                                       MindrtLibraryFunction function,
                                       uint64_t dtype_mask);
/** 1 when `name` is registered for `dtype`, else 0. */
MINDRT_API int mindrt_library_has(const char *name, int32_t dtype);
/** Calls the function `name`. An unknown name is a runtime error. */
MINDRT_API int mindrt_library_call(const char *name, int64_t num_operands,
                                   const MindrtMemRef *const *operands,
                                   const int64_t *config, int64_t num_config);

/** Post-operations: a list at the end of a config,
 *     [count, (kind, parameter) * count]
 * applied to the result in that order. Operands that they take follow the
 * operation's inputs, in the order of the list. */
enum MindrtPostOp {
  /** + operand: rank 1, dense, one value per output channel or matrix column.
   * Parameter 0. */
  MINDRT_POST_BIAS = 0,
  /** + operand of the output's shape, which may be the output's own memory
   * (then the result is added to what it held); any other overlap is not
   * allowed. Parameter 0. */
  MINDRT_POST_RESIDUAL = 1,
  /** x where x > 0, else slope * x; the parameter holds the bits of the float32
   * slope. With slope 0 it is max(x, 0), NaN of NaN, and must be the last of
   * its list, because oneDNN has only MINDRT_POST_RELU_NO_NAN: it is a pass
   * over the output of its own. */
  MINDRT_POST_RELU = 2,
  /** x * scale; the parameter holds the bits of the float32 scale. */
  MINDRT_POST_SCALE = 3,
  /** max(x, 0), where NaN becomes 0; costs nothing. Parameter 0. */
  MINDRT_POST_RELU_NO_NAN = 4,
  /** - operand, like MINDRT_POST_BIAS. */
  MINDRT_POST_CHANNEL_SUB = 5,
  /** * operand, like MINDRT_POST_BIAS. */
  MINDRT_POST_CHANNEL_MUL = 6
};

/** Order of the dimensions of an activation (`C` channels, `D` spatial). */
enum MindrtDataLayout {
  MINDRT_CHANNELS_FIRST = 0, /**< [N, C, D...] */
  MINDRT_CHANNELS_LAST = 1   /**< [N, D..., C] */
};

/** Order of the dimensions of convolution weights (`O` output channels, `I`
 * input channels of one group, `K` kernel). */
enum MindrtWeightsLayout {
  MINDRT_OIK = 0, /**< [O, I, K...]: oihw */
  MINDRT_KIO = 1, /**< [K..., I, O]: hwio */
  MINDRT_OKI = 2  /**< [O, K..., I]: ohwi */
};

/** Names registered by the oneDNN back end, float32 only. Operands may have any
 * positive strides; dimensions of size 0 are allowed where the result is
 * defined. Shapes that do not fit are a value error, other dtypes a type error.
 *
 * "onednn.matmul": (A [..., M, K], B [..., K, N], post..., C [..., M, N])
 *     C = post(A x B). Equal ranks >= 2; leading sizes broadcast, where A or B
 *     has 1. A transposed operand is one with swapped strides.
 *     config: [post-op list]
 *
 * "onednn.convolution": (X, W, post..., Y)          Y = post(conv(X, W))
 * "onednn.convolution_backward_data": (dY, W, post..., dX)
 * "onednn.convolution_backward_weights": (X, dY, dW) no post-ops
 *     S spatial dimensions, 1 to 3; X, Y in the data layout, W in the weights
 *     layout, whatever the strides. Output size of a spatial dimension:
 *     floor((in + before + after - (kernel - 1) * dilation - 1) / stride) + 1,
 *     0 when the numerator is negative. An empty sum in Y is refused.
 *     config: [S, data layout, weights layout, groups,
 *              stride * S, dilation * S (1: dense),
 *              padding before * S, padding after * S,
 *              post-op list]
 */

/*===--- Random bits
 * --------------------------------------------------------===*/

/** Philox4x32-10: writes n words of the stream of `seed`, from word `offset`
 * on, to `out`. The same for any number of threads, and any split of the range
 * into calls. */
MINDRT_API int mindrt_random_bits(uint64_t seed, uint64_t offset, uint32_t *out,
                                  int64_t n);

/*===--- Printing
 * ---------------------------------------------------------------===*/

/** Prints `format` and a line end to standard output, each "{}" replaced by the
 * next value as nested lists, numbers in the fewest digits that read back. */
MINDRT_API int mindrt_print(const char *format, int64_t num_values,
                            const MindrtMemRef *const *values);

/*===--- Ahead-of-time compiled entries
 * ------------------------------------------------===*/

/** What the functions that ms-compile makes call: runs compiled code on plain
 * memory, as by `mindrt_run`. `entry` takes pointers to memref descriptors, of what it returns
 * first. `signature` is
 *     [number of arguments, number of results, number of returned results,
 *      per argument: dtype, rank, donated (0 or 1), size * rank,
 *      per result: dtype (-1: a token), rank, updated argument or -1, position
 *      among the returned or -1, size * rank]
 * with -1 for a size known when called. `pointers` holds, per argument, its dense
 * row-major elements and, if a size is -1, its `int64_t` sizes; then per result
 * that is neither a token nor an update, the memory to write to or, if a size is
 * -1, where to write the address of a buffer that the caller frees by
 * `mindrt_free`, and where to write its sizes. Updated arguments are written.
 * Arguments that are not aligned to 64 bytes are copied first. */
MINDRT_API int mindrt_call(void (*entry)(void **pointers),
                           const int64_t *signature, void *const *pointers);

#ifdef __cplusplus
}
#endif
#endif /* MINDIR_C_RUNTIME_H */
