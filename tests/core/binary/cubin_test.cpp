// SPDX-License-Identifier: GPL-3.0-or-later
// What the reader says about cubins, against what readelf, ptxas -v and the launch descriptions say.
#include "core/binary/cubin.h"

#include <map>
#include <nlohmann/json.hpp>
#include <span>

#include "core/binary/eiattr.h"
#include "tests/core/binary/test_cubins.h"

using namespace cubinlab;
using namespace cubinlab::test;

TEST_CASE("every cubin opens and keeps every byte") {
    const auto files = all_cubins();
    REQUIRE(files.size() >= 36);
    for (const auto& path : files) {
        INFO(path.string());
        const auto cubin = open_cubin(path);
        const auto bytes = read_bytes(path);
        CHECK(std::equal(bytes.begin(), bytes.end(), cubin->bytes().begin(), cubin->bytes().end()));
        CHECK(cubin->file_hash() == hash_bytes(bytes));
        for (const KernelInfo& kernel : cubin->kernels()) {
            const std::vector<Word> code = cubin->code(kernel);
            CHECK(std::memcmp(code.data(), bytes.data() + kernel.code_offset, kernel.code_size) == 0);
        }
    }
}

TEST_CASE("architecture and ABI version, in both header formats") {
    struct Expected {
        std::filesystem::path path;
        std::string arch;
        int abi;
    };
    const std::vector<Expected> table = {
        {sample("bmm"), "sm_90a", 8},                  // ptxas -arch sm_90a, CUDA 13
        {sample("bmm_mma"), "sm_90", 8},               // ptxas -arch sm_90
        {data("bmm.cuda124"), "sm_90a", 7},            // e_flags 0x5a0d5a
        {data("flash_attn_mma.cuda124"), "sm_90", 7},  // e_flags 0x50055a: PTX of sm_80, code of sm_90
        {data("bmm_mma.sm_80"), "sm_80", 8},
        {data("bmm_mma.sm_86"), "sm_86", 8},
        {data("bmm_mma.sm_89"), "sm_89", 8},
        {data("k1.75"), "sm_75", 8},
        {data("k1.90a"), "sm_90a", 8},
        {data("k1.100a"), "sm_100a", 8},
        {data("k1.120a"), "sm_120a", 8},
    };
    for (const Expected& e : table) {
        INFO(e.path.string());
        const auto cubin = open_cubin(e.path);
        CHECK(cubin->arch().name() == e.arch);
        CHECK(cubin->abi_version() == e.abi);
    }
}

TEST_CASE("a kernel's facts, as readelf shows them") {
    const auto cubin = open_cubin(sample("bmm_mma"));
    REQUIRE(cubin->kernels().size() == 1);
    const KernelInfo& k = cubin->kernels().front();
    CHECK(k.name == "bmm");
    CHECK(k.code_offset == 0x700);
    CHECK(k.code_size == 0x1b00);
    CHECK(k.registers == 96);     // EIATTR_REGCOUNT 0x60
    CHECK(k.static_shared == 0);  // .nv.shared.bmm is 0x400, all of it the system's
    CHECK(k.reserved_shared == 1024);
    CHECK(k.local_bytes == 0);
    CHECK(k.constant_size == 0x250);
    CHECK(k.param_base == 0x210);
    CHECK(k.param_bytes == 0x40);
    CHECK(k.barriers == 1);
    CHECK(k.required_block == std::array<std::uint32_t, 3>{128, 1, 1});
    CHECK_FALSE(k.max_threads);
    CHECK_FALSE(k.uses_clusters);
    CHECK(k.exit_offsets == std::vector<std::uint32_t>{0x1a30});
    CHECK(k.relocations.empty());
    REQUIRE(k.params.size() == 11);
    const std::vector<std::pair<int, int>> offset_size = {
        {0, 8}, {8, 8}, {16, 8}, {24, 4}, {28, 4}, {32, 4}, {36, 4}, {40, 4}, {44, 4}, {48, 8}, {56, 8}};
    for (std::size_t i = 0; i < k.params.size(); ++i) {
        CHECK(k.params[i].ordinal == i);
        CHECK(k.params[i].offset == offset_size[i].first);
        CHECK(k.params[i].size == static_cast<std::uint32_t>(offset_size[i].second));
    }
}

