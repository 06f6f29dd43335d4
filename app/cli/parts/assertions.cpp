// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/parts/assertions.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <ranges>
#include <vector>

#include "app/cli/base/option_checks.h"
#include "app/cli/base/output.h"
#include "app/cli/parts/kernel_input.h"
#include "core/base/number_of.h"
#include "core/base/parse_number.h"
#include "core/legality/hazard_checker.h"
#include "core/model/hot_loop.h"
#include "core/sass/decoder.h"
#include "core/schedule/schedule.h"
#include "core/tuning/evaluator_choice.h"

namespace cubinlab::cli {
namespace {

enum class RuleKind { NoLocal, NoSpills, MaxRegisters, MaxCycles, HotLoop, NoRegression, Legal };
enum class RuleValue { None, Count, Opcode, Percent };  // Percent may be missing

struct RuleForm {
    const char* name;
    RuleKind kind;
    RuleValue value;
};
constexpr RuleForm kForms[] = {{"no-local", RuleKind::NoLocal, RuleValue::None},
                               {"no-spills", RuleKind::NoSpills, RuleValue::None},
                               {"max-registers", RuleKind::MaxRegisters, RuleValue::Count},
                               {"max-cycles", RuleKind::MaxCycles, RuleValue::Count},
                               {"hot-loop", RuleKind::HotLoop, RuleValue::Opcode},
                               {"no-regression", RuleKind::NoRegression, RuleValue::Percent},
                               {"legal", RuleKind::Legal, RuleValue::None}};

struct AssertedRule {
    std::string text;  // as it was typed
    RuleKind kind = RuleKind::Legal;
    double number = 0;  // a count, or percent
    std::string opcode;
};

Error bad_rule(const std::string& text, const std::string& why) {
    return {ErrorCode::BadUse, fmt::format("--assert {}: {}", text, why), "check"};
}

Result<AssertedRule> parse_rule(const std::string& text) {
    const std::size_t equals = text.find('=');
    const std::string name = text.substr(0, equals);
    const auto* form = std::ranges::find(kForms, name, &RuleForm::name);
    if (form == std::end(kForms)) {
        std::vector<std::string> names;
        for (const RuleForm& known : kForms)
            names.emplace_back(known.name);
        const std::string meant = nearest(name, names);
        return fail(bad_rule(text, meant.empty() ? fmt::format("the rules are {}", fmt::join(names, ", "))
                                                 : "did you mean " + meant + "?"));
    }
    AssertedRule rule{text, form->kind, 0, {}};
    std::string value = equals == std::string::npos ? "" : text.substr(equals + 1);
    if (form->value == RuleValue::None) {
        if (equals != std::string::npos) return fail(bad_rule(text, name + " takes no value"));
        return rule;
    }
    if (form->value == RuleValue::Opcode) {
        if (value.empty()) return fail(bad_rule(text, name + " needs an instruction: hot-loop=HMMA.16816"));
        rule.opcode = value;
        return rule;
    }
    if (form->value == RuleValue::Percent) {
        if (equals == std::string::npos) return rule;
        if (value.ends_with('%')) value.pop_back();
    }
    const auto number = parse_number<double>(value);
    constexpr double kMost = 1e15;
    if (!number || !(*number >= 0 && *number <= kMost))
        return fail(bad_rule(text, fmt::format("'{}' is not a number for {}", value, name)));
    rule.number = *number;
    return rule;
}

Result<std::vector<AssertedRule>> parse_rules(const std::string& text) {
    std::vector<AssertedRule> rules;
    for (const auto part : std::views::split(text, ',')) {
        const std::string word(part.begin(), part.end());
        if (!word.empty()) rules.push_back(TRY(parse_rule(word)));
    }
    if (rules.empty()) return fail(bad_rule("RULES", "names no rule"));
    return rules;
}

// The kernel under test, with what several rules need.
struct AssertedKernel {
    KernelPtr kernel;
    SmModelSettings model;
    std::optional<double> cycles, before;  // of the model; `before`: of --against
};

std::string at_offset(InstrId id) {
    return fmt::format("0x{:04x}", id * kWordBytes);
}

bool uses_local(const Instruction& i) {
    return i.memory.space == MemorySpace::Local;
}

bool spills(const Instruction& i) {
    constexpr std::uint8_t kStackPointer = 1;
    return uses_local(i) && i.memory.plain && i.memory.base == kStackPointer &&
           i.memory.uniform_base == kNoUniform;
}

// Empty: none of the instructions is one.
std::string count_of(const Kernel& kernel, bool (*wanted)(const Instruction&)) {
    std::size_t count = 0;
    InstrId first = kNone;
    for (InstrId id = 0; id < kernel.size(); ++id)
        if (wanted(kernel.instruction(id)) && ++count == 1) first = id;
    if (count == 0) return {};
    return fmt::format("{}, first {} {}", number_of(count, "instruction"), kernel.instruction(first).mnemonic,
                       at_offset(first));
}

bool has_in(const Kernel& kernel, const std::vector<BlockId>& blocks, const std::string& opcode) {
    for (const BlockId b : blocks) {
        const Block& block = kernel.flow().blocks[b];
        for (Position p = block.first; p < block.end(); ++p)
            if (is_instruction(render(kernel.arch(), kernel.instruction(p).word, p * kWordBytes), opcode))
                return true;
    }
    return false;
}

// A kernel without a hot loop has its whole path instead.
std::string missing_in_hot_loop(const AssertedKernel& of, const std::string& opcode) {
    const Kernel& kernel = *of.kernel;
    const LoopNest nest = loops_of(kernel, of.model.loop_trips, trips_by_header(kernel, of.model.trips));
    const CodeLoop* hot = nest.hot();
    std::vector<BlockId> blocks;
    if (hot != nullptr) {
        blocks = hot->blocks;
    } else {
        for (BlockId b = 0; b < kernel.flow().blocks.size(); ++b)
            blocks.push_back(b);
    }
    if (has_in(kernel, blocks, opcode)) return {};
    return hot == nullptr ? fmt::format("the kernel has no {} and no hot loop", opcode)
                          : fmt::format("the hot loop at {} has no {}",
                                        at_offset(kernel.flow().blocks[hot->header].first), opcode);
}

// What is wrong; empty: the rule holds.
Result<std::string> broken(const AssertedRule& rule, const AssertedKernel& of) {
    const Kernel& kernel = *of.kernel;
    const KernelInfo& info = kernel.info();
    switch (rule.kind) {
        case RuleKind::NoLocal: {
            if (info.local_bytes > 0)
                return fmt::format("{} bytes of local memory per thread", info.local_bytes);
            return count_of(kernel, uses_local);
        }
        case RuleKind::NoSpills:
            return count_of(kernel, spills);
        case RuleKind::MaxRegisters:
            if (info.registers <= rule.number) return std::string();
            return fmt::format("{} registers per thread", info.registers);
        case RuleKind::MaxCycles:
            if (*of.cycles <= rule.number) return std::string();
            return fmt::format("{:.0f} modelled cycles", *of.cycles);
        case RuleKind::HotLoop:
            return missing_in_hot_loop(of, rule.opcode);
        case RuleKind::NoRegression:
            if (*of.cycles <= *of.before * (1 + rule.number / 100)) return std::string();
            return fmt::format("{:.0f} modelled cycles, {:+.2f} % of the {:.0f} before", *of.cycles,
                               100 * (*of.cycles / *of.before - 1), *of.before);
        case RuleKind::Legal: {
            auto report = TRY(check_kernel(of.kernel));
            if (report.hazards.empty()) return std::string();
            return fmt::format("{}: {}", number_of(report.hazards.size(), "finding"),
                               report.hazards.front().explanation);
        }
    }
    return std::string();
}

bool needs_model(const AssertedRule& rule) {
    return rule.kind == RuleKind::MaxCycles || rule.kind == RuleKind::NoRegression;
}

Result<double> modelled_cycles(const KernelPtr& kernel, const SmModelSettings& settings) {
    if (!kernel->arch().editable())
        return fail(ErrorCode::Unsupported,
                    fmt::format("the model has no figures for {}", kernel->arch().name()), kernel->name());
    return SmModel(kernel, settings).cycles(Schedule(kernel));
}

Result<AssertedKernel> load_asserted(const KernelChoice& input, const std::string& name,
                                     const CheckOptions& options, const std::vector<AssertedRule>& rules) {
    AssertedKernel out;
    out.kernel = TRY(Kernel::load(input.cubin, name));
    // The launch belongs to the kernel: one workload serves both builds.
    auto workload = TRY(find_workload(*out.kernel, {}));
    out.model = model_settings(*out.kernel, workload);
    if (!std::ranges::any_of(rules, needs_model)) return out;
    out.cycles = TRY(modelled_cycles(out.kernel, out.model));
    if (std::ranges::none_of(rules, [](const auto& r) { return r.kind == RuleKind::NoRegression; }))
        return out;
    KernelChoice wanted = input;
    wanted.kernel = name;
    auto other = TRY(open_counterpart(options.against, wanted));
    auto before = TRY(Kernel::load(other.cubin, other.kernel.empty() ? name : other.kernel));
    if (!workload) workload = TRY(find_workload(*before, {}));
    out.before = TRY(modelled_cycles(before, model_settings(*before, workload)));
    if (workload) out.cycles = TRY(modelled_cycles(out.kernel, model_settings(*out.kernel, workload)));
    return out;
}

}  // namespace

bool is_instruction(std::string_view text, std::string_view opcode) {
    std::string_view name;
    for (const auto part : std::views::split(text, ' ')) {
        name = std::string_view(part.begin(), part.end());
        if (!name.empty() && name.front() != '@') break;
    }
    const auto parts = [](std::string_view whole) {
        std::vector<std::string_view> out;
        for (const auto part : std::views::split(whole, '.'))
            out.emplace_back(part.begin(), part.end());
        return out;
    };
    const auto has = parts(name), wanted = parts(opcode);
    return has.front() == wanted.front() && std::ranges::all_of(wanted, [&](std::string_view part) {
               return std::ranges::find(has, part) != has.end();
           });
}

Result<int> run_assertions(const CheckOptions& options) {
    const auto rules = TRY(parse_rules(options.assertions));
    for (const AssertedRule& rule : rules)
        if (rule.kind == RuleKind::NoRegression && options.against.empty())
            return fail(ErrorCode::BadUse, rule.text + " needs an earlier build: --against OLD", "check");
    auto input = TRY(open_image(options.file, options));
    if (!input.cubin->arch().decodable())
        return fail(ErrorCode::Unsupported,
                    fmt::format("{} code is not decoded: {}", input.cubin->arch().name(),
                                input.cubin->arch().why_view_only()),
                    options.file);
    Json kernels = Json::array();
    bool kept = true;
    for (const KernelInfo& info : input.cubin->kernels()) {
        if (!input.kernel.empty() && info.name != input.kernel) continue;
        const AssertedKernel of = TRY(load_asserted(input, info.name, options, rules));
        Json found = Json::array();
        for (const AssertedRule& rule : rules)
            if (const std::string what = TRY(broken(rule, of)); !what.empty())
                found.push_back({{"rule", rule.text}, {"found", what}});
        kept = kept && found.empty();
        kernels.push_back({{"kernel", info.name}, {"broken", std::move(found)}});
    }
    const int code = kept ? 0 : 1;
    if (options.json)
        return print_document(
            {{"file", options.file}, {"against", options.against}, {"kept", kept}, {"kernels", kernels}},
            code);
    for (const Json& k : kernels)
        for (const Json& b : k["broken"])
            print_line(fmt::format("{}: {}: {}", k["kernel"].get<std::string>(), b["rule"].get<std::string>(),
                                   b["found"].get<std::string>()));
    if (kept)
        print_line(fmt::format("{} kept by {}", number_of(rules.size(), "rule"),
                               number_of(kernels.size(), "kernel")));
    return code;
}

}  // namespace cubinlab::cli
