// SPDX-License-Identifier: GPL-3.0-or-later
// `check --against` on files that claim to be schedules of another: the check also covers what surrounds the
// code.
#include <fstream>

#include "core/binary/cubin.h"
#include "app/lab/synthetic_kernel.h"
#include "tests/cli/program.h"
#include "tests/support/catch.h"

using namespace cubinlab;
using namespace cubinlab::test;

namespace {

const std::string kTwo = std::string(CUBINLAB_TEST_DATA) + "/cubins/variants.90.cubin";  // k_large, k_lines

struct Corruptions {
    TemporaryFolder folder;
    std::shared_ptr<const Cubin> original = Cubin::open(kTwo).value();

    const KernelInfo& kernel(const std::string& name) const { return **original->kernel(name); }
    static std::size_t attribute(const KernelInfo& kernel) {
        for (const InfoAttribute& a : kernel.attributes)
            if (a.payload_size != 0) return a.payload_offset;
        FAIL("the kernel has no attribute with a payload");
        return 0;
    }
    // The original with the bits of `mask` flipped in one byte, and `more` bytes after it.
    ProgramResult check(std::size_t offset, unsigned mask, const std::string& only = "",
                        std::size_t more = 0) const {
        const auto bytes = original->bytes();
        std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
        text[offset] = static_cast<char>(static_cast<unsigned char>(text[offset]) ^ mask);
        text.append(more, '\0');
        std::ofstream(folder / "candidate.cubin", std::ios::binary) << text;
        std::vector<std::string> arguments = {"check", folder / "candidate.cubin", "--against", kTwo,
                                              "--json"};
        if (!only.empty()) arguments.insert(arguments.end(), {"--kernel", only});
        return run_program(arguments);
    }
};

std::string finding(const ProgramResult& result) {
    const auto document = result.json();
    REQUIRE(document.is_object());
    REQUIRE(document["kernels"].size() > 0);
    const auto& hazards = document["kernels"].back()["hazards"];
    return hazards.empty() ? std::string() : hazards[0]["explanation"].get<std::string>();
}

}  // namespace

TEST_CASE("check of one kernel also compares what belongs to no kernel") {
    const Corruptions c;
    const KernelInfo& lines = c.kernel("k_lines");
    const KernelInfo& large = c.kernel("k_large");
    for (const std::string only : {"", "k_lines"}) {
        INFO("--kernel " << only);
        // A stale attribute (an exit's offset, a parameter's size) is as wrong as a stale word.
        const ProgramResult attribute = c.check(Corruptions::attribute(lines), 0x10, only);
        CHECK(attribute.code == 1);
        CHECK(finding(attribute).find("file offset") != std::string::npos);
        // The file's flags, its symbol table and what is appended are shared by all kernels.
        CHECK(c.check(48, 1, only).code == 1);
        CHECK(c.check(0, 0, only, 64).code == 1);
        // An opcode in the kernel itself.
        const ProgramResult code = c.check(lines.code_offset, 0x04, only);
        CHECK(code.code == 1);
        CHECK(finding(code).find("is not a reschedule") != std::string::npos);
        CHECK(c.check(0, 0, only).code == 0);
    }
    // The other kernel's code and attributes may differ only if it is not checked.
    for (const std::size_t other : {large.code_offset, Corruptions::attribute(large)}) {
        CHECK(c.check(other, 0x04, "k_lines").code == 0);
        CHECK(c.check(other, 0x04).code == 1);
    }
}

