// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/insight/instruction_text.h"

#include <algorithm>

#include "core/sass/decoder.h"

namespace cubinlab {

std::string instruction_text(const Schedule& schedule, InstrId id, std::span<const std::string> lines) {
    const auto& overrides = schedule.overrides();
    if (std::ranges::binary_search(overrides, id, {}, &std::pair<InstrId, Word>::first))
        return render(schedule.kernel()->arch(), schedule.word_of(id),
                      static_cast<std::uint32_t>(id * kWordBytes));
    return id < lines.size() ? lines[id] : std::string();
}

}  // namespace cubinlab
