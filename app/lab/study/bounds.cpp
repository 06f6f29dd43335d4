// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lab/study/bounds.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "core/base/bounded_json.h"
#include "core/jobs/evaluator_choice.h"
#include "core/model/explanation.h"

namespace cubinlab {
namespace {

constexpr std::uint64_t kLanes = 32, kSubCores = 4;

std::uint64_t divided_up(std::uint64_t a, std::uint64_t b) {
    return (a + b - 1) / b;
}

bool number(std::string_view text, std::uint64_t& out) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
    return error == std::errc() && end == text.data() + text.size() && !text.empty();
}

const ScalarParam* whole_scalar(const Workload& workload, std::size_t param) {
    if (param >= workload.params.size()) return nullptr;
    const auto* scalar = std::get_if<ScalarParam>(&workload.params[param]);
    return scalar && scalar->type[0] != 'f' && scalar->type[0] != 'b' ? scalar : nullptr;
}

class Study {
  public:
    Study(const BoundsInput& input, const TimeLaunch& time, const std::stop_token& stop)
        : in_(input), time_(time), stop_(stop) {}

    Result<KernelBounds> run() {
        const auto whole = in_.kernel->cubin().bytes();
        original_.assign(whole.begin(), whole.end());
        out_.name = in_.name;
        out_.varied = in_.varied;
        if (auto timed = time_whole(); !timed) return fail(timed.error());
        for (const Part part : {Part::Nothing, Part::Memory, Part::Arithmetic})
            if (!stop_.stop_requested()) out_.parts.push_back(time_part(part));
        time_sizes();
        add_resources();
        return std::move(out_);
    }

  private:
    Status time_whole() {
        auto timed = time_(original_, in_.winner.empty() ? nullptr : &in_.winner, in_.workload);
        if (!timed) return fail(timed.error());
        out_.machine = timed->machine;
        out_.us = timed->us;
        if (!in_.winner.empty()) {
            out_.winner_us = timed->other_us;
            out_.log_speedup = timed->log_speedup;
            out_.low = timed->low;
            out_.high = timed->high;
        }
        const auto& grid = in_.workload.grid;
        out_.blocks = std::uint64_t{grid[0]} * grid[1] * grid[2];
        const auto of_sm =
            divided_up(out_.blocks, static_cast<std::uint64_t>(std::max(1, out_.machine.multiprocessors)));
        out_.warps_on_sub_core =
            static_cast<int>(of_sm * divided_up(divided_up(in_.workload.threads(), kLanes), kSubCores));
        for (const Param& param : in_.workload.params)
            if (const auto* buffer = std::get_if<BufferParam>(&param); buffer && buffer->alias_of < 0)
                out_.buffer_bytes += buffer->bytes();
        return {};
    }

    PartTime time_part(Part part) {
        PartTime out;
        out.part = part;
        auto cut = cut_kernel(*in_.kernel, part);
        if (!cut) {
            out.failure = cut.error().message();
            return out;
        }
        out.kept = cut->kept;
        out.taken_away = cut->taken_away;
        auto timed = time_(cut->bytes, nullptr, in_.workload);
        if (timed)
            out.us = timed->us;
        else
            out.failure = timed.error().message();
        return out;
    }

    void time_sizes() {
        if (!in_.varied) return;
        auto full = scalar_of(in_.workload, in_.varied->param);
        if (!full) return;
        out_.passes = static_cast<double>(*full) / static_cast<double>(in_.varied->step);
        out_.sizes.push_back({*full, out_.us, out_.winner_us});
        for (const std::uint64_t part : {2, 4}) {
            const std::uint64_t size = *full / part / in_.varied->step * in_.varied->step;
            if (size == 0 || size == out_.sizes.back().size || stop_.stop_requested()) continue;
            auto workload = with_scalar(in_.workload, in_.varied->param, size);
            if (!workload) continue;
            auto timed = time_(original_, in_.winner.empty() ? nullptr : &in_.winner, *workload);
            if (timed) out_.sizes.push_back({size, timed->us, in_.winner.empty() ? 0 : timed->other_us});
        }
        out_.line = line_of(&SizeTime::us);
        if (!in_.winner.empty()) out_.winner_line = line_of(&SizeTime::winner_us);
    }

