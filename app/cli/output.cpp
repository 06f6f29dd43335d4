// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/output.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdio>

namespace cubinlab::cli {

int print_document(const Json& document, int code) {
    const std::string text = document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
    const bool ok =
        std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
    return ok ? code : 2;
}

void print_line(const std::string& line) {
    std::fwrite(line.data(), 1, line.size(), stdout);
    std::fputc('\n', stdout);
}

Json to_json(const Error& error) {
    return {{"code", to_string(error.code)}, {"what", error.what}, {"where", error.where}};
}

int print_error(const Error& error, bool json) {
    if (json)
        print_document({{"error", to_json(error)}});
    else
        std::fprintf(stderr, "cubinlab: %s\n", error.message().c_str());
    return exit_code(error.code);
}

std::string speedup_text(double log_speedup) {
    return fmt::format("{:+.2f} %", (std::exp(log_speedup) - 1) * 100);
}

Json to_json(const EvaluatorInfo& info) {
    Json out = {{"kind", to_string(info.kind)},
                {"device", info.device},
                {"unit", info.unit},
                {"original_cost", info.original_cost}};
    if (info.kind == EvaluatorKind::Gpu) {
        out["timer_step_us"] = info.timer_step_us;
        out["aa_spread"] = info.aa_spread;
        out["detectable"] = info.detectable;
        out["deterministic"] = info.deterministic;
    }
    Json more = Json::parse(info.json, nullptr, false);
    if (more.is_object()) out["machine"] = std::move(more);
    return out;
}

Json to_json(const Outcome& outcome) {
    return {{"outcome", to_string(outcome.kind)},
            {"verdict", to_string(outcome.verdict)},
            {"log_speedup", outcome.log_speedup},
            {"low", outcome.low},
            {"high", outcome.high},
            {"speedup", std::exp(outcome.log_speedup)},
            {"cost", outcome.cost},
            {"pairs", outcome.pairs},
            {"alpha", outcome.alpha},
            {"device", outcome.device},
            {"set_aside", outcome.set_aside},
            {"energy_mj", outcome.energy_mj},
            {"reference_energy_mj", outcome.reference_energy_mj},
            {"detail", outcome.detail}};
}

}  // namespace cubinlab::cli