// STS.128 at 0x1590 of the sample without its read barrier: SHF at 0x15f0 may overwrite what it has not read.
TEST_CASE("every comparison reports an original that is not legal alone") {
    const TemporaryFolder folder;
    const std::string sample = std::string(CUBINLAB_SAMPLES) + "/bmm.cubin", broken = folder / "broken.cubin";
    const auto kernel = Kernel::load(Cubin::open(sample).value()).value();
    std::vector<Word> words;
    for (const Instruction& i : kernel->instructions())
        words.push_back(i.word);
    ControlCode code = kernel->instruction(0x159).control();
    code.read_barrier = kNoBarrier;
    words[0x159] = code.encode_into(words[0x159]);
    const KernelPtr changed = *kernel_with_words(*kernel, words);  // keeps the bytes alive
    const auto bytes = changed->cubin().bytes();
    std::ofstream(broken, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));

    const std::string note = "the original itself has 1 finding";
    const std::vector<std::vector<std::string>> commands = {
        {"check", broken, "--against", broken},
        {"explain", broken, "--against", broken},
        {"reschedule", broken, "--tighten"},
        {"tune", broken, "--evaluator", "model", "--agent", "random", "--budget", "20steps", "--session",
         folder / "s.db"},
        {"export", folder / "s.db", "--out", folder / "out.cubin"},
    };
    for (std::vector<std::string> words_of : commands) {
        INFO(words_of.front());
        const ProgramResult text = run_program(words_of);
        CHECK(text.code == 0);
        CHECK(text.err.find(note) != std::string::npos);
        if (words_of.front() == "tune") words_of.back() = folder / "t.db";
        if (words_of.front() == "export") words_of.back() = folder / "out2.cubin";
        words_of.emplace_back("--json");
        const ProgramResult json = run_program(words_of);
        CHECK(json.code == 0);
        const auto document = json.json();
        const auto& told = words_of.front() == "check" ? document["kernels"][0] : document;
        CHECK(told["original_findings"] == 1);
    }
    const ProgramResult sound = run_program({"check", sample, "--against", sample});
    CHECK(sound.code == 0);
    CHECK(sound.err.empty());

    // An illegal schedule's fewer cycles are not a gain.
    const ProgramResult text = run_program({"explain", sample, "--against", broken});
    CHECK(text.out.find("not a legal reschedule, so fewer cycles are not a gain (1 finding): ") !=
          std::string::npos);
    CHECK(text.out.find("STS 0x1590") != std::string::npos);
    const auto json = run_program({"explain", sample, "--against", broken, "--json"}).json();
    CHECK(json["against"]["legal"] == false);
    CHECK(json["against"]["findings"] == 1);
    CHECK(json["original_findings"] == 0);
}

TEST_CASE("a kernel that cannot be checked does not hide the others of its file") {
    const TemporaryFolder folder;
    const KernelPtr large = Kernel::load(Cubin::open(kTwo).value(), "k_large").value();
    // A block larger than the checker's limit.
    std::vector<Word> words(65'537, large->instruction(0).word);
    words.back() = large->instructions().back().word;
    const KernelPtr endless = kernel_with_words(*large, words).value();
    const auto bytes = endless->cubin().bytes();
    const std::string file = folder / "one.cubin";
    std::ofstream(file, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));

    const ProgramResult both = run_program({"check", file, "--json"});
    CHECK(both.code == 2);
    const auto document = both.json();
    CHECK_FALSE(document["legal"].get<bool>());
    REQUIRE(document["kernels"].size() == 2);
    for (const auto& kernel : document["kernels"]) {
        const bool judged = kernel["kernel"] != "k_large";
        CHECK(kernel["legal"] == (judged ? nlohmann::json(true) : nlohmann::json(nullptr)));
        CHECK(kernel.contains("not_judged") != judged);
    }
    const ProgramResult told = run_program({"check", file});
    CHECK(told.code == 2);
    CHECK(told.out.find("k_large: not checked: ") != std::string::npos);
    CHECK(told.out.find("k_lines: legal") != std::string::npos);
    CHECK(run_program({"check", file, "--kernel", "k_lines"}).code == 0);
    const ProgramResult alone = run_program({"check", file, "--kernel", "k_large"});
    CHECK(alone.code == 2);
    CHECK(alone.err.find("nothing is proven of blocks of more than") != std::string::npos);

    // What belongs to no kernel is still compared.
    const std::string twin = folder / "twin.cubin";
    std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    const auto write_twin = [&] { std::ofstream(twin, std::ios::binary) << text; };
    write_twin();
    CHECK(run_program({"check", twin, "--against", file}).code == 2);
    text[Corruptions::attribute(**endless->cubin().kernel("k_lines"))] ^= 0x10;
    write_twin();
    const ProgramResult stale = run_program({"check", twin, "--against", file});
    CHECK(stale.code == 1);
    CHECK(stale.out.find("outside the schedules of its kernels") != std::string::npos);
}
