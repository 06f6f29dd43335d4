// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/insight/kernel_alignment.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <unordered_map>

#include "core/base/hash.h"
#include "core/sass/decoder.h"

namespace cubinlab {
namespace {

using Key = std::uint64_t;
using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

constexpr int kDepth = 3;                 // of the sources that tell equal instructions apart
constexpr double kLeastShared = 0.3;      // of the instructions of two blocks, to have them side by side
constexpr std::size_t kMostBlocks = 2000;  // of a kernel; above, the kernel is one sequence

Key mixed(Key a, Key b) {
    const std::array<Key, 2> both = {a, b};
    return hash_bytes(both.data(), sizeof both).lo;
}

Key key_of_text(std::string_view text) {
    return hash_bytes(text.data(), text.size()).lo;
}

bool is_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

// The length of a register's or scoreboard's prefix at `at`, whose number follows; 0: there is none.
std::size_t numbered_prefix(std::string_view text, std::size_t at) {
    if (at > 0 && (is_word(text[at - 1]) || text[at - 1] == '.')) return 0;
    for (const std::string_view prefix : {"UR", "UP", "SB", "R", "P", "B"}) {
        if (!text.substr(at).starts_with(prefix)) continue;
        std::size_t end = at + prefix.size();
        while (end < text.size() && std::isdigit(static_cast<unsigned char>(text[end])))
            ++end;
        if (end > at + prefix.size() && (end == text.size() || !is_word(text[end]))) return prefix.size();
    }
    return 0;
}

// Without the target of a branch and reuse flags, which schedules set; `numbers`: with those of registers.
std::string simplified(std::string_view text, bool numbers) {
    constexpr std::string_view kReuse = ".reuse";
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
        if (text.substr(at).starts_with(kReuse)) {
            at += kReuse.size();
        } else if (text[at] == '`') {
            const std::size_t end = text.find(')', at);
            at = end == std::string_view::npos ? text.size() : end + 1;
        } else if (const std::size_t prefix = numbers ? 0 : numbered_prefix(text, at); prefix > 0) {
            out += text.substr(at, prefix);
            for (at += prefix; at < text.size() && std::isdigit(static_cast<unsigned char>(text[at]));)
                ++at;
        } else {
            out += text[at++];
        }
    }
    return out;
}

// What tells the instructions of one kernel apart.
struct Keys {
    std::vector<Key> exact;     // with registers, by InstrId
    std::vector<Key> computed;  // without
    std::vector<Key> sourced;   // and by where the sources come from, kDepth instructions back in the block
};

// By InstrId: the instructions of the same block that define what it reads, one for each register file and number.
std::vector<std::vector<InstrId>> sources_of(const Kernel& kernel) {
    std::vector<std::vector<InstrId>> out(kernel.size());
    for (const Block& block : kernel.flow().blocks) {
        std::map<std::pair<RegFile, unsigned>, InstrId> defined;
        for (InstrId id = block.first; id < block.end(); ++id) {
            for (const Operand& operand : kernel.instruction(id).operands) {
                if (!operand.read) continue;
                const auto found = defined.find({operand.file, operand.first});
                out[id].push_back(found == defined.end() ? kNone : found->second);
            }
            for (const Operand& operand : kernel.instruction(id).operands)
                for (unsigned r = 0; operand.write && r < operand.count; ++r)
                    defined[{operand.file, operand.first + r}] = id;
        }
    }
    return out;
}

Keys keys_of(const Kernel& kernel) {
    Keys out;
    for (InstrId id = 0; id < kernel.size(); ++id) {
        const std::string text = render(kernel.arch(), kernel.instruction(id).word, id * kWordBytes);
        out.exact.push_back(key_of_text(simplified(text, true)));
        out.computed.push_back(key_of_text(computed_text(text)));
    }
    const auto sources = sources_of(kernel);
    out.sourced = out.computed;
    for (int depth = 0; depth < kDepth; ++depth) {
        std::vector<Key> deeper = out.computed;
        for (InstrId id = 0; id < kernel.size(); ++id)
            for (const InstrId source : sources[id])
                deeper[id] = mixed(deeper[id], source == kNone ? 0 : out.sourced[source]);
        out.sourced = std::move(deeper);
    }
    return out;
}

// ---- sequences ----

// Without a table: the k-th of equal keys belongs to the k-th, and the longest increasing part of these pairs stays.
Pairs common_by_occurrence(KeySpan a, KeySpan b) {
    std::unordered_map<Key, std::vector<std::uint32_t>> places;  // in b
    for (std::uint32_t j = 0; j < b.size(); ++j)
        places[b[j]].push_back(j);
    std::unordered_map<Key, std::size_t> used;
    Pairs candidates;
    for (std::uint32_t i = 0; i < a.size(); ++i) {
        const auto found = places.find(a[i]);
        if (found == places.end()) continue;
        if (std::size_t& next = used[a[i]]; next < found->second.size())
            candidates.emplace_back(i, found->second[next++]);
    }
    std::vector<std::uint32_t> tails, before(candidates.size(), kNone);  // indices of candidates
    for (std::uint32_t k = 0; k < candidates.size(); ++k) {
        const auto place = std::ranges::lower_bound(tails, candidates[k].second, {},
                                                    [&](std::uint32_t t) { return candidates[t].second; });
        if (place != tails.begin()) before[k] = *(place - 1);
        if (place == tails.end())
            tails.push_back(k);
        else
            *place = k;
    }
    Pairs out;
    for (std::uint32_t k = tails.empty() ? kNone : tails.back(); k != kNone; k = before[k])
        out.push_back(candidates[k]);
    std::ranges::reverse(out);
    return out;
}

enum class From : std::uint8_t { Pair, Left, Right };

}  // namespace

