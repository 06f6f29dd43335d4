// SPDX-License-Identifier: GPL-3.0-or-later
// Errors as values. Every function of core that can fail on outside input returns Result<T>; no exception
// leaves core. A programming error asserts.
//
//   const KernelPtr kernel = TRY(Kernel::load(cubin));   // or out of this function, with the error
#pragma once
#include <string>
#include <tl/expected.hpp>
#include <type_traits>
#include <utility>

namespace cubinlab {

enum class ErrorCode {
    BadUse,       // wrong arguments, wrong combination of options          exit 2
    BadInput,     // a file or value that is malformed, truncated, foreign    exit 2
    NotFound,     // file, kernel, run or step that does not exist            exit 2
    Unsupported,  // understood, but outside what we handle (sm_100 edits)     exit 2
    Io,           // the system refused: permissions, disk full                exit 2
    Busy,         // someone else holds it: a second writer of a session       exit 2
    NoGpu,        // no driver, no device, or none of the needed architecture  exit 3
    Worker,       // the measuring process died, hung or spoke nonsense        exit 1
    Refused,      // an illegal edit or a schedule that does not check         exit 1
    Corrupt,      // a session whose hashes do not match                       exit 1
    Missing,      // an optional component (LibTorch module, nvdisasm) absent  exit 2
    Cancelled,    // a stop was requested                                      exit 1
};

struct Error {
    ErrorCode code = ErrorCode::BadInput;
    std::string what;   // one sentence that says what is wrong and, where there is one, what to do
    std::string where;  // file, field, section, step: what `what` is about; may be empty

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

// The value of a Result; if it has none, the enclosing function returns its error. It stands alone or as a
// whole initialiser, never inside another expression. (`__extension__`: a block with a value is no standard C++.)
#define TRY(...)                                                                   \
    __extension__({                                                                \
        auto try_result_ = (__VA_ARGS__);                                          \
        if (!try_result_) return ::cubinlab::fail(std::move(try_result_).error()); \
        ::cubinlab::value_of(std::move(try_result_));                              \
    })

// Exit code of the command line for an error (DESIGN: 0 ok, 1 found problems, 2 bad use or input, 3 no GPU).
int exit_code(ErrorCode code);
const char* to_string(ErrorCode code);

}  // namespace cubinlab
