// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schedule/schedule.h"

#include "tests/core/schedule/test_kernels.h"

using namespace cubinlab;
using namespace cubinlab::test;

namespace {

Word without_control(const Word& word) {
    return ControlCode{}.encode_into(word);
}

// True if words that are alike but for fields that edits rewrite stand in their original order: the condition under which
// matching can recover the very order.
bool twins_in_order(const Schedule& s, Word (*key)(const Word&) = without_fields) {
    for (const Block& block : s.kernel()->flow().blocks)
        for (Position a = block.first; a < block.end(); ++a)
            for (Position b = a + 1; b < block.end(); ++b)
                if (s.at(a) > s.at(b) && key(s.word(a)) == key(s.word(b)))
                    return false;
    return true;
}

}  // namespace

TEST_CASE("the original schedule has the words and the hash of the kernel") {
    for (const KernelPtr& kernel : editable_kernels()) {
        const Schedule s(kernel);
        CHECK(s.words() == kernel->cubin().code(kernel->info()));
        CHECK(s.hash() == kernel->hash());
    }
}

TEST_CASE("moving shifts what lies between by one") {
    const KernelPtr kernel = load_kernel(sample("softmax"));
    Schedule s(kernel);
    s.move(2, 5);
    CHECK(std::vector<InstrId>(s.order().begin(), s.order().begin() + 8) ==
          std::vector<InstrId>{0, 1, 3, 4, 5, 2, 6, 7});
    CHECK(s.position_of(2) == 5);
    CHECK(s.position_of(3) == 2);
    CHECK(s.moved(2));
    CHECK_FALSE(s.moved(6));
    s.move(2, 2);
    CHECK(s == Schedule(kernel));
}

TEST_CASE("a control override changes the control field and nothing else") {
    const KernelPtr kernel = load_kernel(sample("softmax"));
    Schedule s(kernel);
    ControlCode c = s.control(7);
    c.stall = static_cast<std::uint8_t>(c.stall ^ 3);
    s.set_control(7, c);
    CHECK(s.fields_changed(7));
    CHECK(ControlCode::decode(s.word(7)) == c);
    CHECK(without_control(s.word(7)) == without_control(kernel->instruction(7).word));
    CHECK(s.hash() != kernel->hash());
    CHECK(s.word(8) == kernel->instruction(8).word);
}

TEST_CASE("matching recovers a random schedule") {
    std::mt19937_64 random(7);
    for (const KernelPtr& kernel : editable_kernels()) {
        INFO(kernel->cubin().where() << " " << kernel->name());
        for (int i = 0; i < 3; ++i) {
            const Schedule s = random_schedule(kernel, random, 60);
            const auto matched = required(Schedule::match(kernel, s.words()));
            CHECK(matched->words() == s.words());
            if (twins_in_order(s)) CHECK(*matched == s);
            CHECK(twins_in_order(*matched, without_control));
        }
    }
}

TEST_CASE("words that are alike are matched in order of appearance") {
    // 41 words of bmm_mma equal another word but for control bits.
    const KernelPtr kernel = load_kernel(sample("bmm_mma"));
    int twins = 0;
    for (InstrId a = 0; a < kernel->size(); ++a)
        for (InstrId b = 0; b < kernel->size(); ++b)
            if (a != b && without_control(kernel->instruction(a).word) ==
                              without_control(kernel->instruction(b).word)) {
                ++twins;
                break;
            }
    CHECK(twins >= 41);
    const auto matched = required(Schedule::match(kernel, kernel->cubin().code(kernel->info())));
    CHECK(*matched == Schedule(kernel));
}

TEST_CASE("the hill-climbed files are reschedules of their originals") {
    for (const char* name : {"bmm_mma", "flash_attn", "flash_attn_mma", "softmax"}) {
        const KernelPtr kernel = load_kernel(sample(name));
        const auto tuned = open_cubin(std::filesystem::path(CUBINLAB_SAMPLES) / "hillclimbed" /
                                      (std::string(name) + ".hillclimb.cubin"));
        const auto matched = Schedule::match(kernel, tuned->code(tuned->kernels()[0]));
        INFO(name);
        REQUIRE(matched);
        CHECK(matched->words() == tuned->code(tuned->kernels()[0]));
    }
}

TEST_CASE("what is not a reschedule is refused, with the place") {
    const KernelPtr kernel = load_kernel(sample("softmax"));
    std::vector<Word> words = kernel->cubin().code(kernel->info());
    words[3].lo ^= 1ull << 20;
    const auto changed = Schedule::match(kernel, words);
    REQUIRE_FALSE(changed);
    CHECK(changed.error().code == ErrorCode::Refused);
    CHECK(changed.error().what.find("0x0000") != std::string::npos);
    words.pop_back();
    CHECK_FALSE(Schedule::match(kernel, words));
    // The same words in another block are another program.
    const KernelPtr bmm = load_kernel(sample("bmm_mma"));
    std::vector<Word> crossed = bmm->cubin().code(bmm->info());
    std::swap(crossed[bmm->flow().blocks[1].first], crossed[bmm->flow().blocks[2].first]);
    CHECK_FALSE(Schedule::match(bmm, crossed));
}
