// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lab/study/hostile.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <functional>

#include "core/result/evaluator.h"

namespace cubinlab {
namespace {

// Low 12 bits of a word.
enum Opcode : unsigned {
    kLdg = 0x981,
    kStg = 0x986,
    kBra = 0x947,
    kLdc = 0xb82,
    kUldc = 0xab9,
    kIsetpImmediate = 0x80c,
};
// hostile_probe.cu: `late >= 0x3fedcba9` becomes `late > 0x3fedcba8`.
constexpr std::uint64_t kNever = 0x3fedcba8;
// BPT.TRAP 0x0 as ptxas 13.0 writes it for `trap;` on sm_90a.
constexpr Word kTrap{0x000000000000795cull, 0x000fe20000300000ull};

void set_bits(Word& word, unsigned first, unsigned count, std::uint64_t value) {
    for (unsigned i = 0; i < count; ++i) {
        std::uint64_t& half = first + i < 64 ? word.lo : word.hi;
        const std::uint64_t mask = 1ull << ((first + i) % 64);
        half = (value >> i & 1) != 0 ? half | mask : half & ~mask;
    }
}

unsigned opcode_of(const Word& word) {
    return static_cast<unsigned>(word.bits(0, 12));
}

class Workshop {
  public:
    Workshop(const Kernel& kernel, const Workload& workload, std::size_t each)
        : kernel_(kernel), workload_(workload), each_(each) {
        const KernelInfo& info = kernel.info();
        const auto bytes = kernel.cubin().bytes();
        for (std::size_t at = 0; at + kWordBytes <= info.code_size; at += kWordBytes) {
            Word word;
            std::memcpy(&word, bytes.data() + info.code_offset + at, sizeof word);
            words_.push_back(word);
        }
    }

    std::vector<HostileCandidate> make() {
        addresses();
        stores();
        control_flow();
        warm();
        control_codes();
        values();
        astray();
        return std::move(out_);
    }

  private:
    using Change = std::function<void(std::vector<Word>&)>;

    void add(const std::string& kind, std::string what, std::vector<OutcomeKind> honest,
             const Change& change) {
        const auto same_kind = static_cast<std::size_t>(
            std::count_if(out_.begin(), out_.end(), [&](const auto& c) { return c.kind == kind; }));
        if (same_kind >= each_) return;
        std::vector<Word> words = words_;
        change(words);
        if (words == words_) return;
        const auto bytes = kernel_.cubin().bytes();
        HostileCandidate made{kind, std::move(what), {bytes.begin(), bytes.end()}, std::move(honest)};
        std::memcpy(made.image.data() + kernel_.info().code_offset, words.data(),
                    words.size() * sizeof(Word));
        out_.push_back(std::move(made));
    }

    std::vector<std::size_t> places(std::initializer_list<unsigned> opcodes) const {
        std::vector<std::size_t> out;
        for (const unsigned opcode : opcodes)
            for (std::size_t i = 0; i < words_.size(); ++i)
                if (opcode_of(words_[i]) == opcode) out.push_back(i);
        return out;
    }
    std::string place(std::size_t i) const {
        return fmt::format("{} at {:#x}", kernel_.instruction(static_cast<InstrId>(i)).mnemonic,
                           i * kWordBytes);
    }

    void addresses() {
        for (const std::size_t i : places({kStg, kLdg}))
            add("illegal address", place(i) + ": base RZ", {OutcomeKind::Fault},
                [i](auto& words) { set_bits(words[i], 24, 8, 255); });
        for (const std::size_t i : places({kStg, kLdg}))
            add("misaligned", place(i) + ": offset + 1", {OutcomeKind::Fault},
                [i](auto& words) { set_bits(words[i], 40, 24, words[i].bits(40, 24) + 1); });
    }

    void move_stores(const char* kind, std::int64_t by, std::vector<OutcomeKind> honest) {
        add(kind, fmt::format("all global stores {:+} bytes", by), std::move(honest), [&](auto& words) {
            for (const std::size_t i : places({kStg}))
                set_bits(words[i], 40, 24, words[i].bits(40, 24) + static_cast<std::uint64_t>(by));
        });
    }
    void stores() {
        for (int i = 1; i <= 6; ++i)
            move_stores("guard zone", 4096 * i, {OutcomeKind::OutOfBoundsStore});
        for (const std::int64_t by : {0x700000, -0x700000, 0x400000, -0x400000, 0x200000, -0x100000})
            move_stores("far store", by,
                        {OutcomeKind::OutOfBoundsStore, OutcomeKind::WrongResult, OutcomeKind::Fault});
    }

    // A branch to itself, as compilers leave one behind the last EXIT.
    std::optional<Word> self_branch() const {
        for (std::size_t i = words_.size(); i-- > 0;)
            if (opcode_of(words_[i]) == kBra && words_[i].bits(12, 4) == 7 && words_[i].bit(63))
                return words_[i];
        return std::nullopt;
    }
    // Words of the first block: they run in every thread.
    std::size_t entry_words() const {
        return std::max<std::size_t>(1, kernel_.flow().blocks.empty() ? 1 : kernel_.flow().blocks[0].count);
    }
    void control_flow() {
        const std::size_t most = entry_words();
        const auto branch = self_branch();
        const std::size_t step = std::max<std::size_t>(1, most / std::max<std::size_t>(1, each_));
        for (std::size_t at = 0; at < most; at += step) {
            if (branch)
                add("endless loop", fmt::format("branch to itself at {:#x}", at * kWordBytes),
                    {OutcomeKind::Hang}, [at, &branch](auto& words) { words[at] = *branch; });
            add("trap", fmt::format("BPT.TRAP at {:#x}", at * kWordBytes), {OutcomeKind::Fault},
                [at](auto& words) { words[at] = kTrap; });
        }
    }

