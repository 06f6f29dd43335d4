// SPDX-License-Identifier: GPL-3.0-or-later
// What a launch takes at least: parts of a kernel keep what they should and nothing hangs on what they lack, and a
// launch whose truth is known gives its line and its bounds.
#include "app/lab/study/bounds.h"

#include <cmath>
#include <set>

#include "core/jobs/evaluator_choice.h"
#include "core/model/explanation.h"
#include "tests/support/catch.h"
#include "tests/support/sample_checker.h"
#include "tests/support/sample_kernel.h"

using namespace cubinlab;

namespace {

const std::vector<std::string> kSamples = {"bmm",
                                           "bmm_mma",
                                           "ff_swiglu",
                                           "ff_swiglu_mma",
                                           "flash_attn",
                                           "flash_attn_d64",
                                           "flash_attn_d64_mma",
                                           "rmsnorm",
                                           "gemm_leaky",
                                           "softmax",
                                           "gemm_leaky_mma",
                                           "flash_attn_mma",
                                           "gemm_leaky_large"};

KernelPtr cut(const KernelPtr& kernel, Part part) {
    auto made = cut_kernel(*kernel, part);
    if (!made) FAIL(made.error().message());
    auto cubin = Cubin::parse(made->bytes, "cut");
    REQUIRE(cubin);
    auto out = Kernel::load(*cubin, kernel->name());
    REQUIRE(out);
    return *out;
}

bool taken_away(const KernelPtr& before, const KernelPtr& after, InstrId i) {
    return after->instruction(i).unit == Unit::Nop && before->instruction(i).unit != Unit::Nop;
}

std::size_t count(const KernelPtr& kernel, std::string_view mnemonic) {
    std::size_t n = 0;
    for (const Instruction& i : kernel->instructions())
        n += std::string_view(i.mnemonic) == mnemonic;
    return n;
}

Workload workload_of_sample(const std::string& name) {
    auto workload = find_workload(*test::kernel_of_sample(name), {});
    REQUIRE(workload);
    REQUIRE(*workload);
    return **workload;
}

// Can the value that `writer` gives to `reg` reach `reader`? By walking every way forward, the plain one.
bool reaches(const Kernel& kernel, InstrId writer, InstrId reader, RegFile file, unsigned reg) {
    const auto& blocks = kernel.flow().blocks;
    std::set<Position> seen;
    std::vector<Position> open = {writer + 1};
    const auto ends_block = [&](Position at) { return at == blocks[kernel.block_of(at)].end() - 1; };
    if (ends_block(writer)) {
        open.clear();
        for (const BlockId to : blocks[kernel.block_of(writer)].successors)
            open.push_back(blocks[to].first);
    }
    while (!open.empty()) {
        const Position at = open.back();
        open.pop_back();
        if (at >= kernel.size() || !seen.insert(at).second) continue;
        if (at == reader) return true;
        const Instruction& i = kernel.instruction(at);
        bool overwritten = false;
        for (const Operand& o : i.operands)
            overwritten = overwritten || (o.write && !i.guarded() && o.file == file && o.first <= reg &&
                                          reg < static_cast<unsigned>(o.first) + o.count);
        if (overwritten) continue;
        if (!ends_block(at)) {
            open.push_back(at + 1);
        } else {
            for (const BlockId to : blocks[kernel.block_of(at)].successors)
                open.push_back(blocks[to].first);
        }
    }
    return false;
}

}  // namespace

TEST_CASE("bounds: a launch that ends at once differs from the whole in its first word alone") {
    const KernelPtr kernel = test::kernel_of_sample("bmm_mma");
    auto made = cut_kernel(*kernel, Part::Nothing);
    REQUIRE(made);
    const auto before = kernel->cubin().bytes();
    REQUIRE(made->bytes.size() == before.size());
    for (std::size_t at = 0; at < before.size(); ++at) {
        const bool first = at >= kernel->info().code_offset && at < kernel->info().code_offset + 16;
        if (!first) REQUIRE(made->bytes[at] == before[at]);
    }
    const KernelPtr after = cut(kernel, Part::Nothing);
    CHECK(std::string_view(after->instruction(0).mnemonic) == "EXIT");
    CHECK_FALSE(after->instruction(0).guarded());
    CHECK(after->instruction(0).control().wait_mask == 0);
}

TEST_CASE("bounds: a part of a kernel keeps every place, stall count and wait, and no reuse flag") {
    for (const std::string& name : kSamples) {
        const KernelPtr kernel = test::kernel_of_sample(name);
        for (const Part part : {Part::Memory, Part::Arithmetic}) {
            INFO(name << " " << name_of(part));
            const KernelPtr after = cut(kernel, part);
            REQUIRE(after->size() == kernel->size());
            for (InstrId i = 0; i < kernel->size(); ++i) {
                ControlCode was = kernel->instruction(i).control();
                const ControlCode is = after->instruction(i).control();
                was.reuse = 0;
                if (taken_away(kernel, after, i)) was.write_barrier = was.read_barrier = kNoBarrier;
                REQUIRE(is == was);
            }
        }
    }
}

