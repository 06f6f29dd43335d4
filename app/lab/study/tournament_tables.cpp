// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "app/lab/study/tournament.h"
#include "core/base/bounded_json.h"
#include "core/gpu/protocol/statistics.h"

namespace cubinlab {
namespace {

using Json = nlohmann::ordered_json;

double number(const Json& object, const char* key) {
    return json_or(object, key, 0.0);
}

std::string text(const Json& object, const char* key) {
    return json_or(object, key, "");
}

// What a run gained by the cache given: measured again; else as it was claimed in the run, which is hot unless the search
// was not, and never known cold.
struct Gain {
    double log_speedup = 0;
    bool again = true;
};
std::optional<Gain> gain_of(const Json& run, const char* cache) {
    if (run.contains("error")) return std::nullopt;
    const auto figure = run.find(cache);
    if (figure != run.end() && figure->contains("log_speedup"))
        return Gain{number(*figure, "log_speedup"), true};
    const bool nothing = number(run, "claimed") == 0;
    if (nothing) return Gain{0, true};
    if (text(run, "cache") != cache) return std::nullopt;
    return Gain{number(run, "claimed"), false};
}

template <class Key>
std::vector<std::string> distinct(const std::vector<Json>& runs, Key key) {
    std::vector<std::string> out;
    for (const Json& run : runs) {
        const std::string value = text(run, key);
        if (std::find(out.begin(), out.end(), value) == out.end()) out.push_back(value);
    }
    return out;
}

}  // namespace

std::string tournament_csv(const std::vector<Json>& runs) {
    std::string out =
        "kernel,agent,seed,cache,seconds,steps,failed,wrong,claimed,claimed_low,claimed_high,hot,hot_low,hot_"
        "high,hot_verdict,cold,cold_low,cold_high,cold_verdict,early_seconds,early,early_low,early_high,"
        "early_"
        "verdict,outputs_equal,legal,version,device,error\n";
    // Empty where it was not measured.
    const auto again = [](const Json& figure) {
        if (!figure.contains("log_speedup")) return std::string(",,,");
        return fmt::format("{:.5f},{:.5f},{:.5f},{}", factor_of(number(figure, "log_speedup")),
                           factor_of(number(figure, "low")), factor_of(number(figure, "high")),
                           text(figure, "verdict"));
    };
    for (const Json& run : runs) {
        const Json hot = run.value("hot", Json::object()), cold = run.value("cold", Json::object());
        const Json early = run.value("early", Json::object()), early_hot = early.value("hot", Json::object());
        out += fmt::format(
            "{},{},{},{},{},{},{},{},{:.5f},{:.5f},{:.5f},{},{},{:g},{},{},{},\"{}\",\"{}\",{}\n",
            text(run, "kernel"), text(run, "agent"), number(run, "seed"), text(run, "cache"),
            number(run, "seconds"), number(run, "steps"), number(run, "failed"), number(run, "wrong"),
            factor_of(number(run, "claimed")), factor_of(number(run, "claimed_low")),
            factor_of(number(run, "claimed_high")), again(hot), again(cold), number(early, "seconds"),
            again(early_hot),
            hot.value("outputs_equal", true) && cold.value("outputs_equal", true) &&
                early_hot.value("outputs_equal", true),
            run.value("legal", true), text(run, "version"), text(run, "device"), text(run, "error"));
    }
    return out;
}

std::string curves_csv(const std::vector<Json>& runs) {
    std::string out = "kernel,agent,seed,seconds,step,best\n";
    for (const Json& run : runs)
        for (const Json& point : run.value("curve", Json::array()))
            out += fmt::format("{},{},{},{:.3f},{},{:.5f}\n", text(run, "kernel"), text(run, "agent"),
                               number(run, "seed"), point[0].get<double>(), point[1].get<double>(),
                               factor_of(point[2].get<double>()));
    return out;
}

std::string curves_svg(const std::vector<Json>& runs, const std::string& kernel) {
    constexpr double kWidth = 640, kHeight = 320, kLeft = 56, kBottom = 36, kTop = 28, kRight = 96;
    static const char* kColours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                     "#e69f00", "#56b4e9", "#000000"};
    double last = 1, highest = 0.005;
    for (const Json& run : runs) {
        if (text(run, "kernel") != kernel) continue;
        last = std::max(last, number(run, "seconds"));
        for (const Json& point : run.value("curve", Json::array()))
            highest = std::max(highest, point[2].get<double>());
    }
    const auto x = [&](double s) { return kLeft + (kWidth - kLeft - kRight) * std::min(1.0, s / last); };
    const auto y = [&](double log) {
        return kHeight - kBottom -
               (kHeight - kBottom - kTop) * std::expm1(std::max(0.0, log)) / std::expm1(highest);
    };
    std::string out = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" font-family=\"sans-serif\" "
        "font-size=\"12\"><rect width=\"{0}\" height=\"{1}\" fill=\"#fff\"/>\n<text x=\"{2}\" y=\"18\" "
        "font-weight=\"bold\">{3}: best claimed against seconds of the run</text>\n",
        kWidth, kHeight, kLeft, kernel);
    for (int k = 0; k <= 4; ++k) {
        const double log = std::log1p(std::expm1(highest) * k / 4), s = last * k / 4;
        out += fmt::format(
            "<path d=\"M{} {:.1f}H{}\" stroke=\"#ddd\"/><text x=\"{}\" y=\"{:.1f}\" "
            "text-anchor=\"end\">{:.3f}</text><text x=\"{:.1f}\" y=\"{}\" "
            "text-anchor=\"middle\">{:.0f} s</text>\n",
            kLeft, y(log), kWidth - kRight, kLeft - 6, y(log) + 4, factor_of(log), x(s), kHeight - 14, s);
    }
    const std::vector<std::string> agents = distinct(runs, "agent");
    for (const Json& run : runs) {
        if (text(run, "kernel") != kernel) continue;
        const auto agent = static_cast<std::size_t>(
            std::find(agents.begin(), agents.end(), text(run, "agent")) - agents.begin());
        std::string path = fmt::format("M{:.1f} {:.1f}", x(0), y(0));
        for (const Json& point : run.value("curve", Json::array()))
            path += fmt::format("H{:.1f}V{:.1f}", x(point[0].get<double>()), y(point[2].get<double>()));
        path += fmt::format("H{:.1f}", x(last));
        out += fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.6\"/>\n", path,
                           kColours[agent % std::size(kColours)]);
    }
    for (std::size_t a = 0; a < agents.size(); ++a)
        out += fmt::format("<text x=\"{}\" y=\"{}\" fill=\"{}\">{}</text>\n", kWidth - kRight + 10,
                           kTop + 16 * (static_cast<double>(a) + 1), kColours[a % std::size(kColours)],
                           agents[a]);
    return out + "</svg>\n";
}

