// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schedule/kernel.h"

#include "core/sass/decoder.h"
#include "core/schedule/pins.h"

namespace cubinlab {

Result<std::shared_ptr<const Kernel>> Kernel::load(std::shared_ptr<const Cubin> cubin,
                                                   std::string_view name) {
    if (!cubin) return fail(ErrorCode::BadUse, "no cubin to load a kernel from");
    auto info = TRY(cubin->kernel(name));
    std::shared_ptr<Kernel> kernel(new Kernel);
    kernel->cubin_ = std::move(cubin);
    kernel->info_ = info;
    const std::vector<Word> words = kernel->cubin_->code(*info);
    kernel->hash_ = hash_bytes(words.data(), words.size() * sizeof(Word));
    kernel->instructions_.reserve(words.size());
    for (std::size_t i = 0; i < words.size(); ++i)
        kernel->instructions_.push_back(
            decode(kernel->arch(), words[i], static_cast<std::uint32_t>(i * kWordBytes)));
    FlowHints hints{info->indirect_targets, info->indirect_branches, {}};
    for (const FunctionEntry& f : info->functions)
        hints.function_entries.push_back(f.offset);
    kernel->flow_ = build_flow_graph(kernel->instructions_, hints);
    kernel->pins_ = find_pins(*kernel->cubin_, *info, kernel->instructions_, kernel->flow_);
    return std::shared_ptr<const Kernel>(std::move(kernel));
}

}  // namespace cubinlab
