// SPDX-License-Identifier: GPL-3.0-or-later
// Starts made by the installed ptxas from the PTX of the samples, and by a script that takes its place.
#include "core/start/start_maker.h"

#include <algorithm>
#include <map>
#include <set>

#include "core/binary/elf_image.h"
#include "core/binary/kernel_rename.h"
#include "tests/core/binary/test_cubins.h"
#include "tests/core/start/fake_ptxas.h"

using namespace cubinlab;
using namespace cubinlab::test;
namespace fs = std::filesystem;

namespace {

struct Sample {
    std::string name;
    std::shared_ptr<const Cubin> cubin;
    PtxSource ptx;
    const KernelInfo& kernel() const { return cubin->kernels().front(); }
    StartInput input(std::vector<Ptxas> ptxas) const {
        return {ptx, cubin, kernel().name, launches_of(cubin->arch(), kernel(), std::nullopt),
                std::move(ptxas)};
    }
};

Sample sample_of(const std::string& name) {
    const fs::path path = sample(name);
    const fs::path text = fs::path(path).replace_extension(".ptx");
    return {name, open_cubin(path), {*required(read_text(text)), text.string()}};
}

std::vector<std::string> samples_with_ptx() {
    std::vector<std::string> out;
    for (const auto& entry : fs::directory_iterator(CUBINLAB_SAMPLES))
        if (entry.path().extension() == ".ptx") out.push_back(entry.path().stem().string());
    std::ranges::sort(out);
    return out;
}

Compiler without_cache() {
    CompilerSettings settings;
    settings.cache.clear();
    return Compiler(settings);
}

// By name; notes, symbols and string tables left out.
std::map<std::string, std::string> device_contents(const Cubin& cubin) {
    const auto elf = required(ElfImage::read(cubin.bytes(), "cubin"));
    std::map<std::string, std::string> out;
    for (const ElfSection& s : elf->sections)
        if (!s.bytes.empty() && !s.name.starts_with(".note") && !s.name.ends_with("strtab") &&
            s.name != ".symtab")
            out.emplace(s.name, std::string(reinterpret_cast<const char*>(s.bytes.data()), s.bytes.size()));
    return out;
}

}  // namespace

TEST_CASE("the PTX of each sample compiles to the sample, code and attributes") {
    const Ptxas* ptxas = real_ptxas();
    if (ptxas == nullptr) return;
    const auto names = samples_with_ptx();
    REQUIRE(names.size() == 13);
    Compiler compiler = without_cache();
    for (const std::string& name : names) {
        const Sample sample = sample_of(name);
        const auto maker = required(StartMaker::create(sample.input({*ptxas})));
        const std::vector<Start> plain = {maker->option_starts().front()};
        const auto made = maker->make(plain, compiler);
        INFO(name);
        if (!made[0]) FAIL(made[0].error().message());
        if (ptxas->version != "13.0.88") {  // another version may make other code
            WARN("SKIPPED, the samples are of ptxas 13.0.88, and this is " << ptxas->version);
            return;
        }
        CHECK(made[0]->code == maker->original_code());
        CHECK(device_contents(*made[0]->cubin) == device_contents(*sample.cubin));
        CHECK_FALSE(made[0]->problem);
    }
}

TEST_CASE("a kernel that is compiled under another name and renamed has nothing of that name") {
    const Ptxas* ptxas = real_ptxas();
    if (ptxas == nullptr) return;
    Compiler compiler = without_cache();
    for (const char* name : {"flash_attn_mma", "softmax", "gemm_leaky"}) {
        const Sample sample = sample_of(name);
        INFO(name);
        // A name without the word: renaming back must give the code and the sections of the plain compilation.
        const std::string own = sample.kernel().name;
        const std::string text = *required(ptx::rename_entry(sample.ptx.text, own, own + "_which_is_longer"));
        const auto long_name = required(compiler.compile({text, *ptxas, sample.cubin->arch().name(), {}}));
        const auto plain =
            required(compiler.compile({sample.ptx.text, *ptxas, sample.cubin->arch().name(), {}}));
        const auto back = required(rename_kernel(long_name->cubin, own + "_which_is_longer", own));
        const auto renamed = required(Cubin::parse(*back, "renamed")),
                   expected = required(Cubin::parse(plain->cubin, "plain"));
        auto contents = device_contents(**renamed), wanted = device_contents(**expected);
        CHECK(contents == wanted);

        const auto maker = required(StartMaker::create(sample.input({*ptxas})));
        for (const Start& start : maker->option_starts()) {
            if (!start.other_name) continue;
            const std::vector<Start> one = {start};
            const auto made = maker->make(one, compiler);
            if (!made[0]) FAIL(made[0].error().message());
            const auto bytes = made[0]->cubin->bytes();
            const std::string_view all(reinterpret_cast<const char*>(bytes.data()), bytes.size());
            CHECK(all.find("cutlass") == std::string_view::npos);
            CHECK(made[0]->cubin->kernels().front().name == own);
        }
    }
}

