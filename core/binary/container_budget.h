// SPDX-License-Identifier: GPL-3.0-or-later
// Bytes that one Container may still unpack. Thread-safe.
#pragma once
#include <atomic>
#include <cstddef>

#include "core/binary/container.h"

namespace cubinlab {

struct Container::Budget {
    explicit Budget(std::size_t bytes) : left(bytes) {}
    std::atomic<std::size_t> left;
    // Returns false and takes nothing if fewer are left.
    bool take(std::size_t bytes) {
        std::size_t before = left.load();
        while (before >= bytes)
            if (left.compare_exchange_weak(before, before - bytes)) return true;
        return false;
    }
};

}  // namespace cubinlab