TEST_CASE(
    "bounds: memory alone has every access and no matrix instruction, arithmetic alone the other way round") {
    for (const std::string& name : kSamples) {
        INFO(name);
        const KernelPtr kernel = test::kernel_of_sample(name);
        const KernelPtr memory = cut(kernel, Part::Memory), arithmetic = cut(kernel, Part::Arithmetic);
        for (const char* access : {"LDG", "STG", "LDGSTS", "LDSM", "LDS", "STS", "BAR"})
            CHECK(count(memory, access) == count(kernel, access));
        for (const char* access : {"STG", "LDGSTS", "LDSM", "STS", "BAR"})
            CHECK(count(arithmetic, access) == 0);
        // A MUFU may be part of a division of whole numbers that gives an address.
        for (const char* matrix : {"HMMA", "HGMMA", "FFMA", "MUFU"}) {
            if (matrix != std::string_view("MUFU")) CHECK(count(memory, matrix) == 0);
            CHECK(count(arithmetic, matrix) == count(kernel, matrix));
        }
        CHECK(count(memory, "BRA") == count(kernel, "BRA"));
        CHECK(count(arithmetic, "BRA") == count(kernel, "BRA"));
    }
}

TEST_CASE("bounds: no address and no way hangs on an instruction that is not there") {
    for (const std::string name : {"bmm_mma", "flash_attn", "rmsnorm", "softmax"}) {
        const KernelPtr kernel = test::kernel_of_sample(name);
        for (const Part part : {Part::Memory, Part::Arithmetic}) {
            INFO(name << " " << name_of(part));
            const KernelPtr after = cut(kernel, part);
            std::size_t asked = 0;
            for (InstrId user = 0; user < kernel->size(); ++user) {
                const Instruction& i = after->instruction(user);
                const bool way = i.unit == Unit::Cbu;
                const bool memory = part == Part::Memory && i.memory.space == MemorySpace::Global;
                if (!way && !memory) continue;
                for (const Operand& o : i.operands) {
                    if (!o.read || o.role == Role::StoreData) continue;
                    for (InstrId writer = 0; writer < kernel->size(); ++writer) {
                        if (!taken_away(kernel, after, writer)) continue;
                        for (const Operand& w : kernel->instruction(writer).operands)
                            for (unsigned r = o.first; r < static_cast<unsigned>(o.first) + o.count; ++r)
                                if (w.write && w.file == o.file && w.first <= r &&
                                    r < static_cast<unsigned>(w.first) + w.count) {
                                    ++asked;
                                    INFO(instr_name(*kernel, writer) << " to " << instr_name(*kernel, user));
                                    CHECK_FALSE(reaches(*kernel, writer, user, o.file, r));
                                }
                    }
                }
            }
            if (part == Part::Memory) CHECK(asked > 0);
        }
    }
}

TEST_CASE("bounds: memory alone stores zeros where the whole stores results") {
    for (const std::string& name : kSamples) {
        INFO(name);
        const KernelPtr kernel = test::kernel_of_sample(name), after = cut(kernel, Part::Memory);
        for (InstrId i = 0; i < kernel->size(); ++i) {
            const Instruction& was = kernel->instruction(i);
            const Instruction& is = after->instruction(i);
            if (std::string_view(was.mnemonic) != "STG" && std::string_view(was.mnemonic) != "STS") continue;
            CHECK(is.opcode == was.opcode);
            CHECK(is.memory.base == was.memory.base);
            CHECK(is.memory.offset == was.memory.offset);
            for (const Operand& operand : is.operands)
                CHECK(operand.role != Role::StoreData);  // RZ is no operand
        }
    }
}

TEST_CASE("bounds: what varies is named as kernel, parameter and step") {
    auto good = parse_varied("bmm_mma:5/64");
    REQUIRE(good);
    CHECK(good->kernel == "bmm_mma");
    CHECK(good->varied.param == 5);
    CHECK(good->varied.step == 64);
    for (const char* bad : {"bmm_mma", "bmm_mma:5", ":5/64", "bmm_mma:5/0", "bmm_mma:5/", "bmm_mma:x/64",
                            "bmm_mma:-1/64", "bmm_mma/5:64"}) {
        INFO(bad);
        auto refused = parse_varied(bad);
        REQUIRE_FALSE(refused);
        CHECK(refused.error().code == ErrorCode::BadUse);
    }
}

