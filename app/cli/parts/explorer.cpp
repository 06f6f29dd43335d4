// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/parts/explorer.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "core/isa/control_code.h"

namespace cubinlab::cli {
namespace {

Json opcodes_of(const Word& word) {
    Json bytes = Json::array();
    for (const std::uint64_t half : {word.lo, word.hi})
        for (int shift = 0; shift < 64; shift += 8)
            bytes.push_back(fmt::format("{:02x}", (half >> shift) & 0xff));
    return bytes;
}

std::string label_of(BlockId block) {
    return fmt::format(".B{}", block);
}

// The file that most lines name is the source that is shown beside the listing.
std::string main_source(const std::vector<SourceLine>& lines) {
    std::map<std::string, int> counts;
    for (const SourceLine& line : lines)
        ++counts[line.file];
    const auto most = std::ranges::max_element(counts, {}, [](const auto& entry) { return entry.second; });
    return most == counts.end() ? std::string() : most->first;
}

class ExplorerAsm {
  public:
    ExplorerAsm(const Cubin& cubin, const KernelInfo& info)
        : sources_(cubin.source_lines(info)), main_(main_source(sources_)) {}

    void add_label(const std::string& name) {
        asm_.push_back({{"text", name + ":"}, {"source", nullptr}, {"labels", Json::array()}});
        definitions_[name] = asm_.size();
    }

    void add_word(std::uint32_t offset, const Word& word, const std::string& text,
                  const std::string& target) {
        const std::string line = fmt::format("  {}  {}", ControlCode::decode(word).text(), text);
        Json labels = Json::array();
        if (!target.empty()) {
            const std::size_t at =
                line.rfind(target);  // columns are counted from 1, the end is after the label
            labels.push_back(
                {{"name", target}, {"range", {{"startCol", at + 1}, {"endCol", at + target.size() + 1}}}});
        }
        asm_.push_back({{"text", line},
                        {"address", offset},
                        {"opcodes", opcodes_of(word)},
                        {"source", source_of(offset)},
                        {"labels", std::move(labels)}});
    }

    Json take() {
        return {{"code", 0},
                {"stdout", Json::array()},
                {"stderr", Json::array()},
                {"asm", std::move(asm_)},
                {"labelDefinitions", std::move(definitions_)}};
    }

  private:
    Json source_of(std::uint32_t offset) const {
        const auto after = std::ranges::upper_bound(sources_, offset, {}, &SourceLine::offset);
        if (after == sources_.begin()) return nullptr;
        const SourceLine& line = *std::prev(after);
        return {{"file", line.file}, {"line", line.line}, {"mainsource", line.file == main_}};
    }

    std::vector<SourceLine> sources_;
    std::string main_;
    Json asm_ = Json::array(), definitions_ = Json::object();
};

// The last operand of a branch is its target.
std::string with_label(const std::string& text, const std::string& label) {
    return text.substr(0, text.find_last_of(' ') + 1) + label;
}

}  // namespace

Json explorer_document(const Cubin& cubin, const KernelInfo& info, const Kernel* kernel,
                       const std::vector<std::string>& lines) {
    ExplorerAsm out(cubin, info);
    out.add_label(info.name);
    const std::vector<Word> code = cubin.code(info);
    for (std::size_t i = 0; i < code.size(); ++i) {
        std::string text = i < lines.size() ? lines[i] : "", target;
        if (kernel != nullptr) {
            const auto id = static_cast<InstrId>(i);
            const BlockId block = kernel->block_of(id);
            if (kernel->flow().blocks[block].first == id) out.add_label(label_of(block));
            const std::int64_t to = kernel->instruction(id).branch_target;
            if (to >= 0 && static_cast<std::size_t>(to) / kWordBytes < code.size()) {
                target = label_of(kernel->block_of(static_cast<InstrId>(to / kWordBytes)));
                text = with_label(text, target);
            }
        }
        out.add_word(static_cast<std::uint32_t>(i * kWordBytes), code[i], text, target);
    }
    return out.take();
}

}  // namespace cubinlab::cli
