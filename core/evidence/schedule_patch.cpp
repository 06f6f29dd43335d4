// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/evidence/schedule_patch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>

#include "core/base/enum_names.h"
#include "core/sass/decoder.h"

namespace cubinlab {
namespace {

constexpr std::size_t kAround = 4;  // instructions before and behind a block

// Branch targets are places: a block is the same wherever it lies.
std::string without_places(std::string text) {
    constexpr std::string_view kLabel = "(.L_x_";
    for (std::size_t at = text.find(kLabel); at != std::string::npos; at = text.find(kLabel, at + 1)) {
        const std::size_t end = text.find(')', at);
        if (end == std::string::npos) break;
        text.replace(at, end - at, "(.L");
    }
    return text;
}

Word without_control(const Word& word) {
    return ControlCode{0, false, kNoBarrier, kNoBarrier, 0, 0}.encode_into(word);
}

std::string word_text(const Kernel& kernel, const Word& word, InstrId id) {
    return without_places(
        render(kernel.arch(), without_control(word), static_cast<std::uint32_t>(id * kWordBytes)));
}

using Texts = std::vector<std::string>;

Texts slice(const Texts& texts, std::size_t first, std::size_t end) {
    return {texts.begin() + static_cast<std::ptrdiff_t>(first),
            texts.begin() + static_cast<std::ptrdiff_t>(end)};
}

Texts block_texts(const Texts& texts, const Block& block) {
    return slice(texts, block.first, block.end());
}

Texts texts_before(const Texts& texts, const Block& block) {
    return slice(texts, block.first > kAround ? block.first - kAround : 0, block.first);
}

Texts texts_behind(const Texts& texts, const Block& block) {
    return slice(texts, block.end(), std::min<std::size_t>(texts.size(), block.end() + kAround));
}

// The same instructions with registers numbered in the order of their appearance: a compiler that allocated others
// wrote the same block.
Texts with_any_registers(const Texts& texts) {
    std::map<std::string, std::string> names;
    Texts out;
    for (const std::string& text : texts) {
        std::string line;
        for (std::size_t at = 0; at < text.size();) {
            std::size_t letters = at;
            while (letters < text.size() &&
                   (std::isalnum(static_cast<unsigned char>(text[letters])) != 0 || text[letters] == '_'))
                ++letters;
            const std::string word = text.substr(at, letters - at);
            const std::size_t digits = word.find_first_of("0123456789");
            const std::string file = word.substr(0, std::min(digits, word.size()));
            const bool is_register =
                digits != std::string::npos &&
                word.find_first_not_of("0123456789", digits) == std::string::npos &&
                (file == "R" || file == "UR" || file == "P" || file == "UP" || file == "B");
            if (is_register) {
                const auto [name, added] = names.emplace(word, "");
                if (added) name->second = fmt::format("{}%{}", file, names.size());
                line += name->second;
            } else {
                line += word;
            }
            at = letters;
            if (at < text.size()) line += text[at++];
        }
        out.push_back(std::move(line));
    }
    return out;
}

// Blocks of the kernel with these instructions in this order.
std::vector<BlockId> blocks_like(const Kernel& kernel, const Texts& texts, const Texts& wanted) {
    std::vector<BlockId> out;
    for (BlockId b = 0; b < kernel.flow().blocks.size(); ++b) {
        const Block& block = kernel.flow().blocks[b];
        if (block.count == wanted.size() &&
            std::equal(wanted.begin(), wanted.end(),
                       texts.begin() + static_cast<std::ptrdiff_t>(block.first)))
            out.push_back(b);
    }
    return out;
}

std::vector<BlockId> blocks_like_but_for_registers(const Kernel& kernel, const Texts& texts,
                                                   const Texts& wanted) {
    const Texts renamed = with_any_registers(wanted);
    std::vector<BlockId> out;
    for (BlockId b = 0; b < kernel.flow().blocks.size(); ++b)
        if (const Block& block = kernel.flow().blocks[b];
            block.count == wanted.size() && with_any_registers(block_texts(texts, block)) == renamed)
            out.push_back(b);
    return out;
}

// How many of the instructions around agree, counted from the block outwards.
std::size_t likeness(const PatchBlock& wanted, const Texts& texts, const Block& block) {
    const Texts before = texts_before(texts, block), behind = texts_behind(texts, block);
    std::size_t score = 0;
    for (std::size_t i = 1; i <= std::min(before.size(), wanted.before.size()); ++i) {
        if (before[before.size() - i] != wanted.before[wanted.before.size() - i]) break;
        ++score;
    }
    for (std::size_t i = 0; i < std::min(behind.size(), wanted.behind.size()); ++i) {
        if (behind[i] != wanted.behind[i]) break;
        ++score;
    }
    // The kernel's own edge is a neighbour, too.
    if (wanted.before.empty() && block.first == 0) score += kAround;
    if (wanted.behind.empty() && block.end() == texts.size()) score += kAround;
    return score;
}

// What of the block is still there, for the person whose rebuild changed it.
std::string nearest_block(const Kernel& kernel, const Texts& texts, const Texts& wanted) {
    std::map<std::string, int> counts;
    for (const std::string& t : wanted)
        ++counts[t];
    std::size_t best = 0;
    BlockId where = kNone;
    for (BlockId b = 0; b < kernel.flow().blocks.size(); ++b) {
        const Block& block = kernel.flow().blocks[b];
        std::map<std::string, int> left = counts;
        std::size_t same = 0;
        for (Position p = block.first; p < block.end(); ++p)
            if (const auto it = left.find(texts[p]); it != left.end() && it->second > 0) {
                --it->second;
                ++same;
            }
        if (same > best) {
            best = same;
            where = b;
        }
    }
    if (where == kNone) return "none of its instructions is in any block";
    const Block& block = kernel.flow().blocks[where];
    const Texts now = block_texts(texts, block);
    for (const std::string& t : now)
        --counts[t];
    std::string gone;
    for (const std::string& t : wanted)
        if (counts[t] > 0) {
            gone = t;
            break;
        }
    if (gone.empty())
        return fmt::format("the block at {:#06x} has its instructions in another order, or {} more",
                           block.first * kWordBytes, now.size() - std::min(now.size(), wanted.size()));
    return fmt::format(
        "the block at {:#06x} is nearest: {} of {} instructions are there, the first that is not: {}",
        block.first * kWordBytes, best, wanted.size(), gone);
}

// The block of the rebuilt kernel, or why there is none.
struct Found {
    BlockId block = kNone;
    AppliedBlock told;
};

Found find_block(const PatchBlock& wanted, const Kernel& kernel, const Texts& texts) {
    Found out;
    out.told.at = wanted.at;
    Texts instructions;
    for (const PatchLine& line : wanted.original)
        instructions.push_back(line.text);
    std::vector<BlockId> like = blocks_like(kernel, texts, instructions);
    if (like.empty()) like = blocks_like_but_for_registers(kernel, texts, instructions);
    if (like.empty()) {
        Texts tuned;
        for (const PatchLine& line : wanted.tuned)
            tuned.push_back(line.text);
        for (const BlockId b : blocks_like(kernel, texts, tuned)) {
            const Block& block = kernel.flow().blocks[b];
            bool same = true;
            for (Position i = 0; i < block.count; ++i)
                same = same && kControlField.read(kernel.instruction(block.first + i).word) ==
                                   wanted.tuned[i].fields.front().bits;
            if (!same) continue;
            out.told.fate = BlockFate::Already;
            out.told.now_at = block.first * kWordBytes;
            return out;
        }
        out.told.why = nearest_block(kernel, texts, instructions);
        return out;
    }
    if (like.size() == wanted.of && wanted.which < like.size()) {
        // As many alike as there were: the n-th is the n-th.
        out.block = like[wanted.which];
    } else {
        std::vector<BlockId> best;
        std::size_t most = 0;
        for (const BlockId b : like) {
            const std::size_t score = likeness(wanted, texts, kernel.flow().blocks[b]);
            if (score > most) best.clear();
            if (score >= most) best.push_back(b);
            most = std::max(most, score);
        }
        if (best.size() != 1 && like.size() != 1) {
            out.told.fate = BlockFate::Ambiguous;
            out.told.why = fmt::format(
                "{} blocks have its instructions ({} had before), and what stands around them does "
                "not tell which it is",
                like.size(), wanted.of);
            return out;
        }
        out.block = like.size() == 1 ? like.front() : best.front();
    }
    out.told.now_at = kernel.flow().blocks[out.block].first * kWordBytes;
    return out;
}

void put_block(Schedule& schedule, const PatchBlock& from, const Block& block) {
    for (std::size_t i = 0; i < from.order.size(); ++i) {
        const auto id = static_cast<InstrId>(block.first + from.order[i]);
        schedule.move(id, static_cast<Position>(block.first + i));
        for (const FieldValue& value : from.tuned[i].fields)
            if (const FieldKind& kind = field_of(value.kind); kind.has(schedule.word_of(id)))
                schedule.set_field(kind, id, value.bits);
    }
}

PatchLine tuned_line(const Schedule& tuned, InstrId id, const std::string& original_text) {
    const Kernel& kernel = *tuned.kernel();
    PatchLine out{{{EditKind::Control, tuned.field(kControlField, id)}}, original_text};
    for (const FieldKind* kind : kFieldKinds) {
        const FieldBits bits = tuned.field(*kind, id);
        if (kind == &kControlField || bits == kind->read(kernel.instruction(id).word)) continue;
        out.fields.push_back({kind->kind, bits});
        out.text = word_text(kernel, tuned.word_of(id), id);
    }
    return out;
}

}  // namespace

const char* to_string(BlockFate fate) {
    return enum_name<BlockFate::Illegal>(
        {"applied", "already so", "not found", "ambiguous", "not legal here"}, fate, "?");
}

std::vector<std::string> patch_texts(const Kernel& kernel) {
    Texts out;
    out.reserve(kernel.size());
    for (InstrId id = 0; id < kernel.size(); ++id)
        out.push_back(word_text(kernel, kernel.instruction(id).word, id));
    return out;
}

Result<SchedulePatch> make_patch(const HazardChecker& original, const Schedule& tuned) {
    const Kernel& kernel = *original.kernel();
    if (const Legality hazards = original.check(tuned); !hazards.empty())
        return fail(ErrorCode::Refused, "is not a legal schedule of the original " + summary_of(hazards),
                    kernel.name());
    const Texts texts = patch_texts(kernel);
    SchedulePatch out{kernel.name(), kernel.arch().name(), kernel.hash(), tuned.hash(), {}, {}};
    for (BlockId b = 0; b < kernel.flow().blocks.size(); ++b) {
        const Block& block = kernel.flow().blocks[b];
        bool changed = false;
        for (InstrId id = block.first; id < block.end(); ++id)
            changed = changed || tuned.moved(id) || tuned.fields_changed(id);
        if (!changed) continue;
        PatchBlock mine;
        mine.at = block.first * kWordBytes;
        const std::vector<BlockId> like = blocks_like(kernel, texts, block_texts(texts, block));
        mine.of = like.size();
        mine.which = static_cast<std::size_t>(std::find(like.begin(), like.end(), b) - like.begin());
        mine.before = texts_before(texts, block);
        mine.behind = texts_behind(texts, block);
        for (Position p = block.first; p < block.end(); ++p) {
            const Word& original_word = kernel.instruction(p).word;
            mine.original.push_back(
                {{{EditKind::Control, kControlField.read(original_word)}}, texts[p]});
            mine.order.push_back(tuned.at(p) - block.first);
            mine.tuned.push_back(tuned_line(tuned, tuned.at(p), texts[tuned.at(p)]));
        }
        out.blocks.push_back(std::move(mine));
    }
    return out;
}

Result<AppliedPatch> apply_patch(const SchedulePatch& patch, const HazardChecker& rebuilt) {
    const KernelPtr kernel = rebuilt.kernel();
    const auto arch = Arch::parse(patch.arch);
    if (!arch || arch->sm != kernel->arch().sm)
        return fail(ErrorCode::Refused,
                    fmt::format("is for {}, the kernel for {}", patch.arch, kernel->arch().name()),
                    kernel->name());
    const Texts texts = patch_texts(*kernel);
    AppliedPatch out{Schedule(kernel), {}, 0};
    if (!rebuilt.legal(out.schedule))
        return fail(ErrorCode::Refused, "the rebuilt kernel as it stands does not pass the check",
                    kernel->name());
    std::vector<BlockId> blocks;
    for (const PatchBlock& wanted : patch.blocks) {
        Found found = find_block(wanted, *kernel, texts);
        // Two blocks of the patch never share one of the kernel.
        if (found.block != kNone && std::find(blocks.begin(), blocks.end(), found.block) != blocks.end()) {
            found.block = kNone;
            found.told.fate = BlockFate::Ambiguous;
            found.told.why = "another block of the patch fits the same place";
        }
        blocks.push_back(found.block);
        out.blocks.push_back(std::move(found.told));
    }
    // All together where that is legal; else one after the other, each that is legal with those before it. A block may
    // become legal by a later one: two rounds.
    Schedule all = out.schedule;
    for (std::size_t i = 0; i < blocks.size(); ++i)
        if (blocks[i] != kNone) put_block(all, patch.blocks[i], kernel->flow().blocks[blocks[i]]);
    const bool together = rebuilt.legal(all);
    for (int round = 0; round < (together ? 1 : 2); ++round)
        for (std::size_t i = 0; i < blocks.size(); ++i) {
            AppliedBlock& told = out.blocks[i];
            if (blocks[i] == kNone || told.fate == BlockFate::Applied || told.fate == BlockFate::Already)
                continue;
            Schedule next = out.schedule;
            put_block(next, patch.blocks[i], kernel->flow().blocks[blocks[i]]);
            if (next == out.schedule) {
                told.fate = BlockFate::Already;
                continue;
            }
            const Legality hazards = together ? Legality{} : rebuilt.check(next);
            told.fate = hazards.empty() ? BlockFate::Applied : BlockFate::Illegal;
            told.why = hazards.empty() ? "" : hazards.front().explanation;
            if (!hazards.empty()) continue;
            out.schedule = std::move(next);
            ++out.applied;
        }
    if (!rebuilt.legal(out.schedule))
        return fail(ErrorCode::Refused, "the patched schedule does not pass the check", kernel->name());
    return out;
}

}  // namespace cubinlab
