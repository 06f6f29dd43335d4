// SPDX-License-Identifier: GPL-3.0-or-later
// Everything that decode() and render() say, one line a word, so that two versions of the decoder can be
// compared byte for byte. Without --lines: one digest per architecture and opcode.
//
//   decode_dump [--lines HEX_OPCODE|all] [--speed] FILE.cubin ...   the words of files
//   decode_dump [--lines HEX_OPCODE|all] --random SEED COUNT        COUNT words of each opcode, made up
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <iterator>
#include <map>
#include <random>
#include <string_view>
#include <vector>

#include "core/binary/cubin.h"
#include "core/sass/decoder.h"

using namespace cubinlab;

namespace {

using Buffer = fmt::memory_buffer;

void operands(Buffer& out, const Instruction& in) {
    for (const Operand& o : in.operands)
        fmt::format_to(std::back_inserter(out), " {}{}+{}.{}{}{}", register_prefix(o.file), o.first, o.count,
                       static_cast<int>(o.role), o.read ? "r" : "", o.write ? "w" : "");
}

void memory(Buffer& out, const MemoryAccess& m) {
    fmt::format_to(std::back_inserter(out), " | {} {:d}{:d}{:d}{:d}{:d}{:d} {}:{}+{} u{} {} w{}",
                   static_cast<int>(m.space), m.reads, m.writes, m.atomic, m.strong, m.plain,
                   m.also_writes_shared, static_cast<int>(m.base_file), m.base, m.base_count, m.uniform_base,
                   m.offset, m.width);
}

void line(Buffer& out, const Arch& arch, const Word& word, std::uint32_t offset) {
    const Instruction in = decode(arch, word, offset);
    fmt::format_to(std::back_inserter(out), "{} {:05x} {:016x}{:016x} {} | {} {} {:05x} @{}{}{} |",
                   arch.name(), offset, word.hi, word.lo, render(arch, word, offset), in.mnemonic,
                   to_string(in.unit), in.traits, in.guard_negated ? "!" : "", in.guard,
                   in.uniform_guard ? "u" : "");
    operands(out, in);
    memory(out, in.memory);
    fmt::format_to(std::back_inserter(out), " | {} {} {}\n", in.branch_target, in.named_scoreboard,
                   in.named_count);
}

constexpr int kAll = 4096;

class Dump {
  public:
    explicit Dump(int lines_of) : lines_of_(lines_of) {}

    void add(const Arch& arch, const Word& word, std::uint32_t offset) {
        const auto opcode = static_cast<unsigned>(word.bits(0, 12));
        if (lines_of_ >= 0 && lines_of_ != kAll && opcode != static_cast<unsigned>(lines_of_)) return;
        text_.clear();
        line(text_, arch, word, offset);
        if (lines_of_ >= 0) {
            std::fwrite(text_.data(), 1, text_.size(), stdout);
            return;
        }
        Entry& entry = entries_[{arch.name(), opcode}];
        ++entry.words;
        for (const char c : text_)
            entry.digest = (entry.digest ^ static_cast<unsigned char>(c)) * 0x100000001b3ull;
    }

    void print() const {
        for (const auto& [key, entry] : entries_)
            fmt::print("{} 0x{:03x} {} {:016x}\n", key.first, key.second, entry.words, entry.digest);
    }