std::string best_by_markdown(const std::vector<Json>& runs, const std::vector<double>& seconds) {
    std::string out = "| kernel | agent |", rule = "|---|---|";
    for (const double s : seconds) {
        out += fmt::format(" {:g} s |", s);
        rule += "---|";
    }
    out += "\n" + rule + "\n";
    for (const std::string& kernel : distinct(runs, "kernel"))
        for (const std::string& agent : distinct(runs, "agent")) {
            std::string row;
            for (const double s : seconds) {
                std::vector<double> best;
                for (const Json& run : runs) {
                    if (text(run, "kernel") != kernel || text(run, "agent") != agent || run.contains("error"))
                        continue;
                    double now = 0;
                    for (const Json& point : run.value("curve", Json::array()))
                        if (point[0].get<double>() <= s) now = point[2].get<double>();
                    best.push_back(now);
                }
                if (!best.empty()) row += fmt::format(" {:.4f} |", factor_of(median(best)));
            }
            if (!row.empty()) out += fmt::format("| {} | {} |{}\n", kernel, agent, row);
        }
    return out;
}

namespace {

struct Column {
    std::vector<double> hot, cold;
    std::string each;
    bool again = true;  // all of them measured again
};

Column column_of(const std::vector<Json>& runs, const std::string& kernel, const std::string& agent) {
    Column out;
    for (const Json& run : runs) {
        if (text(run, "kernel") != kernel || text(run, "agent") != agent) continue;
        if (const auto cold = gain_of(run, "cold")) out.cold.push_back(cold->log_speedup);
        const auto hot = gain_of(run, "hot");
        if (!hot) continue;
        out.hot.push_back(hot->log_speedup);
        out.again = out.again && hot->again;
        out.each += fmt::format("{}{:.4f}{}", out.each.empty() ? "" : ", ", factor_of(hot->log_speedup),
                                hot->again ? "" : "*");
    }
    return out;
}

// On how many kernels the first of two agents is not behind: medians over the seeds that both have.
std::string head_to_head(const std::vector<Json>& runs, const std::vector<std::string>& kernels,
                         const std::vector<std::string>& agents) {
    std::size_t met = 0, ahead = 0;
    for (const std::string& kernel : kernels) {
        const Column first = column_of(runs, kernel, agents[0]), second = column_of(runs, kernel, agents[1]);
        if (first.hot.empty() || second.hot.empty()) continue;
        ++met;
        ahead += median(first.hot) >= median(second.hot);
    }
    return fmt::format("\n{} is at least {} on {} of {} kernels, hot.\n", agents[0], agents[1], ahead, met);
}

}  // namespace

