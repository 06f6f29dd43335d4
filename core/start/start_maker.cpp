// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/start/start_maker.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/base/guarded.h"
#include "core/binary/code_identity.h"
#include "core/binary/elf_image.h"
#include "core/binary/kernel_rename.h"
#include "core/binary/ptx_choice.h"
#include "core/ptx/order_check.h"

namespace cubinlab {
namespace {

constexpr std::string_view kWord = "cutlass";  // which ptxas looks for in names
constexpr std::string_view kNotTheWord = "cutlazz";
constexpr std::array<double, 4> kSpreads = {2, 8, 30, 120};  // units

// On flash_attn_mma, the one kernel whose options were swept, others gave the code of one of these: -O2, --maxrregcount and
// register usage levels of 5 and above that of -O3, lower levels that of level 0, and -O1 ignores the name. Where two of
// these give equal code, it counts once.
struct OptionSet {
    std::vector<std::string> options;
    bool other_name = false;
};
const std::vector<OptionSet>& option_sets() {
    static const std::string kFewRegisters = "--register-usage-level=0";
    static const std::vector<OptionSet> all = {
        {{}, false}, {{"-O1"}, false}, {{kFewRegisters}, false}, {{}, true}, {{kFewRegisters}, true}};
    return all;
}

Result<Hash128> identity_of(const Cubin& cubin, const std::string& kernel) {
    const ElfImage elf = TRY(ElfImage::read(cubin.bytes(), cubin.where()));
    for (const CodeLocation& at : kernels_in(elf))
        if (at.name == kernel) return code_identity(cubin.bytes(), elf, at.section);
    return fail(ErrorCode::NotFound, fmt::format("has no kernel \"{}\"", kernel), cubin.where());
}

}  // namespace

Result<StartMaker> StartMaker::create(StartInput input) {
    StartMaker out;
    TRY(input.original->kernel(input.kernel));
    if (input.original->relocatable())
        return fail(ErrorCode::Unsupported, "is relocatable code, which a recompiled kernel cannot replace",
                    input.original->where());
    const std::vector<std::string> entries = ptx_entries(input.ptx.text);
    if (std::ranges::find(entries, input.kernel) == entries.end())
        return fail(ErrorCode::NotFound, fmt::format("has no entry \"{}\"", input.kernel), input.ptx.origin);
    if (input.ptxas.empty())
        return fail(ErrorCode::Missing,
                    "no ptxas was found; it comes with the CUDA toolkit and with Triton, and CUBINLAB_PTXAS "
                    "can name it");
    out.original_code_ = TRY(identity_of(*input.original, input.kernel));
    out.hash_ = hash_bytes(input.ptx.text.data(), input.ptx.text.size());
    out.several_entries_ = entries.size() > 1;
    auto module = ptx::parse(input.ptx.text);
    auto order = module ? ptx::order_of(*module, input.kernel) : fail(module.error());
    if (order) {
        out.module_ = std::move(*module);
        out.order_ = std::move(*order);
    } else {
        out.order_problem_ = order.error();
    }
    out.input_ = std::move(input);
    return out;
}

Result<std::shared_ptr<const ptx::OrderFacts>> StartMaker::order_facts() const {
    auto facts = TRY(ptx::order_facts(module_, input_.kernel));
    return std::make_shared<const ptx::OrderFacts>(std::move(facts));
}

std::vector<Start> StartMaker::option_starts() const {
    std::vector<Start> out;
    for (const Ptxas& ptxas : input_.ptxas)
        for (const OptionSet& set : option_sets())
            out.push_back(
                {hash_, ptxas.version, input_.original->arch().name(), set.options, set.other_name, {}, {}});
    return out;
}

Start StartMaker::random_start(std::span<const Start> bases, std::uint64_t seed) const {
    const Hash128 mixed = hash_bytes(&seed, sizeof seed);
    Start out = bases[mixed.hi % bases.size()];
    out.keys = random_keys(mixed.lo, units(), kSpreads[mixed.hi / bases.size() % kSpreads.size()]);
    out.cubin = {};
    return out;
}

std::string StartMaker::compiled_name(const Start& start) const {
    std::string name = input_.kernel;
    if (!start.other_name) return name;
    if (name.find(kWord) == std::string::npos) return fmt::format("{}_{}", name, kWord);
    for (std::size_t at = 0; (at = name.find(kWord, at)) != std::string::npos;)
        name.replace(at, kWord.size(), kNotTheWord);
    return name;
}

Result<std::string> StartMaker::text_of(const Start& start) const {
    if (start.ptx != hash_) return fail(ErrorCode::BadUse, "belongs to other PTX", input_.ptx.origin);
    std::string text = input_.ptx.text;
    if (!start.keys.empty()) {
        if (order_problem_) return fail(*order_problem_);
        auto keys = TRY(keys_for(start.keys, units()));
        text = TRY(ptx::reorder(module_, order_, keys));
        TRY(ptx::check_order(input_.ptx.text, text));
    }
    if (start.other_name) text = TRY(ptx::rename_entry(text, input_.kernel, compiled_name(start)));
    return text;
}

Result<Compilation> StartMaker::compilation_of(const Start& start) const {
    const auto ptxas = std::ranges::find(input_.ptxas, start.ptxas, &Ptxas::version);
    if (ptxas == input_.ptxas.end())
        return fail(ErrorCode::Missing, fmt::format("ptxas {} is not installed", start.ptxas));
    auto text = TRY(text_of(start));
    std::vector<std::string> options = start.options;
    if (several_entries_) options.insert(options.end(), {"--entry", compiled_name(start)});
    return Compilation{std::move(text), *ptxas, start.arch, std::move(options)};
}

Result<MadeStart> StartMaker::judged(const Start& start, std::vector<std::byte> bytes) const {
    const std::string compiled = compiled_name(start);
    if (compiled != input_.kernel) bytes = TRY(rename_kernel(bytes, compiled, input_.kernel));
    MadeStart out{start, {}, {}, {}};
    CubinParseOptions options;
    options.stated_arch = Arch::parse(start.arch);
    out.cubin = TRY(Cubin::parse(std::move(bytes), "start", options));
    out.start.cubin = out.cubin->file_hash();
    if (start.cubin != Hash128() && start.cubin != out.start.cubin)
        return fail(ErrorCode::Corrupt, "its compilation yields another cubin than it names",
                    how_made(start));
    out.code = TRY(identity_of(*out.cubin, input_.kernel));
    const KernelInfo* original = TRY(input_.original->kernel(input_.kernel));
    const KernelInfo* made = TRY(out.cubin->kernel(input_.kernel));
    out.problem = fit_problem({*input_.original, *original}, {*out.cubin, *made}, input_.launches);
    return out;
}

Result<MadeStart> StartMaker::make_one(const Start& start, Compiler& compiler, std::stop_token stop) const {
    auto work = TRY(compilation_of(start));
    auto compiled = TRY(compiler.compile(work, stop));
    return judged(start, std::move(compiled.cubin));
}

std::vector<Result<MadeStart>> StartMaker::make(std::span<const Start> starts, Compiler& compiler,
                                                std::stop_token stop) const {
    std::vector<Result<MadeStart>> out(starts.size(), fail(ErrorCode::Cancelled, "was stopped"));
    compiler.for_each(starts.size(), [&](std::size_t i) {
        if (stop.stop_requested()) return;
        if (auto thrown = guarded([&] { out[i] = make_one(starts[i], compiler, stop); }))
            out[i] = fail(*thrown);
    });
    return out;
}

}  // namespace cubinlab
