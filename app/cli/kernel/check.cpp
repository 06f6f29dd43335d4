// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "app/cli/base/output.h"
#include "app/cli/command.h"
#include "app/cli/parts/assertions.h"
#include "app/cli/parts/kernel_input.h"
#include "app/cli/parts/repair.h"
#include "core/legality/hazard_checker.h"
#include "core/schedule/file_comparison.h"

namespace cubinlab::cli {
namespace {

Json hazard_json(const Hazard& h) {
    Json out = {{"rule", to_string(h.rule)}, {"title", title_of(h.rule)}};
    out["earlier"] = h.earlier == kNone ? Json(nullptr) : Json(h.earlier * kWordBytes);
    out["later"] = h.later == kNone ? Json(nullptr) : Json(h.later * kWordBytes);
    out["need"] = h.need;
    out["have"] = h.have;
    out["resource"] = h.resource;
    out["explanation"] = h.explanation;
    return out;
}

Hazard beyond_schedules(std::size_t offset) {
    Hazard h;
    h.rule = Rule::Structure;
    h.resource = "file";
    h.explanation = fmt::format(
        "the file differs from the original outside the schedules of its kernels, first at file offset "
        "0x{:x}; "
        "attributes or relocations that name moved words may be stale",
        offset);
    return h;
}

// Instructions that the decoder does not know, with their counts: "TEX" (only the name is known) or "0xf55".
std::map<std::string, std::size_t> undecoded(const Kernel& kernel) {
    std::map<std::string, std::size_t> counts;
    for (const Instruction& i : kernel.instructions())
        if (i.has(Trait::UnknownOpcode))
            ++counts[i.mnemonic[0] == '?' ? fmt::format("0x{:03x}", i.opcode) : i.mnemonic];
    return counts;
}

struct Judged {
    Json json;
    bool legal = false;
};

Judged judge(const std::string& name, const Kernel& kernel, const char* mode, const CheckReport& report) {
    Json hazards = Json::array();
    for (const Hazard& h : report.hazards)
        hazards.push_back(hazard_json(h));
    Json notes = Json::array();
    for (const CheckNote& n : report.notes)
        notes.push_back(
            {{"earlier", n.earlier * kWordBytes}, {"later", n.later * kWordBytes}, {"text", n.text}});
    return {{{"kernel", name},
             {"instructions", kernel.size()},
             {"mode", mode},
             {"legal", report.hazards.empty()},
             {"checked_pairs", report.checked_pairs},
             {"uncovered_pairs", report.uncovered_pairs},
             {"unproven_pairs", report.unproven_pairs},
             {"undecoded", undecoded(kernel)},
             {"notes", notes},
             {"hazards", hazards}},
            report.hazards.empty()};
}

Json not_judged(const std::string& name, const Error& why) {
    return {{"kernel", name}, {"legal", nullptr}, {"not_judged", why.what}};
}

Result<Judged> check_alone(const std::shared_ptr<const Cubin>& cubin, const KernelInfo& info) {
    auto kernel = TRY(Kernel::load(cubin, info.name));
    auto report = TRY(check_kernel(kernel));
    return judge(info.name, *kernel, "absolute", report);
}

Result<Judged> check_against(const std::shared_ptr<const Cubin>& cubin, const KernelInfo& info,
                             const std::shared_ptr<const Cubin>& original, FileComparison& file) {
    auto kernel = TRY(Kernel::load(original, info.name));
    const std::size_t own = note_self_check(kernel);
    const auto with_own = [own](Judged judged) {
        judged.json["original_findings"] = own;
        return judged;
    };
    CheckReport report;
    auto schedule = Schedule::match(kernel, cubin->code(info));
    if (!schedule) {
        Hazard h;
        h.rule = Rule::Structure;
        h.explanation = schedule.error().message();
        report.hazards.push_back(std::move(h));
        return with_own(judge(info.name, *kernel, "against-original", report));
    }
    auto checker = TRY(HazardChecker::create(kernel));
    report = checker->report(*schedule);
    file.accept_schedule(*schedule);
    return with_own(judge(info.name, *kernel, "against-original", report));
}

}  // namespace

Result<int> run_check(const CheckOptions& options) {
    if (!options.assertions.empty() && !options.repair.empty())
        return fail(ErrorCode::BadUse, "--assert and --repair exclude each other", "check");
    if (!options.assertions.empty()) return run_assertions(options);
    if (!options.repair.empty()) return run_repair(options);
    auto input = TRY(open_image(options.file, options));
    const std::shared_ptr<const Cubin>& cubin = input.cubin;
    if (!cubin->arch().checkable())
        return fail(ErrorCode::Unsupported,
                    fmt::format("{} cubins can be viewed, not checked: {}", cubin->arch().name(),
                                cubin->arch().why_view_only()),
                    options.file);
    std::shared_ptr<const Cubin> original;
    if (!options.against.empty()) {
        auto opened = TRY(open_counterpart(options.against, input));
        original = opened.cubin;
        if (!(original->arch() == cubin->arch()))
            return fail(
                ErrorCode::BadInput,
                fmt::format("is {}, the original is {}", cubin->arch().name(), original->arch().name()),
                options.file);
    }
    Json kernels = Json::array();
    bool legal = true;
    Json left_out = Json::array();  // kernels that cannot be checked
    std::optional<Error> why;       // of the first of them
    std::optional<FileComparison> file;
    if (original) file.emplace(*original, *cubin);
    for (const KernelInfo& info : cubin->kernels()) {
        if (!input.kernel.empty() && info.name != input.kernel) continue;
        auto judged = original ? check_against(cubin, info, original, *file) : check_alone(cubin, info);
        if (!judged) {
            if (!why) why = judged.error();
            left_out.push_back(not_judged(info.name, judged.error()));
            if (original)
                if (const auto its = original->kernel(info.name)) file->ignore_kernel(**its);
            continue;
        }
        legal = legal && judged->legal;
        kernels.push_back(std::move(judged->json));
    }
    if (original && !input.kernel.empty())
        for (const KernelInfo& info : original->kernels())
            if (info.name != input.kernel) file->ignore_kernel(info);
    if (why && kernels.empty()) return fail(*why);
    if (const auto offset = file ? file->difference() : std::nullopt; offset && legal) {
        legal = false;
        kernels.back()["legal"] = false;
        kernels.back()["hazards"].push_back(hazard_json(beyond_schedules(*offset)));
    }
    kernels.insert(kernels.end(), left_out.begin(), left_out.end());
    const int code = !legal ? 1 : why ? 2 : 0;
    if (options.json)
        return print_document({{"file", options.file},
                               {"against", options.against},
                               {"legal", code == 0},
                               {"kernels", kernels}},
                              code);
    for (const Json& k : kernels) {
        if (k.contains("not_judged")) {
            print_line(fmt::format("{}: not checked: {}", k["kernel"].get<std::string>(),
                                   k["not_judged"].get<std::string>()));
            continue;
        }
        print_line(fmt::format(
            "{}: {} ({}; {} pairs checked, {} not in any table{})", k["kernel"].get<std::string>(),
            k["legal"].get<bool>() ? "legal" : fmt::format("{} findings", k["hazards"].size()),
            k["mode"].get<std::string>(), k["checked_pairs"].get<std::size_t>(),
            k["uncovered_pairs"].get<std::size_t>(),
            k["unproven_pairs"] == 0 ? std::string()
                                     : fmt::format(", {} unproven in the original and kept",
                                                   k["unproven_pairs"].get<std::size_t>())));
        for (const auto& [opcode, count] : k["undecoded"].items())
            print_line(fmt::format("  not decoded: {} ({} times); it is pinned, and nothing moves across it",
                                   opcode, count.get<std::size_t>()));
        constexpr std::size_t kMostNotes = 8;
        for (std::size_t i = 0; i < std::min(k["notes"].size(), kMostNotes); ++i)
            print_line(fmt::format("  note: {}", k["notes"][i]["text"].get<std::string>()));
        if (k["notes"].size() > kMostNotes)
            print_line(fmt::format("  note: {} more of the same kind", k["notes"].size() - kMostNotes));
        for (const Json& h : k["hazards"])
            print_line(
                fmt::format("  {}: {}", h["rule"].get<std::string>(), h["explanation"].get<std::string>()));
    }
    return code;
}

void add_check(CommandTable& table) {
    auto [sub, options] = table.add(
        "check", "legality of each kernel alone, or as a reschedule of another (--against); rules for CI (--assert)", run_check);
    sub->add_option("FILE", options.file, kAnyFile)->required();
    sub->add_option("--against", options.against, "the original: a cubin, or a file that contains it");
    sub->add_option("--repair", options.repair, "write the nearest legal schedule to this file");
    sub->add_option("--assert", options.assertions,
                    "check these rules instead, separated by commas: no-local, no-spills, max-registers=N, "
                    "max-cycles=N, hot-loop=OPCODE, no-regression[=P%] (against an earlier build), legal")
        ->check(not_empty());
    add_force(sub, options.force);
    add_kernel_choice(sub, options);
}

}  // namespace cubinlab::cli
