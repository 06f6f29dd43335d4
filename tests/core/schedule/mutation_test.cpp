// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schedule/mutation.h"

#include "core/sass/cache_hint.h"
#include "tests/core/schedule/test_kernels.h"

using namespace cubinlab;
using namespace cubinlab::test;

TEST_CASE("anchored moves, by hand") {
    const KernelPtr kernel = load_kernel(sample("softmax"));
    const Schedule s(kernel);
    const auto order = [](const Schedule& schedule) {
        return std::vector<InstrId>(schedule.order().begin(), schedule.order().begin() + 6);
    };
    CHECK(order(*Mutation::move_before(4, 1).applied(s)) == std::vector<InstrId>{0, 4, 1, 2, 3, 5});
    CHECK(order(*Mutation::move_after(4, 1).applied(s)) == std::vector<InstrId>{0, 1, 4, 2, 3, 5});
    CHECK(order(*Mutation::move_before(1, 4).applied(s)) == std::vector<InstrId>{0, 2, 3, 1, 4, 5});
    CHECK(order(*Mutation::move_after(1, 4).applied(s)) == std::vector<InstrId>{0, 2, 3, 4, 1, 5});
    CHECK(order(*Mutation::move_to(s, 1, 4).applied(s)) == std::vector<InstrId>{0, 2, 3, 4, 1, 5});
    CHECK(order(*Mutation::move_to(s, 4, 1).applied(s)) == std::vector<InstrId>{0, 4, 1, 2, 3, 5});
}

TEST_CASE("move_to puts the instruction where it says, everywhere in a block") {
    const KernelPtr kernel = load_kernel(sample("softmax"));
    std::mt19937_64 random(3);
    const Schedule s = random_schedule(kernel, random, 40);
    for (Position p = 0; p < 20; ++p)
        for (Position to = 0; to < 20; ++to) {
            if (p == to) continue;
            const auto moved = required(Mutation::move_to(s, s.at(p), to).applied(s));
            CHECK(moved->at(to) == s.at(p));
        }
}

TEST_CASE("the inverse restores, for random mutations of every kernel") {
    std::mt19937_64 random(11);
    for (const KernelPtr& kernel : editable_kernels()) {
        INFO(kernel->cubin().where() << " " << kernel->name());
        Schedule s(kernel);
        for (int i = 0; i < 30; ++i) {
            const Mutation m = random_mutation(s, random, 1 + random() % 5);
            const auto back = required(m.inverse(s));
            Schedule t = s;
            REQUIRE(m.apply(t));
            const auto forward_again = required(back->inverse(t));
            Schedule u = t;
            REQUIRE(back->apply(u));
            CHECK(u == s);
            REQUIRE(forward_again->apply(u));
            CHECK(u == t);
            s = t;
        }
    }
}

TEST_CASE("text for the database goes there and back") {
    std::mt19937_64 random(13);
    const KernelPtr kernel = load_kernel(sample("flash_attn"));
    const Schedule s(kernel);
    for (int i = 0; i < 200; ++i) {
        const Mutation m = random_mutation(s, random, random() % 6);
        const auto back = required(Mutation::decode(m.encode()));
        CHECK(*back == m);
    }
}

TEST_CASE("the database text is as documented") {
    Mutation m;
    m.edits.push_back({EditKind::MoveAfter, 12, 40, {}, {}});
    m.edits.push_back({EditKind::MoveBefore, 3, 0, {}, {}});
    // Stall 2, no barriers, no yield: nvdisasm prints the upper half as 0x000fe40000000000.
    const ControlCode two = ControlCode::decode(Word{0, 0x000fe40000000000ull});
    ControlCode four = two;
    four.stall = 4;
    CHECK(two.stall == 2);
    m.edits.push_back({EditKind::Control, 7, kNone, two.bits(), four.bits()});
    const CacheHint first{Eviction::First, Prefetch::Bytes128};
    m.edits.push_back({EditKind::Hint, 9, kNone, CacheHint{}.bits(), first.bits()});
    CHECK(m.encode() == "A12>40;B3>0;C7:000fe4000:000fe8000;H9:01:10");
    CHECK(Mutation{}.encode().empty());
    CHECK(Mutation::decode("")->empty());
}

TEST_CASE("text that is no mutation is refused with the place") {
    for (const char* text : {"X1>2", "A1", "A1>", "A>2", "A1>2;", ";A1>2", "A1>2 ", "A-1>2", "A99999999999>1",
                             "C1:000fe4000", "C1:00fe4000:000fe8000", "C1:000fe400g:000fe8000",
                             "C1:fffffffff:000fe8000", "H1:01", "H1:20:01", "H1:1:01", "A1>2,B1>2", "A1>2;;B1>2"}) {
        INFO(text);
        const auto m = Mutation::decode(text);
        REQUIRE_FALSE(m);
        CHECK(m.error().code == ErrorCode::BadInput);
        CHECK(m.error().what.find("character") != std::string::npos);
    }
}

TEST_CASE("damaged text never does harm") {
    std::mt19937_64 random(17);
    const std::string good = "A12>40;C7:000fe4000:000fe8000;B3>1;H9:01:10";
    for (int i = 0; i < 20000; ++i) {
        std::string text = good;
        for (std::uint64_t n = 1 + random() % 4; n > 0; --n)
            text[random() % text.size()] = static_cast<char>(random() % 256);
        const auto m = Mutation::decode(text);
        if (m) CHECK(*Mutation::decode(m->encode()) == *m);
    }
}