std::string tournament_markdown(const std::vector<Json>& runs) {
    const std::vector<std::string> kernels = distinct(runs, "kernel"), agents = distinct(runs, "agent");
    std::string out = "| kernel |", rule = "|---|";
    for (const std::string& agent : agents) {
        std::vector<std::string> lengths;
        for (const Json& run : runs)
            if (const auto seconds = fmt::format("{:g} s", number(run, "seconds"));
                text(run, "agent") == agent &&
                std::find(lengths.begin(), lengths.end(), seconds) == lengths.end())
                lengths.push_back(seconds);
        out += fmt::format(" {} {}, hot | all seeds | cold |", agent, fmt::join(lengths, ", "));
        rule += "---|---|---|";
    }
    out += "\n" + rule + "\n";
    std::vector<double> sums(agents.size(), 0), counts(agents.size(), 0);
    bool all_again = true;
    for (const std::string& kernel : kernels) {
        out += "| " + kernel + " |";
        for (std::size_t a = 0; a < agents.size(); ++a) {
            const Column column = column_of(runs, kernel, agents[a]);
            if (column.hot.empty()) {
                out += " | | |";
                continue;
            }
            all_again = all_again && column.again;
            sums[a] += median(column.hot);
            counts[a] += 1;
            out +=
                fmt::format(" **{:.4f}** | {} | {} |", factor_of(median(column.hot)), column.each,
                            column.cold.empty() ? "" : fmt::format("{:.4f}", factor_of(median(column.cold))));
        }
        out += "\n";
    }
    out += "| geometric mean |";
    for (std::size_t a = 0; a < agents.size(); ++a)
        out += fmt::format(" **{:.4f}** | of {} kernels | |", std::exp(sums[a] / std::max(1.0, counts[a])),
                           counts[a]);
    out += "\n";
    if (!all_again) out += "\n*: as claimed in the run, not measured again.\n";
    if (agents.size() == 2) out += head_to_head(runs, kernels, agents);
    std::vector<std::string> versions = distinct(runs, "version");
    std::replace(versions.begin(), versions.end(), std::string(), std::string("one that did not say"));
    if (versions.size() > 1)
        out += fmt::format("\nRuns of {} versions of the program: {}.\n", versions.size(),
                           fmt::join(versions, "; "));
    return out;
}

}  // namespace cubinlab