TEST_CASE("registers, stack, shared memory and bounds of the test kernels, on two architectures") {
    // k_basic declares __shared__ float[256], k_lb has __launch_bounds__(256), k_local keeps a 256-byte
    // array.
    for (const char* name : {"k1.80", "k1.90a"}) {
        INFO(name);
        const auto cubin = open_cubin(data(name));
        REQUIRE(cubin->kernels().size() == 10);
        const KernelInfo& basic = **cubin->kernel("k_basic");
        const KernelInfo& bounded = **cubin->kernel("k_lb");
        const KernelInfo& local = **cubin->kernel("k_local");
        CHECK(basic.static_shared == 1024);
        CHECK(basic.barriers == 1);
        CHECK(bounded.max_threads == std::array<std::uint32_t, 3>{256, 1, 1});
        CHECK(local.local_bytes == 256);
        CHECK(local.registers == 31);
        CHECK(bounded.registers == 16);
    }
    CHECK((*open_cubin(data("k1.75"))->kernel("k_local"))->registers == 62);
}

TEST_CASE("jump tables and functions inside a kernel") {
    const auto cubin = open_cubin(data("k1.90a"));
    const KernelInfo& sw = **cubin->kernel("k_sw");
    REQUIRE(sw.indirect_branches.size() == 4);
    CHECK(sw.indirect_branches[0].offset == 0x120);
    CHECK(sw.indirect_branches[0].targets == std::vector<std::uint32_t>{0x180, 0x130, 0xd90});
    CHECK(sw.indirect_branches[3].offset == 0x430);
    CHECK(sw.indirect_branches[3].targets == std::vector<std::uint32_t>{0x4d0, 0xd80, 0x440});
    CHECK(sw.indirect_targets ==
          std::vector<std::uint32_t>{0x130, 0x180, 0x220, 0x240, 0x310, 0x390, 0x440, 0x4d0, 0xd80, 0xd90});
    const KernelInfo& ind = **cubin->kernel("k_ind");
    CHECK(ind.indirect_branches.empty());
    CHECK(ind.indirect_targets ==
          std::vector<std::uint32_t>{0x170, 0x240});  // function addresses in .nv.constant2
    REQUIRE(ind.functions.size() == 2);
    CHECK(ind.functions[0].offset == 0x170);
    CHECK(ind.functions[0].name == "$k_ind$_Z2g1ii");
    CHECK(ind.functions[1].offset == 0x240);
}

TEST_CASE("clusters and the attributes that name instructions") {
    const auto cubin = open_cubin(data("k3.90a"));
    const KernelInfo& tma = **cubin->kernel("k_tma");
    CHECK(tma.uses_clusters);
    CHECK(tma.cluster == std::array<std::uint32_t, 3>{2, 1, 1});
    CHECK(tma.params[0].size == 128);  // a CUtensorMap by value
    const auto mbarrier =
        std::find_if(tma.attributes.begin(), tma.attributes.end(),
                     [](const InfoAttribute& a) { return a.code == eiattr::kMbarrierOffsets; });
    REQUIRE(mbarrier != tma.attributes.end());
    CHECK(payload_words(cubin->bytes(), *mbarrier) ==
          std::vector<std::uint32_t>{0xd0, 0xff, 0x4000, 0x60100, 0x390, 0xff, 0x4000, 0x4010a, 0x4b0, 0xff,
                                     0x4000, 0x4010a});
    CHECK(std::string(eiattr_name(mbarrier->code)) == "MBARRIER_INSTR_OFFSETS");
    CHECK_FALSE((*cubin->kernel("k_wgmma"))->uses_clusters);
}

TEST_CASE("parameters and block sizes agree with the launch descriptions of the samples") {
    static const std::map<std::string, unsigned> bytes_of = {{"i32", 4}, {"u32", 4}, {"f32", 4},
                                                             {"u64", 8}, {"i64", 8}, {"f64", 8}};
    int seen = 0;
    for (const auto& entry : std::filesystem::directory_iterator(CUBINLAB_SAMPLES)) {
        if (entry.path().extension() != ".cubin") continue;
        INFO(entry.path().string());
        const auto cubin = open_cubin(entry.path());
        auto workload_path = entry.path();
        const auto text = required(read_text(workload_path.replace_extension(".workload.json")));
        const auto workload = nlohmann::json::parse(*text);
        const auto kernel = required(cubin->kernel(workload["kernel"].get<std::string>()));
        const KernelInfo& k = **kernel;
        REQUIRE(k.params.size() == workload["params"].size());
        for (std::size_t i = 0; i < k.params.size(); ++i) {
            const auto& p = workload["params"][i];
            CHECK(k.params[i].size == (p.contains("buffer") ? 8u : bytes_of.at(p["scalar"]["type"])));
        }
        REQUIRE(k.required_block);
        for (std::size_t i = 0; i < 3; ++i)
            CHECK((*k.required_block)[i] == workload["block"][i]);
        ++seen;
    }
    CHECK(seen == 13);
}

