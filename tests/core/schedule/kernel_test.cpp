// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schedule/kernel.h"

#include "core/binary/eiattr.h"
#include "tests/core/schedule/test_kernels.h"

using namespace cubinlab;
using namespace cubinlab::test;

namespace {
InstrId at(std::uint32_t offset) {
    return offset / kWordBytes;
}
bool says(const Kernel& kernel, std::uint32_t offset, std::string_view part) {
    INFO(kernel.pin_reason(at(offset)));
    return kernel.pin_reason(at(offset)).find(part) != std::string::npos;
}
}  // namespace

TEST_CASE("a kernel is its words: hash and instructions") {
    const auto cubin = open_cubin(sample("bmm_mma"));
    const KernelPtr kernel = load_kernel(sample("bmm_mma"));
    const std::vector<Word> words = cubin->code(cubin->kernels()[0]);
    REQUIRE(kernel->size() == 432);
    CHECK(kernel->hash() == hash_bytes(words.data(), words.size() * 16));
    for (InstrId i = 0; i < kernel->size(); ++i)
        CHECK(kernel->instruction(i).word == words[i]);
}

TEST_CASE("the same code in another file has the same hash") {
    const KernelPtr original = load_kernel(sample("softmax"));
    auto bytes = read_bytes(sample("softmax"));
    const std::string_view all(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    const std::size_t build = all.find("release 13.0");  // the tool's version note
    REQUIRE(build != std::string_view::npos);
    bytes[build] = std::byte{'R'};
    const auto other = required(Cubin::parse(bytes, "other"));
    CHECK((*other)->file_hash() != original->cubin().file_hash());
    CHECK((*Kernel::load(*other))->hash() == original->hash());
    CHECK(load_kernel(data("softmax.cuda124"))->hash() != original->hash());
}

TEST_CASE("terminators and address-dependent words are pinned, with the reason") {
    const KernelPtr kernel = load_kernel(data("k1.90a"), "k_call");
    CHECK(says(*kernel, 0x0080, "CALL ends its block"));
    CHECK(says(*kernel, 0x0190, "BSSY"));
    CHECK(says(*kernel, 0x0190, "its own address"));
    CHECK_FALSE(kernel->pinned(at(0x0000)));
}

TEST_CASE("the MOV of a return address is pinned, another MOV is not") {
    const KernelPtr kernel = load_kernel(data("k1.90a"), "k_call");
    CHECK(says(*kernel, 0x0040, "return address of the CALL at 0x0080"));
    CHECK(says(*kernel, 0x00c0, "return address of the CALL at 0x0100"));
    // k_mix: the MOVs at 0x0200 and 0x04c0 hold return addresses, the one at 0x0240 a value.
    const KernelPtr mix = load_kernel(data("k1.90a"), "k_mix");
    CHECK(says(*mix, 0x0200, "return address"));
    CHECK(says(*mix, 0x04c0, "return address"));
    REQUIRE(std::string_view(mix->instruction(at(0x0240)).mnemonic) == "MOV");
    CHECK_FALSE(mix->pinned(at(0x0240)));
}

TEST_CASE("a NOP that stands for a synchronisation is pinned, padding is not") {
    const KernelPtr kernel = load_kernel(data("k1.90a"), "k_shfl");
    CHECK(says(*kernel, 0x0370, "COOP_GROUP_INSTR_OFFSETS"));
    CHECK_FALSE(kernel->pinned(at(0x15f0)));
}

TEST_CASE("jump tables pin their branches and nothing else") {
    const KernelPtr kernel = load_kernel(data("k1.90a"), "k_sw");
    CHECK(kernel->pinned(at(0x120)));
    CHECK_FALSE(kernel->pinned(at(0x130)));
    CHECK_FALSE(kernel->pinned(at(0x180)));
}

TEST_CASE("an attribute of unknown layout pins the word it may name") {
    // NUM_BARRIERS and such hold no offsets; a made-up code 0x7e with the value 0x20 could.
    const auto good = read_bytes(data("k3.90a"));
    const auto cubin = open_cubin(data("k3.90a"));
    const KernelInfo& info = **cubin->kernel("k_tma");
    const auto warp_wide = std::find_if(info.attributes.begin(), info.attributes.end(),
                                        [](const InfoAttribute& a) { return a.code == 0x31; });
    REQUIRE(warp_wide != info.attributes.end());
    auto bytes = good;
    bytes[warp_wide->payload_offset - 3] = std::byte{0x7e};  // 0x31 becomes 0x7e; it holds 0x50 and 0xc0
    auto changed = required(Cubin::parse(bytes, "changed"));
    const KernelPtr kernel = *Kernel::load(*changed, "k_tma");
    CHECK(says(*kernel, 0x50, "0x7e"));
    CHECK(says(*kernel, 0xc0, "0x7e"));
    CHECK_FALSE(load_kernel(data("k3.90a"), "k_tma")->pinned(at(0x50)));
}

TEST_CASE("kernels for architectures that can only be viewed load with every word pinned") {
    const KernelPtr kernel = load_kernel(data("k1.88"), "k_basic");
    REQUIRE(kernel->size() > 0);
    for (InstrId i = 0; i < kernel->size(); ++i)
        CHECK(kernel->pinned(i));
    CHECK(says(*kernel, 0, "viewed but not edited"));
}

TEST_CASE("most words of every sample can move") {
    for (const auto& entry : std::filesystem::directory_iterator(CUBINLAB_SAMPLES)) {
        if (entry.path().extension() != ".cubin") continue;
        INFO(entry.path().string());
        const KernelPtr kernel = load_kernel(entry.path());
        std::size_t pinned = 0;
        for (InstrId i = 0; i < kernel->size(); ++i)
            pinned += kernel->pinned(i);
        CHECK(pinned * 5 < kernel->size());
    }
}

TEST_CASE("loading says which kernels there are") {
    const auto none = Kernel::load(open_cubin(data("k3.90a")));
    REQUIRE_FALSE(none);
    CHECK(none.error().what.find("k_wgmma") != std::string::npos);
}
