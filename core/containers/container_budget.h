// SPDX-License-Identifier: GPL-3.0-or-later
// Bytes that one Container may still unpack: several threads take from it.
#pragma once
#include <atomic>
#include <cstddef>

#include "core/containers/container.h"

namespace cubinlab {

struct Container::Budget {
    explicit Budget(std::size_t bytes) : left(bytes) {}
    std::atomic<std::size_t> left;
    // False, and nothing taken, where there is less.
    bool take(std::size_t bytes) {
        std::size_t before = left.load();
        while (before >= bytes)
            if (left.compare_exchange_weak(before, before - bytes)) return true;
        return false;
    }
};

}  // namespace cubinlab