    Line line_of(double SizeTime::*us) const {
        std::vector<std::pair<double, double>> points;
        for (const SizeTime& size : out_.sizes)
            points.push_back(
                {static_cast<double>(size.size) / static_cast<double>(in_.varied->step), size.*us});
        return points.size() < 2 ? Line{} : line_through(points);
    }

    void add_resources() {
        const Explainer explainer(in_.kernel, model_settings(*in_.kernel, in_.workload));
        const Explanation explained = explainer.explain(Schedule(in_.kernel));
        if (!explained.loop) out_.passes = 1;
        for (const ResourceBound& bound : explained.bounds) {
            ResourceTime row{bound.resource, bound.cycles * out_.warps_on_sub_core / explained.warps, 0,
                             bound.certain};
            // What is outside of the loop stays as it is.
            const double rest = !explained.loop ? 0 : out_.us - out_.line.slope * out_.passes;
            const double least = rest + out_.passes * row.cycles / std::max(1.0, out_.machine.clock_mhz);
            if (least > 0 && (!explained.loop || out_.line.slope > 0)) row.at_most = out_.us / least;
            out_.resources.push_back(std::move(row));
        }
    }

    const BoundsInput& in_;
    const TimeLaunch& time_;
    const std::stop_token& stop_;
    std::vector<std::byte> original_;
    KernelBounds out_;
};

}  // namespace

Result<NamedVaried> parse_varied(const std::string& text) {
    const auto colon = text.rfind(':'), slash = text.rfind('/');
    NamedVaried out;
    std::uint64_t param = 0;
    if (colon == std::string::npos || slash == std::string::npos || colon == 0 || slash < colon ||
        !number(std::string_view(text).substr(colon + 1, slash - colon - 1), param) ||
        !number(std::string_view(text).substr(slash + 1), out.varied.step) || out.varied.step == 0)
        return fail(ErrorCode::BadUse,
                    "--vary " + text + ": give KERNEL:PARAMETER/STEP, for example bmm_mma:5/64");
    out.kernel = text.substr(0, colon);
    out.varied.param = param;
    return out;
}

Result<std::uint64_t> scalar_of(const Workload& workload, std::size_t param) {
    const ScalarParam* scalar = whole_scalar(workload, param);
    std::uint64_t value = 0;
    if (!scalar || !number(scalar->text, value))
        return fail(ErrorCode::BadUse, "params[" + std::to_string(param) +
                                           "] of the workload is no whole-number scalar above 0");
    return value;
}

Result<Workload> with_scalar(const Workload& workload, std::size_t param, std::uint64_t value) {
    if (auto there = scalar_of(workload, param); !there) return fail(there.error());
    auto document = parse_json(workload.json, JsonComments::Allowed);
    if (!document) return fail(document.error());
    (*document)["params"][param]["scalar"]["value"] = value;
    return Workload::parse(document->dump());
}

Line line_through(const std::vector<std::pair<double, double>>& points) {
    double x = 0, y = 0, xx = 0, xy = 0;
    const auto n = static_cast<double>(points.size());
    for (const auto& [px, py] : points) {
        x += px / n;
        y += py / n;
    }
    for (const auto& [px, py] : points) {
        xx += (px - x) * (px - x);
        xy += (px - x) * (py - y);
    }
    Line line;
    line.slope = xx > 0 ? xy / xx : 0;
    line.at_zero = y - line.slope * x;
    for (const auto& [px, py] : points)
        line.miss = std::max(line.miss, std::abs(py - line.at_zero - line.slope * px));
    return line;
}

const PartTime* KernelBounds::part(Part which) const {
    for (const PartTime& p : parts)
        if (p.part == which && p.failure.empty()) return &p;
    return nullptr;
}

Result<KernelBounds> study_bounds(const BoundsInput& input, const TimeLaunch& time,
                                  const std::stop_token& stop) {
    if (input.varied)
        if (auto there = scalar_of(input.workload, input.varied->param); !there) return fail(there.error());
    return Study(input, time, stop).run();
}

}  // namespace cubinlab
