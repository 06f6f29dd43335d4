// SPDX-License-Identifier: GPL-3.0-or-later
// Against tests/data/sass/hints.txt: words that ptxas 13.0 emitted for tests/sweep/hints.py, with the text of nvdisasm 13.0.
// There is one word for each architecture, opcode, memory order and hint.
#include "core/sass/cache_hint.h"

#include <fstream>
#include <set>
#include <sstream>
#include <tuple>

#include "core/sass/decoder.h"
#include "tests/support/catch.h"

using namespace cubinlab;

namespace {

struct Emitted {
    Arch arch;
    Word word;
    std::string text;
};

std::vector<Emitted> emitted_words() {
    std::vector<Emitted> out;
    std::ifstream file(CUBINLAB_TEST_DATA "/sass/hints.txt");
    for (std::string line; std::getline(file, line);) {
        std::istringstream in(line);
        std::string arch, text;
        Word word;
        in >> arch >> std::hex >> word.lo >> word.hi >> std::ws;
        std::getline(in, text);
        out.push_back({*Arch::parse(arch), word, text});
    }
    REQUIRE(out.size() > 500);
    return out;
}

bool unsigned_128(const Word& word) {
    return word.bits(73, 3) == 7;  // sm_75 alone
}

constexpr const char* kNames[] = {".EF", "", ".EL", ".LU", ".EU", ".NA"};
constexpr const char* kSizes[] = {"", ".LTC64B", ".LTC128B", ".LTC256B"};

std::vector<CacheHint> all_hints() {
    std::vector<CacheHint> out;
    for (unsigned bits = 0; bits < 32; ++bits)
        if ((bits & 7) < 6) out.push_back(CacheHint::from_bits(bits));
    return out;
}

// A hint that the instruction can hold.
bool fits(const Word& word, const CacheHint& hint) {
    return CacheHint::decode(hint.encode_into(word)) == hint;
}

}  // namespace

TEST_CASE("hinted words have the text of nvdisasm, and the hint of the text") {
    for (const Emitted& one : emitted_words()) {
        INFO(one.arch.name() << " " << one.text);
        CHECK(render(one.arch, one.word, 0) == one.text);
        const CacheHint hint = CacheHint::decode(one.word);
        const std::string opcode = one.text.substr(0, one.text.find(' '));
        for (std::size_t i = 0; i < std::size(kNames); ++i)
            if (kNames[i][0] != 0)
                CHECK((opcode.find(kNames[i]) != std::string::npos) ==
                      (static_cast<std::size_t>(hint.eviction) == i));
        for (std::size_t i = 1; i < std::size(kSizes); ++i)
            CHECK((opcode.find(kSizes[i]) != std::string::npos) ==
                  (static_cast<std::size_t>(hint.prefetch) == i));
        CHECK(hint.encode_into(one.word) == one.word);
    }
}

TEST_CASE("a hint changes its own bits alone, and reads back") {
    for (const Emitted& one : emitted_words())
        for (const CacheHint& hint : all_hints()) {
            const Word changed = hint.encode_into(one.word);
            const bool copy = one.word.bits(0, 9) == 0x1ae;
            const std::uint64_t prefetch = has_prefetch(one.word) ? (copy ? 3ull << 7 : 3ull << 4) : 0;
            const std::uint64_t eviction = has_eviction(one.word) ? 7ull << 20 : 0;
            REQUIRE(changed.lo == one.word.lo);
            REQUIRE(((changed.hi ^ one.word.hi) & ~(prefetch | eviction)) == 0);
            if (has_eviction(one.word)) REQUIRE(CacheHint::decode(changed).eviction == hint.eviction);
            if (has_prefetch(one.word)) REQUIRE(CacheHint::decode(changed).prefetch == hint.prefetch);
        }
}

TEST_CASE("a hint is possible exactly where ptxas emits it, and .lu never changes") {
    using Key = std::tuple<std::string, unsigned, std::uint64_t, std::uint32_t>;
    const auto key_of = [](const Emitted& e, const CacheHint& hint) {
        return Key{e.arch.name(), static_cast<unsigned>(e.word.bits(0, 9)), e.word.bits(77, 4), hint.bits()};
    };
    const std::vector<Emitted> words = emitted_words();
    std::set<Key> emitted;
    for (const Emitted& one : words)
        if (!unsigned_128(one.word)) emitted.insert(key_of(one, CacheHint::decode(one.word)));
    std::size_t refused = 0;
    for (const Emitted& one : words) {
        if (unsigned_128(one.word)) continue;
        const CacheHint own = CacheHint::decode(one.word);
        for (const CacheHint& hint : all_hints()) {
            if (!fits(one.word, hint)) continue;
            const std::string why = hint_refusal(one.arch, decode(one.arch, one.word, 0), hint);
            INFO(one.arch.name() << " " << one.text << " as " << hint.text() << ": " << why);
            const bool last_use_changes =
                (own.eviction == Eviction::LastUse) != (hint.eviction == Eviction::LastUse);
            CHECK(why.empty() == (hint == own || (emitted.contains(key_of(one, hint)) && !last_use_changes)));
            if (!why.empty()) CHECK(why.find(hint.text()) != std::string::npos);
            refused += why.empty() ? 0 : 1;
        }
    }
    CHECK(refused > 1000);
}

TEST_CASE("the text and the bits of a hint read back") {
    for (const CacheHint& hint : all_hints()) {
        CHECK(*CacheHint::parse(hint.text()) == hint);
        CHECK(CacheHint::from_bits(hint.bits()) == hint);
    }
    CHECK(CacheHint{Eviction::Last, Prefetch::Bytes256}.text() == "evict_last+256B");
    for (const char* text : {"", "evict", "evict_first+", "evict_first+1B", "+64B", "evict_first 64B"})
        CHECK_FALSE(CacheHint::parse(text));
}