    void warm() {
        const std::uint64_t blocks =
            static_cast<std::uint64_t>(workload_.grid[0]) * workload_.grid[1] * workload_.grid[2];
        for (const std::size_t i : places({kIsetpImmediate})) {
            if (words_[i].bits(32, 32) != kNever) continue;
            for (const std::uint64_t launches : {5, 6, 7, 9, 11, 13})
                add("warm only", fmt::format("wrong from launch {} of a load on", launches + 1),
                    {OutcomeKind::WrongResult}, [i, launches, blocks](auto& words) {
                        set_bits(words[i], 32, 32, launches * blocks - 1);
                    });
        }
    }

    void control_codes() {
        const std::vector<OutcomeKind> any = {OutcomeKind::WrongResult, OutcomeKind::OutOfBoundsStore,
                                              OutcomeKind::Fault, OutcomeKind::Hang};
        const auto each_word = [](std::size_t from, std::size_t to, auto edit) {
            return [from, to, edit](std::vector<Word>& words) {
                for (std::size_t i = from; i < std::min(to, words.size()); ++i)
                    edit(words[i]);
            };
        };
        const auto no_wait = [](Word& w) { set_bits(w, 116, 6, 0); };
        const auto no_write_barrier = [](Word& w) { set_bits(w, 110, 3, 7); };
        const auto stall_one = [](Word& w) {
            if (w.bits(105, 4) > 1 && w.bits(105, 4) < 12) set_bits(w, 105, 4, 1);
        };
        const std::size_t all = words_.size();
        add("control code", "no waits at all", any, each_word(0, all, no_wait));
        add("control code", "stall 1 everywhere", any, each_word(0, all, stall_one));
        add("control code", "no write barriers", any, each_word(0, all, no_write_barrier));
        add("control code", "no waits in the first half", any, each_word(0, all / 2, no_wait));
        add("control code", "no waits in the middle", any, each_word(all / 4, all * 3 / 4, no_wait));
        add("control code", "stall 1 in the second half", any, each_word(all / 2, all, stall_one));
    }

    // FFMA (0x223), IMAD (0x224), HMMA (0x23c): the second source register lies in bits 32..39.
    void values() {
        const auto found = places({0x223, 0x23c, 0x224});
        const std::size_t step = std::max<std::size_t>(1, found.size() / std::max<std::size_t>(1, each_));
        for (std::size_t k = 0; k < found.size(); k += step) {
            const std::size_t i = found[k];
            add("wrong value", place(i) + ": another source register",
                {OutcomeKind::WrongResult, OutcomeKind::OutOfBoundsStore, OutcomeKind::Fault},
                [i](auto& words) { set_bits(words[i], 32, 8, words[i].bits(32, 8) ^ 1); });
        }
    }

    // Makes every read of the parameter `from` (an address in constant bank 0) read `to` instead.
    void redirect(std::size_t from, std::size_t to) {
        const KernelInfo& info = kernel_.info();
        const std::uint64_t at = (info.param_base + info.params[from].offset) / 4;
        const std::uint64_t other = (info.param_base + info.params[to].offset) / 4;
        const std::size_t room = std::get<BufferParam>(workload_.params[to]).bytes();
        const bool fits = std::get<BufferParam>(workload_.params[from]).bytes() <= room;
        // Stores beyond the smaller buffer may reach addresses that nothing is mapped at, which ends the
        // kernel before the input that it wrote over is looked at.
        const std::vector<OutcomeKind> honest =
            fits ? std::vector{OutcomeKind::OutOfBoundsStore}
                 : std::vector{OutcomeKind::OutOfBoundsStore, OutcomeKind::Fault};
        add("gone astray",
            fmt::format("params[{}] written over params[{}]{}", from, to, fits ? "" : ", which is smaller"),
            honest, [&](auto& words) {
                for (const std::size_t i : places({kLdc, kUldc}))
                    if (words[i].bits(40, 14) == at) set_bits(words[i], 40, 14, other);
            });
    }
    void astray() {
        const auto buffer = [&](std::size_t i, bool output) {
            const auto* b = std::get_if<BufferParam>(&workload_.params[i]);
            return b && b->output == output;
        };
        for (std::size_t i = 0; i < workload_.params.size(); ++i)
            for (std::size_t k = 0; k < workload_.params.size(); ++k)
                if (buffer(i, true) && buffer(k, false)) redirect(i, k);
        const std::vector<OutcomeKind> any = {OutcomeKind::Fault, OutcomeKind::Hang, OutcomeKind::WrongResult,
                                              OutcomeKind::OutOfBoundsStore};
        for (const std::size_t at : {std::size_t{0}, entry_words() - 1})
            add("gone astray", fmt::format("no instruction at {:#x}", at * kWordBytes), any,
                [at](auto& words) {
                    words[at] = Word{0, 0};
                });
        if (const auto branch = self_branch())
            for (const unsigned bit : {52u, 58u})
                add("gone astray", fmt::format("a jump out of the code (bit {})", bit), any,
                    [bit, &branch](auto& words) {
                        words[0] = *branch;
                        words[0].lo ^= 1ull << bit;
                    });
    }

    const Kernel& kernel_;
    const Workload& workload_;
    std::size_t each_;
    std::vector<Word> words_;
    std::vector<HostileCandidate> out_;
};

}  // namespace

bool HostileCandidate::is_honest(OutcomeKind outcome) const {
    return std::find(honest.begin(), honest.end(), outcome) != honest.end();
}

std::vector<HostileCandidate> hostile_candidates(const Kernel& kernel, const Workload& workload,
                                                 std::size_t each) {
    return Workshop(kernel, workload, each).make();
}

}  // namespace cubinlab
