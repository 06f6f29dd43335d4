// SPDX-License-Identifier: GPL-3.0-or-later
// Errors as values. A function of core that can fail on outside input returns Result<T>. No exception leaves
// core. A programming error asserts.
//
//   const KernelPtr kernel = TRY(Kernel::load(cubin));   // on failure returns the error from this function
#pragma once
#include <string>
#include <tl/expected.hpp>
#include <type_traits>
#include <utility>

namespace cubinlab {

enum class ErrorCode {
    BadUse,       // wrong arguments or combination of options              exit 2
    BadInput,     // a file or value that is malformed or truncated         exit 2
    NotFound,     // file, kernel, run or step that does not exist          exit 2
    Unsupported,  // valid, but not supported (sm_100 edits)                exit 2
    Io,           // the system call failed: permissions, disk full         exit 2
    Busy,         // in use by another process: a second session writer     exit 2
    NoGpu,        // no driver, no device, or no GPU of the architecture    exit 3
    Worker,       // the worker process crashed, hung or sent bad data      exit 1
    Refused,      // an illegal edit or schedule                            exit 1
    Corrupt,      // a session whose hashes do not match                    exit 1
    Missing,      // an optional component (LibTorch module, nvdisasm)     exit 2
    Cancelled,    // a stop was requested                                   exit 1
};

struct Error {
    ErrorCode code = ErrorCode::BadInput;
    std::string what;   // one sentence: what is wrong and, if known, what to do
    std::string where;  // file, field, section or step that `what` refers to; may be empty

    std::string message() const { return where.empty() ? what : where + ": " + what; }
};

template <class T>
using Result = tl::expected<T, Error>;
using Status = Result<void>;

inline tl::unexpected<Error> fail(Error error) {
    return tl::unexpected<Error>(std::move(error));
}
inline tl::unexpected<Error> fail(ErrorCode code, std::string what, std::string where = {}) {
    return tl::unexpected<Error>(Error{code, std::move(what), std::move(where)});
}

template <class T>
T value_of(Result<T>&& result) {
    if constexpr (!std::is_void_v<T>) return *std::move(result);
}

// The value of a Result; on failure the enclosing function returns the error. Use it alone or as a whole
// initialiser, not inside another expression. (Statement expressions are a compiler extension.)
#define TRY(...)                                                                   \
    __extension__({                                                                \
        auto try_result_ = (__VA_ARGS__);                                          \
        if (!try_result_) return ::cubinlab::fail(std::move(try_result_).error()); \
        ::cubinlab::value_of(std::move(try_result_));                              \
    })

// Exit code of the command line for an error: 1 found problems, 2 bad use or input, 3 no GPU.
int exit_code(ErrorCode code);
const char* to_string(ErrorCode code);

}  // namespace cubinlab
