// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/base/output.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdio>

#include "core/base/json_text.h"
#include "core/base/utf8.h"
#include "core/gpu/client/gpu_evaluator.h"
#include "core/gpu/client/worker_log.h"
#include "core/model/assumed_passes.h"
#include "core/result/measurement_json.h"
#include "core/result/outcome_json.h"

namespace cubinlab::cli {

namespace {

std::atomic<bool> lost{false};

std::string& speaker() {
    static std::string name = "cubinlab";
    return name;
}

// Commands that have results to save ignore SIGPIPE (StopOnSignal), so a closed pipe shows here.
void put(std::FILE* stream, const std::string& text) {
    if (std::fwrite(text.data(), 1, text.size(), stream) != text.size() || std::ferror(stream) != 0)
        lost = true;
}

// Control characters, and characters that change the direction or are invisible.
bool steers(std::uint32_t c) {
    return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0xad || c == 0x61c || (c >= 0x200b && c <= 0x200f) ||
           (c >= 0x2028 && c <= 0x202e) || (c >= 0x2060 && c <= 0x206f) || c == 0xfeff ||
           (c >= 0xfff9 && c <= 0xfffb) || (c >= 0xe0000 && c <= 0xe007f);
}

}  // namespace

std::string printable(std::string_view text) {
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
        std::uint32_t c = 0;
        const std::size_t size = utf8_sequence(text, at, c);
        if (size == 0)
            out += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[at]));
        else if (!steers(c))
            out += text.substr(at, size);
        else if (c == '\n')
            out += "\\n";
        else if (c == '\t')
            out += "    ";
        else
            out += c < 0x100 ? fmt::format("\\x{:02x}", c) : fmt::format("\\u{:04x}", c);
        at += size == 0 ? 1 : size;
    }
    return out;
}

int print_document(const Json& document, int code) {
    // ASCII only, so that no name can control the terminal.
    put(stdout, json_text(document, 2) + "\n");
    if (std::fflush(stdout) != 0) lost = true;
    return lost ? 2 : code;
}

void print_line(const std::string& line) {
    put(stdout, printable(line) + "\n");
}

void print_text(const std::string& text) {
    std::string_view rest = text;
    while (!rest.empty()) {
        const std::size_t end = rest.find('\n');
        put(stdout, printable(rest.substr(0, end)) + "\n");
        rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    }
}

void print_progress(const std::string& line) {
    put(stderr, line + "\n");
}

std::string wrote_text(const std::string& out, const std::string& replaced) {
    return replaced.empty() ? "wrote " + out : fmt::format("wrote {}, in place of {}", out, replaced);
}

bool output_lost() {
    return lost;
}

void speak_as(const std::string& program) {
    speaker() = program;
}

Json to_json(const Error& error) {
    return {{"code", to_string(error.code)}, {"what", error.what}, {"where", error.where}};
}

int print_error(const Error& error, bool json) {
    const std::string log = error.code == ErrorCode::Worker || error.code == ErrorCode::NoGpu
                                ? worker_log_path().string()
                                : std::string();
    if (json) {
        Json document = {{"error", to_json(error)}};
        if (!log.empty()) document["error"]["log"] = log;
        print_document(document);
    } else {
        const std::string more = log.empty() ? "" : "; log of the workers: " + log;
        put(stderr, speaker() + ": " + printable(error.message() + more) + "\n");
    }
    return exit_code(error.code);
}

std::string cost_text(double cost, std::string_view unit) {
    return fmt::format("{:.{}f} {}", cost, unit == "us" ? 3 : 1, unit);
}

std::string gains_of(const EvaluatorInfo& evaluator) {
    if (evaluator.kind == EvaluatorKind::Model) return "in modelled cycles, unmeasured";
    return "measured on " + evaluator.device + cache_words(cache_of(evaluator));
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
    if (const std::string assumed = assumed_passes(info); !assumed.empty()) out["assumed"] = assumed;
    out["machine"] = facts_json(info);
    return out;
}

bool wants_json(int argc, char** argv) {
    return std::any_of(argv + 1, argv + std::max(argc, 1),
                       [](const char* word) { return std::string_view(word) == "--json"; });
}

Json to_json(const Outcome& outcome, EvaluatorKind by) {
    Json out = outcome_json(outcome, RawSamples::LeftOut);
    out["verdict"] = verdict_text(by, outcome);
    out["speedup"] = outcome.speedup.factor();
    return out;
}

}  // namespace cubinlab::cli