  private:
    struct Entry {
        std::uint64_t words = 0;
        std::uint64_t digest = 0xcbf29ce484222325ull;
    };
    std::map<std::pair<std::string, unsigned>, Entry> entries_;
    Buffer text_;
    int lines_of_;
};

template <class Visit>
void each_word(const char* path, Visit visit) {
    const auto cubin = Cubin::open(path);
    if (!cubin) {
        fmt::print(stderr, "{}\n", cubin.error().message());
        return;
    }
    for (const KernelInfo& kernel : (*cubin)->kernels()) {
        std::uint32_t offset = 0;
        for (const Word& word : (*cubin)->code(kernel)) {
            visit((*cubin)->arch(), word, offset);
            offset += kWordBytes;
        }
    }
}

// Uniform bits reach the odd codings, sparse ones the usual modifiers; registers are often zero registers.
Word made_up(std::mt19937_64& random, unsigned opcode) {
    Word word{random(), random()};
    const auto choice = random();
    if (choice & 1) {
        word.lo &= random();
        word.hi &= random();
    }
    if (choice & 2) word.hi &= random() | 0xff;
    for (const unsigned at : {16u, 24u, 32u, 64u})
        if ((choice >> (at / 2) & 3) == 3) (at < 64 ? word.lo : word.hi) |= 0xffull << (at & 63);
    if (choice & 4) word.hi |= 0x7ull << (81 - 64) | 0x7ull << (84 - 64);
    if (choice & 8) word.hi = (word.hi & ~(0xfull << (87 - 64))) | 0x7ull << (87 - 64);
    if (choice & 16) word.lo |= 0x7000;
    word.lo = (word.lo & ~0xfffull) | opcode;
    return word;
}

void random_words(Dump& dump, std::uint64_t seed, long count) {
    for (const Arch& arch : {Arch{75, false}, Arch{80, false}, Arch{86, false}, Arch{87, false},
                             Arch{89, false}, Arch{90, false}, Arch{90, true}, Arch{100, true}})
        for (unsigned opcode = 0; opcode < 4096; ++opcode) {
            std::mt19937_64 random(seed ^ (static_cast<std::uint64_t>(arch.sm) << 32 | opcode));
            const bool named = decode(arch, {opcode, 0}, 0).mnemonic[0] != '?';
            for (long i = 0; i < (named ? count : 4); ++i)
                dump.add(arch, made_up(random, opcode), static_cast<std::uint32_t>(i % 4096) * kWordBytes);
        }
}

// Instructions a second of CPU time, decoded and rendered, over all words of the files.
void speed(const std::vector<const char*>& files) {
    struct Item {
        Arch arch;
        Word word;
        std::uint32_t offset;
    };
    std::vector<Item> items;
    for (const char* path : files)
        each_word(path, [&](const Arch& arch, const Word& word, std::uint32_t offset) {
            items.push_back({arch, word, offset});
        });
    const auto rate = [&](auto work) {
        double best = 0;
        for (int round = 0; round < 7; ++round) {
            const std::clock_t start = std::clock();
            std::size_t sum = 0;
            for (const Item& item : items)
                sum += work(item);
            const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
            if (sum != 0) best = std::max(best, static_cast<double>(items.size()) / seconds);
        }
        return best / 1e6;
    };
    fmt::print("{} words: decode {:.2f} million/s, ", items.size(),
               rate([](const Item& i) { return decode(i.arch, i.word, i.offset).operands.size() + 1; }));
    fmt::print("render {:.2f} million/s\n",
               rate([](const Item& i) { return render(i.arch, i.word, i.offset).size(); }));
}

}  // namespace

int main(int argc, char** argv) {
    int lines_of = -1;
    bool timed = false;
    std::vector<const char*> rest;
    for (int i = 1; i < argc; ++i) {
        const std::string_view word = argv[i];
        if (word == "--lines" && i + 1 < argc)
            lines_of = std::string_view(argv[++i]) == "all"
                           ? kAll
                           : static_cast<int>(std::strtol(argv[i], nullptr, 16));
        else if (word == "--speed")
            timed = true;
        else
            rest.push_back(argv[i]);
    }
    if (timed) {
        speed(rest);
        return 0;
    }
    Dump dump(lines_of);
    if (rest.size() == 3 && std::string_view(rest[0]) == "--random")
        random_words(dump, std::strtoull(rest[1], nullptr, 10), std::strtol(rest[2], nullptr, 10));
    else
        for (const char* path : rest)
            each_word(path, [&](const Arch& arch, const Word& word, std::uint32_t offset) {
                dump.add(arch, word, offset);
            });
    dump.print();
    return 0;
}
