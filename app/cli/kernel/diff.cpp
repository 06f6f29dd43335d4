// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include "app/cli/base/output.h"
#include "app/cli/command.h"
#include "app/cli/parts/kernel_input.h"
#include "core/base/enum_names.h"
#include "core/base/number_of.h"
#include "core/insight/schedule_diff.h"
#include "core/sass/decoder.h"

namespace cubinlab::cli {

struct DiffOptions : Common {
    std::string a, b;
};

namespace {

const char* text_of(Change change) {
    return enum_name<Change::MovedAndControl>({"same", "moved", "control", "moved+control"}, change, "?");
}

Json compare_schedules(const Kernel& kernel, const Schedule& left, const Schedule& right) {
    const ScheduleDiff diff = diff_schedules(left, right);
    Json rows = Json::array();
    for (InstrId id = 0; id < kernel.size(); ++id) {
        if (diff.change[id] == Change::Same) continue;
        rows.push_back({{"offset", id * kWordBytes},
                        {"now_at", right.position_of(id) * kWordBytes},
                        {"change", text_of(diff.change[id])},
                        {"control_before", left.control(id).text()},
                        {"control_after", right.control(id).text()},
                        {"reuse_before", left.control(id).reuse},
                        {"reuse_after", right.control(id).reuse},
                        {"text", render(kernel.arch(), right.word_of(id), id * kWordBytes)}});
        for (const FieldKind* kind : kFieldKinds)
            if (const FieldBits before = left.field(*kind, id), after = right.field(*kind, id);
                kind != &kControlField && before != after)
                rows.back()["fields"].push_back({{"field", kind->name},
                                                 {"before", kind->text(before)},
                                                 {"after", kind->text(after)}});
    }
    return {{"kernel", kernel.name()},
            {"reschedule", true},
            {"moved", diff.moved},
            {"control_changed", diff.control},
            {"other", 0},
            {"stall_cycles_a", diff.stall_cycles_left},
            {"stall_cycles_b", diff.stall_cycles_right},
            {"changes", rows}};
}

Json compare_words(const std::string& name, const std::vector<Word>& a, const std::vector<Word>& b,
                   const Error& why) {
    std::size_t other = a.size() > b.size() ? a.size() - b.size() : b.size() - a.size();
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
        other += a[i] == b[i] ? 0 : 1;
    return {{"kernel", name}, {"reschedule", false}, {"other", other}, {"why", why.message()}};
}

std::string differ_text(std::size_t words) {
    return number_of(words, "word") + (words == 1 ? " differs" : " differ");
}

void print_compared_kernel(const Json& k) {
    if (!k["reschedule"].get<bool>()) {
        print_line(fmt::format("{}: not a reschedule: {} ({})", k["kernel"].get<std::string>(),
                               differ_text(k["other"].get<std::size_t>()), k["why"].get<std::string>()));
        return;
    }
    print_line(fmt::format("{}: {} moved, {} changed, 0 other; stall cycles {} -> {}",
                           k["kernel"].get<std::string>(), k["moved"].get<std::size_t>(),
                           number_of(k["control_changed"].get<std::size_t>(), "control code"),
                           k["stall_cycles_a"].get<std::size_t>(), k["stall_cycles_b"].get<std::size_t>()));
    for (const Json& row : k["changes"]) {
        std::string line = fmt::format("  {:04x}", row["offset"].get<std::uint32_t>());
        line += row["offset"] == row["now_at"]
                    ? "        "
                    : fmt::format(" > {:04x} ", row["now_at"].get<std::uint32_t>());
        line += row["control_after"].get<std::string>();
        if (row["control_before"] != row["control_after"])
            line += " (was " + row["control_before"].get<std::string>() + ")";
        line += "  " + row["text"].get<std::string>();
        if (row.contains("fields"))
            for (const Json& field : row["fields"])
                line += fmt::format(" (was {})", field["before"].get<std::string>());
        print_line(line);
    }
}

}  // namespace

Result<int> run_diff(const DiffOptions& options) {
    auto chosen_a = TRY(open_image(options.a, options));
    auto chosen_b = TRY(open_counterpart(options.b, chosen_a));
    const std::shared_ptr<const Cubin>&a = chosen_a.cubin, &b = chosen_b.cubin;
    Json kernels = Json::array(), only_a = Json::array(), only_b = Json::array();
    // Code of one architecture does not run on another, even if the encodings are equal.
    bool same = a->arch() == b->arch();
    for (const KernelInfo& info : a->kernels()) {
        if (!chosen_a.kernel.empty() && info.name != chosen_a.kernel) continue;
        auto other = b->kernel(info.name);
        if (!other) {
            only_a.push_back(info.name);
            continue;
        }
        auto kernel = TRY(Kernel::load(a, info.name));
        auto right = Schedule::match(kernel, b->code(**other));
        Json k = right ? compare_schedules(*kernel, Schedule(kernel), *right)
                       : compare_words(info.name, a->code(info), b->code(**other), right.error());
        same = same && k["reschedule"].get<bool>() && k["changes"].empty();
        kernels.push_back(std::move(k));
    }
    for (const KernelInfo& info : b->kernels())
        if (auto found = a->kernel(info.name); !found) only_b.push_back(info.name);
    if (!options.kernel.empty() && kernels.empty())
        return fail(ErrorCode::NotFound, fmt::format("no kernel '{}' in both files", options.kernel));
    same = same && only_a.empty() && only_b.empty();
    if (options.json)
        return print_document({{"a", options.a},
                               {"b", options.b},
                               {"arch_a", a->arch().name()},
                               {"arch_b", b->arch().name()},
                               {"same", same},
                               {"kernels", kernels},
                               {"only_in_a", only_a},
                               {"only_in_b", only_b}},
                              same ? 0 : 1);
    if (!(a->arch() == b->arch()))
        print_line(fmt::format("A is for {}, B is for {}: neither can replace the other", a->arch().name(),
                               b->arch().name()));
    for (const Json& k : kernels)
        print_compared_kernel(k);
    for (const Json& name : only_a)
        print_line("only in A: " + name.get<std::string>());
    for (const Json& name : only_b)
        print_line("only in B: " + name.get<std::string>());
    return same ? 0 : 1;
}

void add_diff(CommandTable& table) {
    auto [sub, options] =
        table.add("diff", "moved instructions, changed control codes, other changes", run_diff);
    sub->add_option("A", options.a, kAnyFile)->required();
    sub->add_option("B", options.b, kAnyFile)->required();
    add_kernel_choice(sub, options);
}

}  // namespace cubinlab::cli