TEST_CASE("bounds: another size changes that one scalar of the workload") {
    const Workload workload = workload_of_sample("bmm_mma");
    auto half = with_scalar(workload, 5, 1024);
    REQUIRE(half);
    REQUIRE(half->params.size() == workload.params.size());
    for (std::size_t p = 0; p < workload.params.size(); ++p) {
        const auto* was = std::get_if<ScalarParam>(&workload.params[p]);
        const auto* is = std::get_if<ScalarParam>(&half->params[p]);
        REQUIRE((was != nullptr) == (is != nullptr));
        if (was) CHECK((was->bytes == is->bytes) == (p != 5));
    }
    CHECK(scalar_of(*half, 5).value_or(0) == 1024);
    CHECK(half->grid == workload.grid);
    CHECK_FALSE(with_scalar(workload, 0, 1));                     // a buffer
    CHECK_FALSE(with_scalar(workload, 99, 1));                    // there is none
    CHECK_FALSE(scalar_of(workload_of_sample("flash_attn"), 4));  // a float
}

TEST_CASE("bounds: a launch of 2 us and 0.5 us a pass is told as that, with what each bound allows") {
    const KernelPtr kernel = test::kernel_of_sample("bmm_mma");
    BoundsInput input{"bmm_mma", kernel, workload_of_sample("bmm_mma"), {}, Varied{5, 64}};
    input.winner.assign(kernel->cubin().bytes().begin(), kernel->cubin().bytes().end());
    const auto nothing = cut_kernel(*kernel, Part::Nothing)->bytes;
    const TimeLaunch time = [&](const std::vector<std::byte>& cubin, const std::vector<std::byte>* other,
                                const Workload& workload) -> Result<TimedLaunch> {
        const double passes = static_cast<double>(scalar_of(workload, 5).value_or(0)) / 64;
        TimedLaunch out;
        out.machine = {"GPU", "driver", 132, 50 << 20, 2000};
        out.us = cubin == nothing ? 1.5 : 2 + 0.5 * passes;
        if (other) {
            out.other_us = 2 + 0.4 * passes;
            out.log_speedup = std::log(out.us / out.other_us);
        }
        return out;
    };
    auto bounds = study_bounds(input, time, {});
    if (!bounds) FAIL(bounds.error().message());
    CHECK(bounds->us == Approx(18));
    REQUIRE(bounds->part(Part::Nothing));
    CHECK(bounds->part(Part::Nothing)->us == 1.5);
    CHECK(bounds->passes == 32);
    REQUIRE(bounds->sizes.size() == 3);
    CHECK(bounds->line.slope == Approx(0.5));
    CHECK(bounds->line.at_zero == Approx(2));
    CHECK(bounds->line.miss < 1e-9);
    CHECK(bounds->winner_line.slope == Approx(0.4));
    CHECK(bounds->cycles_of(bounds->line.slope) == Approx(1000));
    // 256 blocks of four warps on 132 multiprocessors: two of them on the busiest, one warp of each on a sub-core. 32 HMMA
    // of 6 cycles each: 384 cycles of 1,000, so 2 + 32 * 384 / 2000 us of 18.
    CHECK(bounds->warps_on_sub_core == 2);
    for (const ResourceTime& r : bounds->resources)
        if (r.resource == "tensor pipe") {
            CHECK(r.cycles == Approx(384));
            CHECK(r.at_most == Approx(18 / (2 + 32 * 384 / 2000.0)));
        }
    CHECK(bounds_markdown({*bounds}).find("| bmm_mma | 18.00 |") != std::string::npos);
}

TEST_CASE("bounds: a part that cannot be timed says why, and a size that cannot is left out") {
    const BoundsInput input{
        "bmm_mma", test::kernel_of_sample("bmm_mma"), workload_of_sample("bmm_mma"), {}, Varied{5, 64}};
    std::size_t asked = 0;
    const TimeLaunch time = [&](const std::vector<std::byte>&, const std::vector<std::byte>*,
                                const Workload&) -> Result<TimedLaunch> {
        if (asked++ > 0) return fail(ErrorCode::Worker, "no end within 2000 ms");
        TimedLaunch out;
        out.us = 18;
        return out;
    };
    auto bounds = study_bounds(input, time, {});
    REQUIRE(bounds);
    REQUIRE(bounds->parts.size() == 3);
    CHECK(bounds->parts[1].failure.find("no end") != std::string::npos);
    CHECK(bounds->part(Part::Memory) == nullptr);
    CHECK(bounds->sizes.size() == 1);
    CHECK(bounds->line.slope == 0);
    CHECK(bounds_text(*bounds).find("no end within") != std::string::npos);
}
