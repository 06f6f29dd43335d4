// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/result.h"

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
    switch (code) {
        case ErrorCode::BadUse:
            return "bad-use";
        case ErrorCode::BadInput:
            return "bad-input";
        case ErrorCode::NotFound:
            return "not-found";
        case ErrorCode::Unsupported:
            return "unsupported";
        case ErrorCode::Io:
            return "io";
        case ErrorCode::Busy:
            return "busy";
        case ErrorCode::NoGpu:
            return "no-gpu";
        case ErrorCode::Worker:
            return "worker";
        case ErrorCode::Refused:
            return "refused";
        case ErrorCode::Corrupt:
            return "corrupt";
        case ErrorCode::Missing:
            return "missing";
        case ErrorCode::Cancelled:
            return "cancelled";
    }
    return "unknown";
}

}  // namespace cubinlab