TEST_CASE("what cannot be applied is refused and changes nothing") {
    const KernelPtr kernel = load_kernel(sample("bmm_mma"));
    const Schedule s(kernel);
    const InstrId other_block = kernel->flow().blocks[2].first;
    ControlCode wrong = s.control(5);
    wrong.stall = static_cast<std::uint8_t>((wrong.stall + 1) % 16);
    const std::vector<Mutation> bad = {
        Mutation::move_before(3, other_block), Mutation::move_before(3, 3),
        Mutation::move_after(100000, 3),       Mutation::move_after(3, 100000),
        Mutation::move_after(3, kNone),        Mutation{{{EditKind::Control, 5, kNone, wrong.bits(), wrong.bits()}}},
    };
    for (const Mutation& m : bad) {
        Schedule t = s;
        const Status status = m.apply(t);
        REQUIRE_FALSE(status);
        CHECK(status.error().code == ErrorCode::Refused);
        CHECK_FALSE(status.error().what.empty());
        CHECK(t == s);
        CHECK_FALSE(m.inverse(s));
        // As the last of several edits: those before it are taken back.
        Mutation several = Mutation::move_before(9, 2);
        several.edits.push_back(m.edits.front());
        REQUIRE_FALSE(several.apply(t));
        CHECK(t == s);
    }
}

TEST_CASE("the kind of a mutation is what it changes") {
    const KernelPtr kernel = load_kernel(sample("bmm_mma"));
    const Schedule s(kernel);
    const auto control = [&](auto change) {
        ControlCode c = s.control(5);
        change(c);
        return Mutation::control(s, 5, c).kind();
    };
    CHECK(Mutation::move_before(9, 2).kind() == MutationKind::Move);
    CHECK(control([](ControlCode& c) { c.stall ^= 1; }) == MutationKind::Stall);
    CHECK(control([](ControlCode& c) { c.yield = !c.yield; }) == MutationKind::Yield);
    CHECK(control([](ControlCode& c) { c.read_barrier ^= 1; }) == MutationKind::Barrier);
    CHECK(control([](ControlCode& c) { c.wait_mask ^= 1; }) == MutationKind::Wait);
    CHECK(control([](ControlCode& c) { c.reuse ^= 1; }) == MutationKind::Reuse);
    CHECK(control([](ControlCode& c) {
              c.stall ^= 1;
              c.yield = !c.yield;
          }) == MutationKind::Mixed);
}

TEST_CASE("the line for people names the instructions") {
    const KernelPtr kernel = load_kernel(sample("bmm_mma"));
    const Schedule s(kernel);
    CHECK(Mutation::move_before(2, 1).text(*kernel) == "move S2UR 0x0020 before S2R 0x0010");
    ControlCode c = s.control(1);
    c.stall = 9;
    c.wait_mask = 0x3;
    c.write_barrier = kNoBarrier;
    CHECK(Mutation::control(s, 1, c).text(*kernel) ==
          "S2R 0x0010: stall 7 -> 9, write barrier 1 -> none, wait mask 0x00 -> 0x03");
    CHECK(Mutation{}.text(*kernel) == "nothing");
}

TEST_CASE("the difference of two schedules takes one to the other") {
    std::mt19937_64 random(19);
    for (const KernelPtr& kernel : editable_kernels()) {
        INFO(kernel->cubin().where() << " " << kernel->name());
        for (int i = 0; i < 5; ++i) {
            const Schedule a = random_schedule(kernel, random, 1 + random() % 40);
            const Schedule b = random_schedule(kernel, random, 1 + random() % 40);
            const auto applied = required(difference(a, b).applied(a));
            CHECK(*applied == b);
        }
        CHECK(difference(Schedule(kernel), Schedule(kernel)).empty());
    }
}

TEST_CASE("the difference is short: one moved instruction is one edit") {
    const KernelPtr kernel = load_kernel(sample("bmm_mma"));
    const Schedule s(kernel);
    for (const Position to : {1u, 60u, 118u}) {
        const auto moved = required(Mutation::move_to(s, 30, to).applied(s));
        CHECK(difference(s, *moved).edits.size() == 1);
    }
    std::mt19937_64 random(23);
    for (int i = 0; i < 50; ++i) {
        const Mutation m = random_mutation(s, random, 10);
        CHECK(difference(s, *m.applied(s)).edits.size() <= m.edits.size());
    }
}

TEST_CASE("a hint edit needs an instruction that can hold it") {
    const KernelPtr kernel = load_kernel(sample("bmm_mma"));
    const Schedule s(kernel);
    const auto find = [&](std::string_view mnemonic) {
        InstrId id = 0;
        while (id < kernel->size() && kernel->instruction(id).mnemonic != mnemonic)
            ++id;
        REQUIRE(id < kernel->size());
        return id;
    };
    const CacheHint first{Eviction::First, Prefetch::None};
    const InstrId store = find("STG");
    const auto hinted = required(Mutation::field(s, kHintField, store, first.bits()).applied(s));
    CHECK(hinted->changes_code());
    CHECK(difference(s, *hinted).kind() == MutationKind::Hint);
    CHECK(difference(s, *hinted).text(*kernel).find("evict_normal -> evict_first") != std::string::npos);
    CHECK(difference(*hinted, s).applied(*hinted)->overrides().empty());
    // Only the three bits of the priority differ.
    const Word before = s.word_of(store), after = hinted->word_of(store);
    CHECK((before.lo == after.lo && ((before.hi ^ after.hi) & ~(7ull << 20)) == 0));
    for (const InstrId id : {find("HMMA"), find("LDGSTS")})
        CHECK_FALSE(Mutation::field(s, kHintField, id, first.bits()).applied(s));
}
