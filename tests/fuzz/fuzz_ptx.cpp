// SPDX-License-Identifier: GPL-3.0-or-later
// PTX: what parses is reproduced by its own order, and the check of orders accepts another order of it.
#include <cstdlib>
#include <string>

#include "core/ptx/order.h"
#include "core/ptx/order_check.h"
#include "tests/fuzz/fuzz_target.h"

using namespace cubinlab;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text(fuzz::text_of(data, size));
    (void)ptx::check_order(text, text);
    const auto module = ptx::parse(text);
    if (!module) return 0;
    for (const ptx::Entry& entry : module->entries) {
        if (entry.body.empty() || module->find(entry.name) != &entry) continue;
        const auto order = ptx::order_of(*module, entry.name);
        if (!order) std::abort();
        std::vector<double> keys = order->identity();
        if (ptx::reorder(*module, *order, keys) != text) std::abort();
        for (std::size_t i = 0; i < keys.size(); ++i)
            keys[i] = static_cast<double>((i * 0x9e3779b97f4a7c15u + size) >> 40);
        const auto other = ptx::reorder(*module, *order, keys);
        if (!other || !ptx::check_order(text, *other)) std::abort();
        (void)ptx::rename_entry(text, entry.name, "another_name");
    }
    return 0;
}
