// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/source/source_map.h"

#include <algorithm>

namespace cubinlab::ui {

const std::vector<InstrId>& SourceMap::of(int file, int line) const {
    static const std::vector<InstrId> none;
    if (file < 0 || static_cast<std::size_t>(file) >= by_line.size()) return none;
    const auto& lines = by_line[static_cast<std::size_t>(file)];
    const auto found = lines.find(line);
    return found == lines.end() ? none : found->second;
}

SourceMapPtr make_source_map(const KernelPtr& kernel) {
    const std::vector<SourceLine> lines = kernel->cubin().source_lines(kernel->info());
    if (lines.empty()) return nullptr;
    std::map<std::string, std::vector<std::pair<InstrId, int>>> by_file;
    std::size_t at = 0;
    for (InstrId id = 0; id < kernel->size(); ++id) {
        while (at + 1 < lines.size() && lines[at + 1].offset <= id * kWordBytes)
            ++at;
        if (lines[at].offset <= id * kWordBytes && lines[at].line > 0)
            by_file[lines[at].file].emplace_back(id, static_cast<int>(lines[at].line));
    }
    std::vector<const decltype(by_file)::value_type*> order;
    for (const auto& entry : by_file)
        order.push_back(&entry);
    std::stable_sort(order.begin(), order.end(),
                     [](const auto* a, const auto* b) { return a->second.size() > b->second.size(); });
    auto out = std::make_shared<SourceMap>();
    out->kernel = kernel;
    out->places.resize(kernel->size());
    for (const auto* entry : order) {
        const int file = static_cast<int>(out->files.size());
        out->files << QString::fromStdString(entry->first);
        out->by_line.emplace_back();
        for (const auto& [id, line] : entry->second) {
            out->places[id] = {file, line};
            out->by_line.back()[line].push_back(id);
        }
    }
    return out;
}

}  // namespace cubinlab::ui