std::string computed_text(std::string_view text) {
    return simplified(text, false);
}

Pairs common_subsequence(KeySpan a, KeySpan b, KeySpan finer_a, KeySpan finer_b) {
    if (a.size() * b.size() > kMostCells) return common_by_occurrence(a, b);
    // Scores compare the number of pairs first, then those with equal finer keys.
    constexpr std::uint64_t kPair = std::uint64_t{1} << 32;
    const std::size_t width = b.size() + 1;
    std::vector<std::uint64_t> above(width, 0), row(width, 0);
    std::vector<From> from(a.size() * width, From::Left);
    for (std::size_t i = 0; i < a.size(); ++i) {
        for (std::size_t j = 0; j < b.size(); ++j) {
            std::uint64_t best = above[j + 1];
            From way = From::Left;
            if (row[j] > best) {
                best = row[j];
                way = From::Right;
            }
            if (a[i] == b[j])
                if (const std::uint64_t paired = above[j] + kPair + (finer_a[i] == finer_b[j]); paired > best) {
                    best = paired;
                    way = From::Pair;
                }
            row[j + 1] = best;
            from[i * width + j + 1] = way;
        }
        std::swap(above, row);
    }
    Pairs out;
    for (std::size_t i = a.size(), j = b.size(); i > 0 && j > 0;) {
        const From way = from[(i - 1) * width + j];
        if (way == From::Pair) out.emplace_back(static_cast<std::uint32_t>(i - 1), static_cast<std::uint32_t>(j - 1));
        if (way != From::Right) --i;
        if (way != From::Left) --j;
    }
    std::ranges::reverse(out);
    return out;
}

namespace {

// ---- blocks ----

struct Range {
    InstrId first = 0, count = 0;
    int loop_depth = 0;
};

std::vector<Range> ranges_of(const Kernel& kernel, bool in_blocks) {
    if (!in_blocks) return {{0, static_cast<InstrId>(kernel.size()), 0}};
    std::vector<Range> out;
    for (const Block& block : kernel.flow().blocks)
        out.push_back({block.first, block.count, block.loop_depth});
    return out;
}

KeySpan part(const std::vector<Key>& keys, const Range& range) {
    return KeySpan(keys).subspan(range.first, range.count);
}

std::vector<std::vector<Key>> sorted_keys(const std::vector<Key>& keys, std::span<const Range> ranges) {
    std::vector<std::vector<Key>> out;
    for (const Range& range : ranges) {
        const KeySpan own = part(keys, range);
        out.emplace_back(own.begin(), own.end());
        std::ranges::sort(out.back());
    }
    return out;
}

// The instructions that two blocks share; 0: too few to have them side by side.
double shared(const std::vector<Key>& a, const std::vector<Key>& b) {
    std::size_t common = 0;
    for (auto x = a.begin(), y = b.begin(); x != a.end() && y != b.end();) {
        if (*x == *y) {
            ++common;
            ++x;
            ++y;
        } else {
            *x < *y ? ++x : ++y;
        }
    }
    const double share = 2.0 * static_cast<double>(common) / static_cast<double>(a.size() + b.size());
    return share < kLeastShared ? 0 : static_cast<double>(common);
}

// In address order; the pairs that share most instructions, loops with loops of their depth before others.
Pairs pair_blocks(std::span<const Range> left, std::span<const Range> right, const Keys& keys_left, const Keys& keys_right) {
    if (left.size() == 1 && right.size() == 1) return {{0, 0}};
    const auto a = sorted_keys(keys_left.computed, left), b = sorted_keys(keys_right.computed, right);
    const std::size_t width = b.size() + 1;
    std::vector<float> best((a.size() + 1) * width, 0);
    std::vector<From> from(best.size(), From::Left);
    for (std::size_t i = 1; i <= a.size(); ++i)
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t here = i * width + j;
            best[here] = best[here - width];
            if (best[here - 1] > best[here]) {
                best[here] = best[here - 1];
                from[here] = From::Right;
            }
            const double common = shared(a[i - 1], b[j - 1]);
            if (common == 0) continue;
            const bool alike = left[i - 1].loop_depth == right[j - 1].loop_depth;
            const auto paired = static_cast<float>(best[here - width - 1] + common * (alike ? 1 : 0.5));
            if (paired > best[here]) {
                best[here] = paired;
                from[here] = From::Pair;
            }
        }
    Pairs out;
    for (std::size_t i = a.size(), j = b.size(); i > 0 && j > 0;) {
        const From way = from[i * width + j];
        if (way == From::Pair) out.emplace_back(static_cast<std::uint32_t>(i - 1), static_cast<std::uint32_t>(j - 1));
        if (way != From::Right) --i;
        if (way != From::Left) --j;
    }
    std::ranges::reverse(out);
    return out;
}

