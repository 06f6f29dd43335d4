// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/result.h"

#include "core/base/enum_names.h"

namespace cubinlab {

int exit_code(ErrorCode code) {
    switch (code) {
        case ErrorCode::NoGpu:
            return 3;
        case ErrorCode::Worker:
        case ErrorCode::Refused:
        case ErrorCode::Corrupt:
        case ErrorCode::Cancelled:
            return 1;
        default:
            return 2;
    }
}

const char* to_string(ErrorCode code) {
    return enum_name<ErrorCode::Cancelled>({"bad-use", "bad-input", "not-found", "unsupported", "io", "busy",
                                            "no-gpu", "worker", "refused", "corrupt", "missing", "cancelled"},
                                           code, "unknown");
}

}  // namespace cubinlab
