// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/lab/study/bounds.h"
#include "core/base/number_of.h"

namespace cubinlab {
namespace {

const ResourceTime* resource(const KernelBounds& b, std::string_view name) {
    for (const ResourceTime& r : b.resources)
        if (r.resource.starts_with(name)) return &r;
    return nullptr;
}

std::string cell(const PartTime* part) {
    return part ? fmt::format("{:.2f}", part->us) : "-";
}

std::string cell(const ResourceTime* r) {
    if (!r) return "-";
    return r->at_most > 0 ? fmt::format("{:.0f} ({:.2f})", r->cycles, r->at_most)
                          : fmt::format("{:.0f}", r->cycles);
}

std::string pass_cell(const KernelBounds& b, const Line& line) {
    return line.slope > 0 ? fmt::format("{:.0f}", b.cycles_of(line.slope)) : "-";
}

}  // namespace

std::string bounds_text(const KernelBounds& b) {
    std::string out = fmt::format(
        "{}: {:.3f} us{}; {}, {:.0f} MHz, {} blocks on {} multiprocessors, {} on the busiest "
        "sub-core\n",
        b.name, b.us,
        b.winner_us > 0 ? fmt::format(", the winner {:.3f} us ({:.4f} [{:.4f}, {:.4f}])", b.winner_us,
                                      std::exp(b.log_speedup), std::exp(b.low), std::exp(b.high))
                        : "",
        b.machine.device, b.machine.clock_mhz, b.blocks, b.machine.multiprocessors,
        number_of(b.warps_on_sub_core, "warp"));
    for (const PartTime& p : b.parts) {
        const char* what = p.part == Part::Nothing  ? "launch that ends at once"
                           : p.part == Part::Memory ? "without its arithmetic"
                                                    : "without its memory and barriers";
        if (p.failure.empty())
            out += fmt::format("  {:<34}{:9.3f} us  {} of {} instructions kept\n", what, p.us, p.kept,
                               p.kept + p.taken_away);
        else
            out += fmt::format("  {:<34}   -         {}\n", what, p.failure);
    }
    for (const SizeTime& s : b.sizes)
        out += fmt::format("  {:<34}{:9.3f} us{}\n", fmt::format("params[{}] = {}", b.varied->param, s.size),
                           s.us, s.winner_us > 0 ? fmt::format(", the winner {:.3f} us", s.winner_us) : "");
    const auto line = [&](const char* whose, const Line& l) {
        if (l.slope > 0)
            out += fmt::format(
                "  {}: {:.4f} us a pass ({:.0f} cycles), {:.0f} passes, {:.3f} us beside them; misses a "
                "point "
                "by {:.3f} us\n",
                whose, l.slope, b.cycles_of(l.slope), b.passes, l.at_zero, l.miss);
    };
    line("a pass", b.line);
    line("a pass of the winner", b.winner_line);
    for (const ResourceTime& r : b.resources)
        out += fmt::format(
            "  {:<42}{:9.0f} cycles {}{}\n", r.resource, r.cycles, b.passes == 1 ? "of the path" : "a pass",
            r.at_most > 0 ? fmt::format(", allows {:.2f}{}", r.at_most,
                                        r.certain ? "" : " if nothing hits in the cache before")
                          : "");
    return out;
}

std::string bounds_markdown(const std::vector<KernelBounds>& all) {
    std::string out =
        "| kernel | launch, us | winner | ends at once, us | no arithmetic, us | no memory, us | a pass, "
        "cycles | of the winner | beside the passes, us | issue slots | tensor cores | memory path | L2 |\n"
        "|---|---|---|---|---|---|---|---|---|---|---|---|---|\n";
    for (const KernelBounds& b : all) {
        const ResourceTime* tensor = resource(b, "tensor core");
        if (!tensor) tensor = resource(b, "tensor pipe");
        const ResourceTime* path = resource(b, "memory path of the SM");
        if (!path) path = resource(b, "memory path");
        out += fmt::format("| {} | {:.2f} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} |\n", b.name,
                           b.us, b.winner_us > 0 ? fmt::format("{:.4f}", std::exp(b.log_speedup)) : "-",
                           cell(b.part(Part::Nothing)), cell(b.part(Part::Memory)),
                           cell(b.part(Part::Arithmetic)), pass_cell(b, b.line), pass_cell(b, b.winner_line),
                           b.line.slope > 0 ? fmt::format("{:.2f}", b.line.at_zero) : "-",
                           cell(resource(b, "issue slots")), cell(tensor), cell(path),
                           cell(resource(b, "L2 to SM")));
    }
    return out;
}

}  // namespace cubinlab
