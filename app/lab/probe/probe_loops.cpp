// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lab/probe/probe_loops.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/lab/probe/probe_loop_lines.h"
#include "core/base/bounded_json.h"
#include "core/model/explanation.h"

namespace cubinlab::probe {
namespace {

constexpr std::uint32_t kFewPasses = 200, kManyPasses = 1200;
constexpr int kRuns = 5;
constexpr unsigned kReuseA = 1, kReuseB = 2;

void arithmetic(std::vector<LoopCase>& out) {
    out.push_back({"16 NOP", {{}, same("NOP", 16, code(1))}});
    out.push_back({"IADD3, each needs the one before", {{}, same("IADD3 R8, R8, R9, RZ", 8, code(4))}});
    out.push_back({"16 independent IADD3", {{}, repeated("IADD3 %D, R16, R17, RZ", 16, 8, 1, 8, code(1))}});
    out.push_back({"16 FFMA, two banks", {{}, repeated("FFMA %D, R16, R17, R19", 16, 8, 1, 8, code(1))}});
    out.push_back({"16 FFMA, three operands of one bank",
                   {{}, repeated("FFMA %D, R16, R18, R20", 16, 8, 1, 8, code(1))}});
    out.push_back(
        {"16 FFMA of one bank, two operands reused",
         {{},
          repeated("FFMA %D, R16, R18, R20", 16, 8, 1, 8, code(1, false, -1, -1, 0, kReuseA | kReuseB))}});
    out.push_back({"FFMA, each needs the one before", {{}, same("FFMA R8, R8, R9, R10", 8, code(4))}});
    Lines mixed;
    for (int i = 0; i < 8; ++i)
        mixed = std::move(mixed) + repeated("FFMA %D, R16, R17, R19", 1, 8 + i % 4, 1, 1, code(1)) +
                repeated("IADD3 %D, R16, R17, RZ", 1, 12 + i % 4, 1, 1, code(1));
    out.push_back({"FFMA and IADD3 in turn", {{}, mixed}});
    out.push_back({"12 independent IMAD", {{}, repeated("IMAD %D, R16, R17, R19", 12, 8, 1, 8, code(1))}});
    out.push_back(
        {"8 independent IMAD.WIDE", {{}, repeated("IMAD.WIDE.U32 %D, R16, R17, R18", 8, 8, 2, 4, code(1))}});
    out.push_back({"16 independent HFMA2", {{}, repeated("HFMA2 %D, R16, R17, R19", 16, 8, 1, 8, code(1))}});
    out.push_back({"8 independent DFMA", {{}, repeated("DFMA %D, R16, R18, R20", 8, 8, 2, 4, code(1))}});
    out.push_back(
        {"16 FFMA that yield", {{}, repeated("FFMA %D, R16, R17, R19", 16, 8, 1, 8, code(1, true))}});
    out.push_back({"8 UIADD3", {{}, same("UIADD3 UR6, UR7, UR8, URZ", 8, code(1))}});
}

void slow(std::vector<LoopCase>& out) {
    out.push_back({"4 MUFU, waited for once",
                   {{}, repeated("MUFU.RCP %D, R16", 4, 8, 1, 4, code(1, false, 0)) + Lines{waits_for(1)}}});
    Lines chain;
    for (int i = 0; i < 3; ++i)
        chain.push_back({"MUFU.RCP R8, R8", code(2, false, 0, -1, 1)});
    out.push_back({"3 MUFU, each waits for the one before", {{}, chain + Lines{waits_for(1)}}});
    out.push_back({"6 HMMA.16816 on two accumulators",
                   {{}, repeated("HMMA.16816.F32 %D, R8, R12, %D", 6, 16, 4, 2, code(12, true))}});
    Lines tensor;
    for (int i = 0; i < 3; ++i) {
        tensor.push_back(
            {with_reg("HMMA.16816.F32 %D, R8, R12, R24", "%D", fmt::format("R{}", 16 + 4 * (i % 2))),
             code(1)});
        tensor = std::move(tensor) + repeated("IADD3 %D, RZ, RZ, RZ", 2, 14, 1, 2, code(1));
    }
    out.push_back({"HMMA.16816 with two IADD3 behind each", {{}, tensor}});
    out.push_back({"6 HMMA.16816, one accumulator read",
                   {{}, repeated("HMMA.16816.F32 %D, R8, R12, R24", 6, 16, 4, 2, code(1))}});
    out.push_back(
        {"4 LDC, waited for once",
         {{}, repeated("LDC %D, c[0x0][0x218]", 4, 8, 1, 4, code(1, false, 0)) + Lines{waits_for(1)}}});
}

void shuffles(std::vector<LoopCase>& out) {
    Lines chain;
    for (int i = 0; i < 3; ++i)
        chain.push_back({"SHFL.BFLY PT, R8, R8, 0x1, 0x1f", code(2, false, 0, -1, 1)});
    out.push_back({"3 SHFL, each needs the one before", {{}, chain + Lines{waits_for(1)}}});
    out.push_back({"6 SHFL, waited for once",
                   {{},
                    repeated("SHFL.BFLY PT, %D, R16, 0x1, 0x1f", 6, 8, 1, 6, code(1, false, 0)) +
                        Lines{waits_for(1)}}});
}

double least(const std::vector<int>& clocks) {
    return *std::min_element(clocks.begin(), clocks.end());
}

}  // namespace

std::vector<LoopCase> loop_cases() {
    std::vector<LoopCase> out;
    out.push_back({"nothing but the loop", {}});
    arithmetic(out);
    slow(out);
    shuffles(out);
    shared_memory_loops(out);
    conflicting_loops(out);
    return out;
}

Result<KernelPtr> loop_kernel(const Cubin& cubin, const Program& program) {
    auto image = build_image(cubin, program);
    if (!image) return fail(image.error());
    auto parsed = Cubin::parse(std::move(*image), "a loop of one warp");
    if (!parsed) return fail(parsed.error());
    return Kernel::load(*parsed, kFrameName);
}

Result<double> modelled_pass(const KernelPtr& kernel, int warps) {
    SmModelSettings settings;
    settings.threads_per_block = 32 * warps;
    settings.warps_per_subcore = (warps + 3) / 4;
    settings.blocks_in_grid = 1;
    const Schedule schedule(kernel);
    const Explanation e = Explainer(kernel, settings).explain(schedule);
    if (!e.loop) return fail(ErrorCode::Unsupported, "no loop is found in the frame", kernel->name());
    return e.cycles();
}

namespace {

struct MadeLoop {
    Program program;
    LoopFigure figure;  // modelled
};

Result<MadeLoop> made_loop(const Cubin& cubin, const WordBook& book, const LoopCase& of, std::uint32_t exit) {
    auto program = build_loop(book, of.loop, Shape{1, 32 * of.warps, kFewPasses}, exit);
    if (!program) return fail(program.error());
    auto kernel = loop_kernel(cubin, *program);
    if (!kernel) return fail(kernel.error());
    auto modelled = modelled_pass(*kernel, of.warps);
    if (!modelled) return fail(modelled.error());
    MadeLoop out{std::move(*program), {}};
    out.figure.name = of.name;
    out.figure.instructions = of.loop.body.size() + 3;
    out.figure.modelled = *modelled;
    out.figure.conflicts = of.conflicts;
    return out;
}

}  // namespace

Result<std::vector<LoopFigure>> study_loops(const Cubin& cubin, const WordBook& book, const LoopRun& run,
                                            const std::stop_token& stop) {
    auto exit = frame_exit(cubin);
    if (!exit) return fail(exit.error());
    std::vector<LoopFigure> out;
    for (const LoopCase& of : loop_cases()) {
        if (stop.stop_requested()) return fail(ErrorCode::Cancelled, "stopped");
        auto made = made_loop(cubin, book, of, *exit);
        if (!made) return fail(made.error());
        Shape shape{1, 32 * of.warps, kFewPasses};
        LoopFigure figure = std::move(made->figure);
        std::vector<int> few, many;
        for (int i = 0; i < kRuns && figure.failure.empty(); ++i)
            for (auto* clocks : {&few, &many}) {
                shape.iterations = clocks == &few ? kFewPasses : kManyPasses;
                auto count = run(of, made->program, shape);
                if (!count) return fail(count.error());
                figure.failure = count->failure;
                if (!figure.failure.empty()) break;
                clocks->push_back(count->most_clocks);
            }
        if (figure.failure.empty()) figure.measured = (least(many) - least(few)) / (kManyPasses - kFewPasses);
        out.push_back(std::move(figure));
    }
    return out;
}

Result<std::vector<LoopFigure>> remodelled_loops(const Cubin& cubin, const WordBook& book,
                                                 std::string_view document) {
    auto all = parse_json(document);
    if (!all) return fail(all.error());
    auto exit = frame_exit(cubin);
    if (!exit) return fail(exit.error());
    std::vector<LoopFigure> out;
    try {
        for (const auto& row : all->at("loops"))
            for (const LoopCase& of : loop_cases()) {
                if (row.at("name") != of.name) continue;
                auto made = made_loop(cubin, book, of, *exit);
                if (!made) return fail(made.error());
                made->figure.measured = row.at("measured").get<double>();
                made->figure.failure = row.at("failure").get<std::string>();
                out.push_back(std::move(made->figure));
            }
    } catch (const std::exception& error) {
        return fail(ErrorCode::BadInput, fmt::format("no document of probe --loops: {}", error.what()));
    }
    return out;
}

std::string loops_markdown(const std::vector<LoopFigure>& figures) {
    std::string out =
        "| loop of one warp | instructions | measured, cycles | modelled | modelled / measured |\n"
        "|---|---|---|---|---|\n";
    std::size_t close = 0, free = 0;
    for (const LoopFigure& f : figures) {
        const std::string measured = f.failure.empty() ? fmt::format("{:.2f}", f.measured) : f.failure;
        const std::string ratio = f.measured > 0 ? fmt::format("{:.3f}", f.ratio()) : std::string();
        out += fmt::format("| {}{} | {} | {} | {:.2f} | {} |\n", f.name, f.conflicts ? " (conflicts)" : "",
                           f.instructions, measured, f.modelled, ratio);
        free += !f.conflicts;
        close += !f.conflicts && f.measured > 0 && std::abs(f.ratio() - 1) <= 0.05;
    }
    return out + fmt::format("\nWithout bank conflicts {} of {}, {} of them within 5 %.\n", free,
                             figures.size(), close);
}

}  // namespace cubinlab::probe