TEST_CASE("random orders are repeatable, differ in code, and fit") {
    const Ptxas* ptxas = real_ptxas();
    if (ptxas == nullptr) return;
    const Sample sample = sample_of("flash_attn_mma");
    const auto maker = required(StartMaker::create(sample.input({*ptxas})));
    REQUIRE_FALSE(maker->order_problem());
    CHECK(maker->units() > 200);
    const std::vector<Start> bases = {maker->option_starts().front()};
    std::vector<Start> starts;
    for (std::uint64_t seed = 0; seed < 12; ++seed)
        starts.push_back(maker->random_start(bases, seed));
    CHECK(starts[3] == maker->random_start(bases, 3));
    Compiler compiler = without_cache();
    const auto made = maker->make(starts, compiler);
    std::set<Hash128> codes;
    for (std::size_t i = 0; i < made.size(); ++i) {
        if (!made[i]) FAIL(made[i].error().message());
        codes.insert(made[i]->code);
        CHECK_FALSE(made[i]->problem);
        CHECK(made[i]->start.cubin == made[i]->cubin->file_hash());
    }
    CHECK(codes.size() >= 10);
    // A start that names its cubin is checked against it.
    std::vector<Start> again = {made[0]->start, made[1]->start};
    again[1].cubin = made[0]->start.cubin;
    const auto checked = maker->make(again, compiler);
    CHECK((checked[0] && checked[0]->start == made[0]->start));
    REQUIRE_FALSE(checked[1]);
    CHECK(checked[1].error().code == ErrorCode::Corrupt);
}

TEST_CASE("each start gets the text, the options and the name that it says") {
    const FakePtxas fake("cat >\"$here/text\"; echo \"$@\" >\"$here/asked\"; exit 1");
    Sample sample = sample_of("softmax");
    sample.ptx.text += ".visible .entry second()\n{\n\tret;\n}\n";
    const auto maker = required(StartMaker::create(sample.input({fake.ptxas})));
    Compiler compiler = without_cache();
    const auto told = [&](const Start& start, const char* file) {
        const std::vector<Start> one = {start};
        CHECK_FALSE(maker->make(one, compiler)[0]);
        return *required(read_text(fake.folder.path() / file));
    };
    Start start = maker->option_starts().front();
    CHECK(told(start, "text") == sample.ptx.text);
    CHECK_THAT(told(start, "asked"), contains_text("-arch=sm_90a --entry softmax /dev/stdin"));
    start.options = {"-O1"};
    start.other_name = true;
    CHECK_THAT(told(start, "asked"), contains_text("-arch=sm_90a -O1 --entry softmax_cutlass /dev/stdin"));
    CHECK_THAT(told(start, "text"), contains_text(".entry softmax_cutlass("));
    start.keys = random_keys(1, maker->units(), 30);
    const std::string other = told(start, "text");
    CHECK(other != told(maker->option_starts().front(), "text"));

    const auto refused = [&](const Start& bad) {
        const std::vector<Start> one = {bad};
        const auto made = maker->make(one, compiler);
        REQUIRE_FALSE(made[0]);
        return made[0].error().code;
    };
    Start bad = start;
    bad.ptxas = "1.2.3";
    CHECK(refused(bad) == ErrorCode::Missing);
    bad = start;
    bad.ptx = {};
    CHECK(refused(bad) == ErrorCode::BadUse);
    bad = start;
    bad.keys.resize(maker->units() + 1);
    CHECK(refused(bad) == ErrorCode::BadUse);
}

TEST_CASE("what cannot have starts says why") {
    const Sample sample = sample_of("softmax");
    const Ptxas any{"/bin/false", "1.0"};
    const auto code = [](StartInput input) {
        const auto made = StartMaker::create(std::move(input));
        REQUIRE_FALSE(made);
        return made.error().code;
    };
    CHECK(code(sample.input({})) == ErrorCode::Missing);
    StartInput other = sample.input({any});
    other.ptx.text = ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k()\n{\n\tret;\n}\n";
    CHECK(code(other) == ErrorCode::NotFound);
    other = sample.input({any});
    other.kernel = "nobody";
    CHECK(code(other) == ErrorCode::NotFound);
    // PTX that cannot be parsed still has its options.
    other = sample.input({any});
    other.ptx.text = ".visible .entry softmax(\n";
    const auto maker = required(StartMaker::create(other));
    CHECK(maker->order_problem());
    CHECK(maker->units() == 0);
    CHECK(maker->option_starts().size() >= 4);
}
