// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gpu/client/cubin_images.h"

#include <cassert>
#include <utility>

namespace cubinlab {

const CubinWriter& CubinImages::writer(const KernelPtr& kernel) const {
    const std::scoped_lock guard(writers_->mutex);
    auto found = writers_->of_kernel.find(kernel);
    if (found == writers_->of_kernel.end()) {
        auto made = CubinWriter::create(kernel);
        assert(made);
        found = writers_->of_kernel.emplace(kernel, std::move(*made)).first;
    }
    return found->second;  // a map's elements stay where they are
}

std::vector<std::byte> CubinImages::of(const Schedule& schedule) const {
    const KernelPtr& kernel = schedule.kernel();
    const std::span<const std::byte> file = kernel->cubin().bytes();
    // A search screens hundreds of starts as they were compiled: those need no writer.
    if (schedule.hash() == kernel->hash()) return {file.begin(), file.end()};
    return apply_patches(file, writer(kernel).patches(schedule));
}

}  // namespace cubinlab
