// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <cmath>

#include "app/cli/base/output.h"
#include "app/cli/command.h"
#include "app/cli/parts/kernel_input.h"
#include "core/base/number_of.h"
#include "core/evidence/learned_orders.h"
#include "core/legality/hazard_checker.h"
#include "core/model/assumed_passes.h"
#include "core/model/explanation_change.h"
#include "core/sass/decoder.h"
#include "core/tuning/evaluator_choice.h"
#include "core/tuning/explain_settings.h"
#include "core/tuning/hint_effects.h"

namespace cubinlab::cli {

struct ExplainOptions : Common {
    std::string file, against, workload, session;
};

namespace {

constexpr std::size_t kMostWaits = 10, kMostChanges = 12, kMostPointers = 8, kMostEffects = 8;

double rounded(double cycles) {
    return std::round(cycles * 1000) / 1000;
}

Json offset_of(InstrId id) {
    return id == kNone ? Json(nullptr) : Json(id * kWordBytes);
}

std::string line_of(const Kernel& kernel, InstrId id) {
    return render(kernel.arch(), kernel.instruction(id).word, static_cast<std::uint32_t>(id * kWordBytes));
}

Json reasons_json(const std::vector<ReasonCycles>& reasons, double passes) {
    Json out = Json::array();
    for (const ReasonCycles& r : reasons)
        out.push_back({{"reason", to_string(r.reason)},
                       {"name", name_of(r.reason, r.slot)},
                       {"scoreboard", r.slot < 0 || r.slot > 5 ? Json(nullptr) : Json(r.slot)},
                       {"cycles", rounded(r.counted / passes)},
                       {"counted", r.counted}});
    return out;
}

Json waits_json(const Kernel& kernel, const Explanation& e) {
    Json out = Json::array();
    for (std::size_t i = 0; i < e.waits.size() && i < kMostWaits; ++i) {
        const InstrWait& w = e.waits[i];
        Json causes = Json::array();
        for (const WaitCause& c : w.causes)
            causes.push_back({{"name", name_of(c.reason, c.slot)},
                              {"cycles", rounded(c.cycles)},
                              {"by", offset_of(c.by)},
                              {"saved_if_earlier", rounded(c.to_next)},
                              {"cycles_after_it", rounded(c.after)}});
        out.push_back({{"offset", w.instr * kWordBytes},
                       {"text", line_of(kernel, w.instr)},
                       {"cycles", rounded(w.cycles)},
                       {"why", w.text},
                       {"causes", causes}});
    }
    return out;
}

const char* to_string(Reuse reuse) {
    switch (reuse) {
        case Reuse::Once:
            return "once";
        case Reuse::Twice:
            return "twice";
        case Reuse::Shared:
            return "shared";
        case Reuse::Stored:
            return "stored";
        case Reuse::Unknown:
            break;
    }
    return "unknown";
}

Json offsets_json(const std::vector<InstrId>& ids) {
    Json out = Json::array();
    for (const InstrId id : ids)
        out.push_back(id * kWordBytes);
    return out;
}

Json memory_json(const MemoryTraffic& m) {
    Json pointers = Json::array();
    for (const PointerTraffic& p : m.pointers)
        pointers.push_back({{"param", p.param < 0 ? Json(nullptr) : Json(p.param)},
                            {"stores", p.reuse == Reuse::Stored},
                            {"reuse", to_string(p.reuse)},
                            {"bytes", p.bytes},
                            {"buffer", p.buffer > 0 ? Json(p.buffer) : Json(nullptr)},
                            {"accesses", offsets_json(p.accesses)},
                            {"first_place", offsets_json(p.first)},
                            {"hint", p.hint()},
                            {"compiler_hint", p.hinted}});
    return {{"verdict", m.verdict},
            {"bytes_through_l2", m.moved},
            {"bytes_of_buffers", m.distinct},
            {"assumed", m.assumed},
            {"bulk_copies_not_counted", m.uncounted},
            {"dram_cycles", rounded(m.dram_cycles)},
            {"l2_cycles", rounded(m.l2_cycles)},
            {"modelled_cycles", rounded(m.model_cycles)},
            {"pointers", pointers}};
}

Json effects_json(const std::vector<HintEffect>& effects) {
    Json out = Json::array();
    for (const HintEffect& e : effects)
        out.push_back({{"hints", e.hints},
                       {"log_speedup", e.speedup.log},
                       {"low", e.speedup.low},
                       {"high", e.speedup.high},
                       {"verdict", cubinlab::to_string(e.verdict)},
                       {"cache", cubinlab::to_string(e.cache)},
                       {"device", e.device}});
    return out;
}

// What a policy of orders learned in a session of this kernel; nothing where there was none.
Result<std::vector<std::string>> orders_in(const std::string& session, const FileKernel& input, const KernelPtr& kernel) {
    if (session.empty()) return std::vector<std::string>{};
    auto reader = TRY(SessionReader::open(session));
    const auto learned = TRY(learned_orders(*reader, kernel));
    if (!learned) return std::vector<std::string>{};
    const auto ptx = TRY(find_ptx(*input.container, input.choice));
    return text_of(*learned, ptx, kernel->name());
}

void print_orders(const std::vector<std::string>& orders) {
    if (orders.empty()) return;
    print_line("");
    print_line("  orders of the PTX");
    for (const std::string& line : orders)
        print_line("    " + line);
}

void print_memory(const MemoryTraffic& m, const std::vector<HintEffect>& effects) {
    if (m.verdict.empty()) return;
    print_line("");
    print_line("  memory: " + m.verdict);
    for (std::size_t i = 0; i < m.pointers.size() && i < kMostPointers; ++i)
        print_line("    " + text_of(m.pointers[i]));
    if (m.assumed) print_line("    with assumed iterations");
    if (m.uncounted > 0) print_line(fmt::format("    without the bytes of {} bulk copies", m.uncounted));
    for (const HintEffect& e : effects)
        print_line(fmt::format("    measured: {} {} ({}) on {}{}", e.hints, percent_text(e.speedup),
                               cubinlab::to_string(e.verdict), e.device, cache_words(e.cache)));
}

// What a session measured of hints; it must be of this kernel.
Result<std::vector<HintEffect>> effects_in(const std::string& session, const KernelPtr& kernel) {
    if (session.empty()) return std::vector<HintEffect>{};
    auto reader = TRY(SessionReader::open(session));
    const auto stored = TRY(reader->kernel());
    if (stored->hash() != kernel->hash()) return fail(ErrorCode::BadUse, "is a session of another kernel", session);
    return hint_effects(*reader, *kernel, kMostEffects);
}

std::string signed_cycles(double cycles) {
    return fmt::format("{}{:.1f}", cycles > 0 ? "+" : "", cycles);
}

std::string place_of(const Kernel& kernel, const Explanation& e) {
    if (!e.loop)
        return fmt::format("no hot loop: the whole path, {}, each block once",
                           number_of(e.instructions, "instruction"));
    return fmt::format("hot loop 0x{:04x} to 0x{:04x}: {} in {}, depth {}",
                       kernel.flow().blocks[e.where.header].first * kWordBytes, e.last * kWordBytes,
                       number_of(e.instructions, "instruction"), number_of(e.where.blocks.size(), "block"),
                       e.where.depth);
}

// The model's settings for the iterations that the figure assumes.
std::string passes_of(const Kernel& kernel, const Explanation& e) {
    SmModelSettings settings;
    settings.trips = e.trips;
    settings.loop_trips = e.assumed_trips;
    return assumed_passes(kernel, settings);
}

// "; assuming 16 iterations of each loop"
std::string assumed_of(const Kernel& kernel, const Explanation& e) {
    const std::string text = passes_of(kernel, e);
    return text.empty() ? text : "; " + text;
}

// Share of an iteration of all warps, in percent. An upper bound may exceed 100.
std::string share_text(double share) {
    return share > 1.0005 ? " >100" : fmt::format("{:>5.1f}", 100 * share);
}

Json loops_json(const Kernel& kernel, const Explanation& e) {
    Json out = Json::array();
    for (const TripCount& t : e.trips)
        out.push_back({{"header", offset_of(kernel.flow().blocks[t.header].first)},
                       {"evaluated", t.known},
                       {"passes", t.known ? Json(t.passes) : Json(e.assumed_trips)},
                       {"branch", offset_of(t.branch)},
                       {"depends_on", t.known ? Json(nullptr) : Json(t.why)}});
    return out;
}

Json to_json(const Kernel& kernel, const Explanation& e) {
    Json bounds = Json::array();
    for (const ResourceBound& b : e.bounds)
        bounds.push_back({{"resource", b.resource},
                          {"cycles", rounded(b.cycles)},
                          {"share", rounded(e.share(b))},
                          {"how", b.how},
                          {"certain", b.certain}});
    Json blocks = Json::array();
    for (const BlockId b : e.where.blocks)
        blocks.push_back(b);
    const OccupancyLimits& o = e.occupancy;
    return {{"verdict", e.verdict},
            {"pass",
             {{"of", e.loop ? "hot loop" : "whole path"},
              {"header", e.loop ? offset_of(kernel.flow().blocks[e.where.header].first) : Json(nullptr)},
              {"first", offset_of(e.first)},
              {"last", offset_of(e.last)},
              {"blocks", blocks},
              {"depth", e.where.depth},
              {"instructions", e.instructions},
              {"warps", e.warps},
              {"cycles", rounded(e.cycles())},
              {"one_warp_alone", rounded(e.alone)},
              {"all_warps_at_least", rounded(e.all_warps())},
              {"counted_passes", e.passes},
              {"counted_cycles", e.counted},
              {"dependence_chain", e.chain}}},
            {"loops", loops_json(kernel, e)},
            {"reasons", reasons_json(e.reasons, e.passes)},
            {"waits", waits_json(kernel, e)},
            {"bounds", bounds},
            {"occupancy",
             {{"warps", o.warps},
              {"most_warps", o.most_warps},
              {"blocks", o.blocks},
              {"warps_per_block", o.warps_per_block},
              {"tightest", o.tightest},
              {"blocks_by",
               {{"registers", o.by_registers},
                {"shared_memory", o.by_shared == 0 ? Json(nullptr) : Json(o.by_shared)},
                {"warps", o.by_warps},
                {"blocks", o.by_blocks},
                {"grid", o.by_grid == 0 ? Json(nullptr) : Json(o.by_grid)}}}}},
            {"memory", memory_json(e.memory)},
            {"scored", rounded(e.path_cycles)},
            {"scored_with", passes_of(kernel, e)},
            {"path", {{"cycles", rounded(e.path_cycles)}, {"reasons", reasons_json(e.path_reasons, 1)}}}};
}

Json to_json(const Kernel& kernel, const Explanation& before, const Explanation& after,
             const ExplanationChange& change) {
    Json reasons = Json::array(), waits = Json::array();
    for (const ReasonChange& r : change.reasons)
        reasons.push_back({{"name", name_of(r.reason, r.slot)},
                           {"before", rounded(r.before)},
                           {"after", rounded(r.after)},
                           {"change", rounded(r.after - r.before)}});
    for (const WaitChange& w : change.waits) {
        Json edits = Json::array();
        for (const std::size_t e : w.edits)
            edits.push_back(change.edits[e]);
        waits.push_back({{"offset", w.instr * kWordBytes},
                         {"text", line_of(kernel, w.instr)},
                         {"before", rounded(w.before)},
                         {"after", rounded(w.after)},
                         {"change", rounded(w.after - w.before)},
                         {"why", w.text},
                         {"edits", edits}});
    }
    return {{"cycles", rounded(after.cycles() - before.cycles())},
            {"scored", rounded(after.path_cycles - before.path_cycles)},
            {"edits", change.edits},
            {"reasons", reasons},
            {"waits", waits}};
}

void print_explanation(const Kernel& kernel, const Explanation& e, const ExplainSettings& settings) {
    print_line(fmt::format("{} ({}): {}", kernel.name(), kernel.arch().name(), e.verdict));
    print_line("  " + place_of(kernel, e));
    if (const TripCount* trips = e.hot_trips())
        print_line("  trip count: " + text_of(kernel, *trips, e.assumed_trips));
    for (const TripCount& other : e.trips)
        if (&other != e.hot_trips())
            print_line(fmt::format("    loop 0x{:04x}: {}",
                                   kernel.flow().blocks[other.header].first * kWordBytes,
                                   text_of(kernel, other, e.assumed_trips)));
    print_line(fmt::format(
        "  one iteration of a warp: {:.1f} modelled cycles with {} on the sub-core, {:.1f} alone{}",
        e.cycles(), number_of(e.warps, "warp"), e.alone,
        e.chain > 0 ? fmt::format(", longest dependence chain {:.0f}", e.chain) : ""));
    print_line(
        fmt::format("  whole-kernel score (basis of all modelled gains): {:.1f} modelled cycles{}",
                    e.path_cycles, assumed_of(kernel, e)));
    print_line("");
    print_line("  where the cycles go");
    for (const ReasonCycles& r : e.reasons)
        print_line(fmt::format("    {:<18} {:>10.1f}  {:>5.1f} %", name_of(r.reason, r.slot), e.per_pass(r),
                               100 * r.counted / std::max(e.counted, 1e-9)));
    print_line(fmt::format("    {:<18} {:>10.1f}", "all", e.cycles()));
    print_line("");
    print_line("  longest waits");
    for (std::size_t i = 0; i < e.waits.size() && i < kMostWaits; ++i) {
        const std::string others = other_causes(e.waits[i]);
        print_line(fmt::format("    {:>7}  {:<18} {}{}", cycles_number(e.waits[i].cycles),
                               instr_name(kernel, e.waits[i].instr), e.waits[i].text,
                               others.empty() ? others : fmt::format(", {} other causes", others)));
    }
    print_line("");
    print_line(
        "  lower bound per resource, for one iteration of all warps" +
        (e.take_turns() ? fmt::format(" (they take turns: at least {:.1f})", e.all_warps()) : std::string()));
    for (const ResourceBound& b : e.bounds)
        print_line(fmt::format("    {:<40} {:>9.1f}  {} %{}  {}", b.resource, b.cycles,
                               share_text(e.share(b)), b.certain ? "" : " at most", b.how));
    print_line("");
    const OccupancyLimits& o = e.occupancy;
    print_line(fmt::format("  occupancy: {} of {} warps on an SM, {} of {} threads ({}), limited by {}",
                           o.warps, o.most_warps, number_of(o.blocks, "block"),
                           settings.model.threads_per_block, settings.threads_from, o.tightest));
    std::string limits = fmt::format("    blocks by registers {}, warps {}, blocks {}", o.by_registers,
                                     o.by_warps, o.by_blocks);
    if (o.by_shared > 0) limits += fmt::format(", shared memory {}", o.by_shared);
    if (o.by_grid > 0) limits += fmt::format(", the grid {}", o.by_grid);
    print_line(limits);
}

void print_change(const Kernel& kernel, const Explanation& before, const Explanation& after,
                  const ExplanationChange& change) {
    print_line("");
    print_line(fmt::format("  against it: {:.1f} -> {:.1f} cycles per iteration ({}), {}", before.cycles(),
                           after.cycles(), signed_cycles(after.cycles() - before.cycles()),
                           number_of(change.edits.size(), "edit")));
    print_line(fmt::format("  whole-kernel score: {:.1f} -> {:.1f} modelled cycles ({}){}",
                           before.path_cycles, after.path_cycles,
                           signed_cycles(after.path_cycles - before.path_cycles), assumed_of(kernel, after)));
    if (opposed(before, after))
        print_line(
            "  they change in opposite directions: the edits matter more outside the loop or in other iterations");
    for (const ReasonChange& r : change.reasons)
        if (std::abs(r.after - r.before) >= 0.05)
            print_line(fmt::format("    {:<18} {:>8.1f} -> {:>8.1f}  {:>8}", name_of(r.reason, r.slot),
                                   r.before, r.after, signed_cycles(r.after - r.before)));
    if (!change.waits.empty()) print_line("  largest changes of waits");
    for (std::size_t i = 0; i < change.waits.size() && i < kMostChanges; ++i) {
        const WaitChange& w = change.waits[i];
        print_line(fmt::format("    {:>8}  {:<18} {}: {}", signed_cycles(w.after - w.before),
                               instr_name(kernel, w.instr), w.after < w.before ? "was" : "now", w.text));
        for (const std::size_t e : w.edits)
            print_line("              by: " + change.edits[e]);
    }
}

// The launch belongs to the kernel, so its workload serves every schedule: an export has no workload file.
Result<std::optional<Workload>> workload_of_either(const Kernel& kernel, const KernelChoice& choice,
                                                   const ExplainOptions& options) {
    auto own = find_workload(kernel, options.workload);
    if (!own || *own || options.against.empty()) return own;
    auto other = TRY(open_counterpart(options.against, choice));
    auto loaded = TRY(Kernel::load(other.cubin, other.kernel));
    return find_workload(*loaded, {});
}

}  // namespace

Result<int> run_explain(const ExplainOptions& options) {
    const FileKernel opened = TRY(open_file_kernel(options.file, options));
    const KernelChoice& input = opened.choice;
    auto kernel = TRY(Kernel::load(input.cubin, input.kernel));
    if (!kernel->arch().editable())
        return fail(ErrorCode::Unsupported,
                    fmt::format("{} code can be viewed, not explained: the model has no figures for it",
                                kernel->arch().name()),
                    options.file);
    auto workload = TRY(workload_of_either(*kernel, input, options));
    const ExplainSettings settings = explain_settings(*kernel, workload);
    const Explainer explainer(kernel, settings.model);
    const Schedule schedule(kernel);
    const Explanation before = explainer.explain(schedule);
    const std::vector<HintEffect> effects = TRY(effects_in(options.session, kernel));
    const std::vector<std::string> orders = TRY(orders_in(options.session, opened, kernel));
    Json out = {{"file", options.file},
                {"kernel", kernel->name()},
                {"arch", kernel->arch().name()},
                {"unit", "modelled cycles"},
                {"threads_per_block", settings.model.threads_per_block},
                {"threads_from", settings.threads_from}};
    out.update(to_json(*kernel, before));
    out["memory"]["measured_hints"] = effects_json(effects);
    out["learned_orders"] = orders;
    if (options.against.empty()) {
        if (options.json) return print_document(out);
        print_explanation(*kernel, before, settings);
        print_memory(before.memory, effects);
        print_orders(orders);
        return 0;
    }
    auto other = TRY(open_counterpart(options.against, input));
    auto right = Schedule::match(kernel, *other.cubin);
    if (!right) {
        Error error = right.error();
        if (error.where.empty()) error.where = options.against;
        return fail(std::move(error));
    }
    const bool judged = kernel->arch().editable();
    Legality findings;
    if (judged) {
        findings = TRY(legality_of(*right));
    }
    const std::size_t own = note_self_check(kernel);
    const Explanation after = explainer.explain(*right);
    const ExplanationChange change = compare(schedule, before, *right, after);
    if (!options.json) {
        print_explanation(*kernel, before, settings);
        print_change(*kernel, before, after, change);
        if (!findings.empty())
            print_line("  not a legal reschedule, so fewer cycles are not a gain " + summary_of(findings));
        return 0;
    }
    out["against"] = {{"file", options.against}};
    out["against"].update(to_json(*kernel, after));
    out["against"]["legal"] = judged ? Json(findings.empty()) : Json(nullptr);
    out["against"]["findings"] = findings.size();
    out["original_findings"] = own;
    out["change"] = to_json(*kernel, before, after, change);
    return print_document(out);
}

void add_explain(CommandTable& table) {
    auto [sub, options] =
        table.add("explain", "where the cycles of the hot loop go by the SM model, and what waits for what",
                  run_explain);
    sub->add_option("FILE", options.file, kAnyFile)->required();
    sub->add_option("--against", options.against, "a reschedule of FILE: how its edits changed each wait");
    sub->add_option("--workload", options.workload,
                    "default: NAME.workload.json next to FILE; gives the number of warps");
    sub->add_option("--session", options.session, "session of this kernel: also what it measured of cache hints");
    add_kernel_choice(sub, options);
}

}  // namespace cubinlab::cli