// ---- both ----

class Aligner {
  public:
    Aligner(const Kernel& left, const Kernel& right)
        : keys_left_(keys_of(left)), keys_right_(keys_of(right)) {
        const bool in_blocks = left.flow().blocks.size() <= kMostBlocks && right.flow().blocks.size() <= kMostBlocks;
        left_ = ranges_of(left, in_blocks);
        right_ = ranges_of(right, in_blocks);
        out_.right_of_left.assign(left.size(), kNone);
        out_.left_of_right.assign(right.size(), kNone);
    }

    KernelAlignment run() {
        std::size_t l = 0, r = 0;
        const Pairs blocks = pair_blocks(left_, right_, keys_left_, keys_right_);
        for (const auto& [a, b] : blocks) {
            while (l < a)
                blank(left_[l++], true);
            while (r < b)
                blank(right_[r++], false);
            side_by_side(left_[l++], right_[r++]);
        }
        while (l < left_.size())
            blank(left_[l++], true);
        while (r < right_.size())
            blank(right_[r++], false);
        for (const auto& [a, b] : blocks)
            find_moved(left_[a], right_[b], keys_left_.computed, keys_right_.computed);
        const Range all_left{0, static_cast<InstrId>(out_.right_of_left.size()), 0};
        const Range all_right{0, static_cast<InstrId>(out_.left_of_right.size()), 0};
        find_moved(all_left, all_right, keys_left_.sourced, keys_right_.sourced);
        count();
        return std::move(out_);
    }

  private:
    void pair(InstrId left, InstrId right) {
        out_.right_of_left[left] = right;
        out_.left_of_right[right] = left;
    }
    void blank(const Range& range, bool on_left) {
        for (InstrId i = 0; i < range.count; ++i)
            out_.rows.push_back(on_left ? AlignedPair{range.first + i, kNone} : AlignedPair{kNone, range.first + i});
    }
    void side_by_side(const Range& left, const Range& right) {
        InstrId l = 0, r = 0;
        const auto rest = [&](InstrId to_left, InstrId to_right) {
            while (l < to_left)
                out_.rows.push_back({left.first + l++, kNone});
            while (r < to_right)
                out_.rows.push_back({kNone, right.first + r++});
        };
        for (const auto& [i, j] : common_subsequence(part(keys_left_.computed, left), part(keys_right_.computed, right),
                                                     part(keys_left_.sourced, left), part(keys_right_.sourced, right))) {
            rest(i, j);
            const InstrId a = left.first + l++, b = right.first + r++;
            pair(a, b);
            const bool same = keys_left_.exact[a] == keys_right_.exact[b];
            out_.rows.push_back({a, b, same ? Computed::Same : Computed::Renamed});
        }
        rest(left.count, right.count);
    }
    // Partners for those that are left, in their order.
    void find_moved(const Range& left, const Range& right, const std::vector<Key>& keys_left,
                    const std::vector<Key>& keys_right) {
        std::unordered_map<Key, std::vector<InstrId>> free;  // the first is the last
        for (InstrId id = right.first + right.count; id-- > right.first;)
            if (out_.left_of_right[id] == kNone) free[keys_right[id]].push_back(id);
        for (InstrId id = left.first; id < left.first + left.count; ++id) {
            if (out_.right_of_left[id] != kNone) continue;
            const auto found = free.find(keys_left[id]);
            if (found == free.end() || found->second.empty()) continue;
            pair(id, found->second.back());
            found->second.pop_back();
        }
    }
    void count() {
        for (AlignedPair& row : out_.rows) {
            if (row.left != kNone && row.right != kNone) {
                ++(row.computed == Computed::Same ? out_.same : out_.renamed);
                continue;
            }
            const bool on_left = row.left != kNone;
            const InstrId partner = on_left ? out_.right_of_left[row.left] : out_.left_of_right[row.right];
            row.computed = partner == kNone ? Computed::Alone : Computed::Moved;
            if (partner == kNone)
                ++(on_left ? out_.only_left : out_.only_right);
            else if (on_left)
                ++out_.moved;
        }
    }

    Keys keys_left_, keys_right_;
    std::vector<Range> left_, right_;
    KernelAlignment out_;
};

}  // namespace

KernelAlignment align_kernels(const Kernel& left, const Kernel& right) {
    return Aligner(left, right).run();
}

}  // namespace cubinlab