TEST_CASE("parameters above 4 KiB come in the second form of record") {
    // k_large(struct of 1500 floats, float*, int)
    for (const char* name : {"variants.80", "variants.90"}) {
        const auto cubin = open_cubin(data(name));
        const KernelInfo& k = **cubin->kernel("k_large");
        REQUIRE(k.params.size() == 3);
        CHECK(k.params[0].size == 6000);
        CHECK(k.params[1].size == 8);
        CHECK(k.params[1].offset == 6000);
        CHECK(k.params[2].size == 4);
        CHECK(k.params[2].offset == 6008);
        CHECK(k.param_bytes == 6012);
    }
}

TEST_CASE("source lines, as readelf decodes them") {
    const auto cubin = open_cubin(data("variants.90"));
    const auto large = cubin->source_lines(**cubin->kernel("k_large"));
    REQUIRE(large.size() == 3);
    CHECK(large[0].offset == 0);
    CHECK(large[0].line == 19);
    CHECK(large[1].offset == 0x10);
    CHECK(large[1].line == 20);
    CHECK(large[2].offset == 0xe0);
    CHECK(large[2].line == 21);
    CHECK(std::filesystem::path(large[0].file).filename() == "variants.cu");
    // The body of scale() (line 8) stands inline in k_lines.
    const auto lines = cubin->source_lines(**cubin->kernel("k_lines"));
    const auto at = [&](std::uint32_t offset) {
        for (const SourceLine& l : lines)
            if (l.offset == offset) return l.line;
        return 0u;
    };
    CHECK(at(0x0) == 11);
    CHECK(at(0x210) == 14);
    CHECK(at(0x310) == 13);
    CHECK(at(0x380) == 8);
    CHECK(at(0x390) == 14);
    const auto plain = open_cubin(sample("softmax"));
    CHECK(plain->source_lines(plain->kernels()[0]).empty());
}

TEST_CASE("relocations into the code, as readelf lists them") {
    const auto cubin = open_cubin(data("relocated.90"));
    const KernelInfo& k = cubin->kernels()[0];
    struct Expected {
        std::uint64_t target;
        std::uint32_t type;
        const char* symbol;
    };
    const std::vector<Expected> expected = {{0x110, 75, "_Z7outsidei"},
                                            {0x100, 57, "k_relocated"},
                                            {0xf0, 56, "k_relocated"},
                                            {0x90, 57, "table"},
                                            {0x20, 56, "table"}};
    REQUIRE(k.relocations.size() == expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
        CHECK(k.relocations[i].target == expected[i].target);
        CHECK(k.relocations[i].type == expected[i].type);
        CHECK(k.relocations[i].symbol == expected[i].symbol);
    }
    CHECK(k.indirect_targets ==
          std::vector<std::uint32_t>{0x120});  // k_relocated + 0x120: where the call returns to
    // sm_80 keeps some of them as REL, some as RELA.
    const auto older = open_cubin(data("relocated.80"));
    CHECK(older->kernels()[0].relocations.size() == 5);
    CHECK(older->kernels()[0].indirect_targets == std::vector<std::uint32_t>{0x120});
}

TEST_CASE("choosing a kernel by name") {
    const auto several = open_cubin(data("k3.90a"));
    CHECK(several->kernel("k_tma").has_value());
    const auto none = several->kernel("");
    REQUIRE_FALSE(none);
    CHECK(none.error().code == ErrorCode::BadUse);
    CHECK(none.error().what.find("k_wgmma_rs") != std::string::npos);
    const auto wrong = several->kernel("nope");
    REQUIRE_FALSE(wrong);
    CHECK(wrong.error().code == ErrorCode::NotFound);
    const auto single = open_cubin(sample("softmax"));
    CHECK((*single->kernel(""))->name == "softmax");
}

TEST_CASE("letters beyond ASCII in the name of a source, which nvcc writes as octal digits") {
    std::vector<std::byte> bytes = read_bytes(data("variants.90"));
    const std::string_view name = "variants.cu", escaped = R"(v\303\274.c)", cut = R"(v\303\27.cu)";
    REQUIRE(escaped.size() == name.size());
    const auto as_bytes = [](std::string_view text) { return std::as_bytes(std::span(text)); };
    const auto file_with = [&](std::string_view other) {
        std::vector<std::byte> changed = bytes;
        for (auto at = changed.begin();;) {
            at = std::ranges::search(at, changed.end(), as_bytes(name).begin(), as_bytes(name).end()).begin();
            if (at == changed.end()) break;
            std::ranges::copy(as_bytes(other), at);
        }
        const auto cubin = required(Cubin::parse(std::move(changed), "changed"));
        const auto lines = (*cubin)->source_lines(**(*cubin)->kernel("k_large"));
        REQUIRE_FALSE(lines.empty());
        return std::filesystem::path(lines[0].file).filename().string();
    };
    CHECK(file_with(escaped) == "v\303\274.c");
    CHECK(file_with(cut) == "v\303" + std::string(R"(\27.cu)"));  // two digits are none
}
