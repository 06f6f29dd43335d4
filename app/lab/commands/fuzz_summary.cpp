// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lab/commands/fuzz_summary.h"

#include <fmt/format.h>

#include <map>

#include "core/base/file.h"
#include "core/base/version.h"

namespace cubinlab::cli {
namespace {

constexpr const char* kConditions[] = {
    "hot",          "cold",          "hot+load",          "cold+load",          "no GPU",
    "directed-hot", "directed-cold", "directed-hot+load", "directed-cold+load", "directed, no GPU",
    "hints-hot",    "hints-cold",    "hints-hot+load",    "hints-cold+load",    "hints, no GPU"};

Json failure_json(const FuzzFailure& f) {
    return {{"walk", f.walk},       {"outcome", f.outcome},
            {"detail", f.detail},   {"reproduced", f.reproduced},
            {"culprit", f.culprit}, {"culprit_text", f.culprit_text},
            {"edits", f.mutation},  {"text", f.text},
            {"steps", f.steps}};
}

struct Row {
    std::map<std::string, std::uint64_t> walks;  // by conditions
    std::uint64_t legal = 0, mutations = 0, failed = 0, hangs_once = 0, disagreements = 0, bad = 0,
                  bad_seen = 0;
    std::uint64_t directed = 0, directed_tried = 0;  // edits that there are, and of these run
};

class Merger {
  public:
    Status add(const std::string& file) {
        auto text = read_text(file);
        if (!text) return fail(text.error());
        try {
            return add_document(Json::parse(*text), file);
        } catch (const std::exception& e) {
            return fail(ErrorCode::BadInput,
                        fmt::format("is not a document of `cubinlab-lab fuzz --json`: {}", e.what()), file);
        }
    }

    Json document() const {
        Json kernels = Json::array();
        Row all;
        for (const auto& [name, row] : rows_) {
            kernels.push_back(row_json(name, row));
            for (const auto& [condition, walks] : row.walks)
                all.walks[condition] += walks;
            all.legal += row.legal, all.mutations += row.mutations, all.failed += row.failed;
            all.hangs_once += row.hangs_once;
            all.directed += row.directed, all.directed_tried += row.directed_tried;
            all.disagreements += row.disagreements, all.bad += row.bad, all.bad_seen += row.bad_seen;
        }
        Json out = {{"documents", documents_},     {"version", version_},
                    {"device", device_},           {"all", row_json("all", all)},
                    {"kernels", kernels},          {"by_kind", by_kind_},
                    {"by_concern", by_concern_},   {"known_bad_by_rule", rules_json()},
                    {"process_seconds", seconds_}, {"failures", failures_}};
        return out;
    }

  private:
    static Json row_json(const std::string& name, const Row& row) {
        return {{"kernel", name},
                {"legal", row.legal},
                {"by_conditions", row.walks},
                {"mutations", row.mutations},
                {"legal_failed", row.failed},
                {"hangs_once", row.hangs_once},
                {"disagreements", row.disagreements},
                {"directed", row.directed},
                {"directed_tried", row.directed_tried},
                {"known_bad", row.bad},
                {"known_bad_seen", row.bad_seen}};
    }
    Json rules_json() const {
        Json out = Json::object();
        for (const auto& [rule, count] : rules_)
            out[rule] = {{"seen", count.first}, {"all", count.second}};
        return out;
    }

    Status add_document(const Json& d, const std::string& file) {
        const std::string kernel = d.at("kernel"), conditions = d.at("conditions"), version = d.at("version");
        if (documents_ > 0 && version != version_)
            return fail(ErrorCode::BadInput,
                        fmt::format("is from version {}, the others from {}: they cannot be added", version,
                                    version_),
                        file);
        const std::uint64_t seed = d.at("seed"), first = d.at("first"), next = d.at("next_walk");
        const bool directed = d.contains("base") && d["base"].is_number();
        const std::string start =
            directed ? fmt::format(", base {}", d["base"].get<std::uint64_t>()) : std::string();
        auto& counted = seen_[{kernel, d.at("code").get<std::string>(), conditions + start, seed}];
        for (const auto& [from, to] : counted)
            if (first < to && from < next)
                return fail(ErrorCode::BadInput,
                            "counts walks that another document counts too (same kernel, seed, numbers and "
                            "conditions)",
                            file);
        counted.push_back({first, next});
        version_ = version;
        if (device_.empty()) device_ = d.at("device").get<std::string>();
        ++documents_;
        Row& row = rows_[d.at("name").get<std::string>()];
        const std::uint64_t legal = d.at("legal");
        row.walks[conditions] += legal;
        row.legal += legal;
        if (directed) row.directed_tried += legal;
        if (directed && first == 0) row.directed += d.value("directed", std::uint64_t{0});
        const Json concerns = d.value("by_concern", Json::object());
        for (const auto& [name, count] : concerns.items())
            by_concern_[name] += count.get<std::uint64_t>();
        row.mutations += d.at("mutations").get<std::uint64_t>();
        row.failed += d.at("legal_failed").get<std::uint64_t>();
        row.hangs_once += d.value("hangs_once", std::uint64_t{0});
        row.disagreements += d.at("disagreements").get<std::uint64_t>();
        row.bad += d.at("known_bad").get<std::uint64_t>();
        row.bad_seen += d.at("known_bad_seen").get<std::uint64_t>();
        seconds_ += d.at("seconds").get<double>();
        for (const auto& [kind, count] : d.at("by_kind").items())
            by_kind_[kind] += count.get<std::uint64_t>();
        for (const auto& [rule, count] : d.at("known_bad_by_rule").items()) {
            rules_[rule].first += count.at("seen").get<std::uint64_t>();
            rules_[rule].second += count.at("all").get<std::uint64_t>();
        }
        for (const Json& failure : d.at("failures")) {
            Json with_source = failure;
            with_source["file"] = d.at("file");
            with_source["seed"] = seed;
            with_source["conditions"] = conditions;
            failures_.push_back(std::move(with_source));
        }
        return {};
    }

    using Key = std::tuple<std::string, std::string, std::string, std::uint64_t>;
    std::map<Key, std::vector<std::pair<std::uint64_t, std::uint64_t>>> seen_;
    std::map<std::string, Row> rows_;
    std::map<std::string, std::uint64_t> by_kind_, by_concern_;
    std::map<std::string, std::pair<std::uint64_t, std::uint64_t>> rules_;
    std::string version_, device_;
    std::size_t documents_ = 0;
    double seconds_ = 0;
    Json failures_ = Json::array();
};

// 1234567 -> "1,234,567"
std::string grouped(std::uint64_t value) {
    const std::string digits = std::to_string(value);
    std::string out;
    for (std::size_t i = 0; i < digits.size(); ++i) {
        if (i > 0 && (digits.size() - i) % 3 == 0) out += ',';
        out += digits[i];
    }
    return out;
}

std::string row_text(const Json& row, const std::vector<std::string>& conditions) {
    std::string out = fmt::format("| {} | {} |", row["kernel"].get<std::string>(),
                                  grouped(row["legal"].get<std::uint64_t>()));
    for (const std::string& condition : conditions)
        out += fmt::format(" {} |", grouped(row["by_conditions"].value(condition, std::uint64_t{0})));
    return out +
           fmt::format(" {} | {} | {} | {} | {} of {} |\n", grouped(row["mutations"].get<std::uint64_t>()),
                       row["legal_failed"].get<std::uint64_t>(), row["hangs_once"].get<std::uint64_t>(),
                       row["disagreements"].get<std::uint64_t>(), row["known_bad_seen"].get<std::uint64_t>(),
                       row["known_bad"].get<std::uint64_t>());
}

}  // namespace

std::string fuzz_conditions(const FuzzOptions& options) {
    if (options.self_check) return "the original";
    const char* kind = options.hints ? "hints" : options.directed ? "directed" : "";
    const bool walks = *kind == 0;
    if (options.evaluator == "model") return walks ? "no GPU" : fmt::format("{}, no GPU", kind);
    return fmt::format("{}{}{}{}", kind, walks ? "" : "-", to_string(options.gpu.judged_with()),
                       options.background_load ? "+load" : "");
}

Json fuzz_document(const FuzzOptions& options, const Kernel& kernel, const std::string& device,
                   const FuzzReport& r) {
    Json failures = Json::array(), rules = Json::object();
    for (const FuzzFailure& f : r.failures)
        failures.push_back(failure_json(f));
    for (const auto& [rule, count] : r.bad_by_rule)
        rules[rule] = {{"seen", count.first}, {"all", count.second}};
    return {{"file", options.file},
            {"name", std::filesystem::path(options.file).stem().string()},
            {"kernel", kernel.name()},
            {"code", kernel.hash().hex()},
            {"version", version_number()},
            {"device", device},
            {"conditions", fuzz_conditions(options)},
            {"seed", options.seed},
            {"first", options.first},
            {"next_walk", std::max(r.next_walk, options.first)},
            {"legal", r.legal},
            {"legal_failed", r.legal_failed},
            {"hangs_once", r.hangs_once},
            {"disagreements", r.disagreements},
            {"mutations", r.mutations},
            {"by_kind", r.by_kind},
            {"base", options.directed ? Json(options.base) : Json(nullptr)},
            {"directed", r.directed},
            {"by_concern", r.by_concern},
            {"known_bad", r.bad},
            {"known_bad_seen", r.bad_seen},
            {"known_bad_by_rule", rules},
            {"failures", failures},
            {"seconds", r.seconds},
            {"ended_early", r.end}};
}

Result<Json> merge_fuzz(const std::vector<std::string>& files) {
    Merger merger;
    for (const std::string& file : files)
        if (auto ok = merger.add(file); !ok) return fail(ok.error());
    return merger.document();
}

std::string fuzz_markdown(const Json& merged) {
    std::vector<std::string> conditions;
    for (const char* condition : kConditions)
        if (merged["all"]["by_conditions"].contains(condition)) conditions.emplace_back(condition);
    std::string out = "| kernel | legal walks |";
    std::string line = "|---|---|";
    for (const std::string& condition : conditions) {
        out += fmt::format(" {} |", condition);
        line += "---|";
    }
    out +=
        " mutations | wrong | late once, then right | refused by the full check | known-bad, seen in the "
        "outputs |\n" +
        line + "---|---|---|---|---|\n";
    for (const Json& row : merged["kernels"])
        out += row_text(row, conditions);
    out += row_text(merged["all"], conditions);
    out += "\nMutations by kind:";
    for (const auto& [kind, count] : merged["by_kind"].items())
        out += fmt::format(" {} {};", kind, grouped(count.get<std::uint64_t>()));
    if (const auto edits = merged["all"].value("directed", std::uint64_t{0}); edits > 0) {
        out += fmt::format(
            "\nDirected edits run: {} of {} that there are (conditions counted each), past or at:",
            grouped(merged["all"]["directed_tried"].get<std::uint64_t>()), grouped(edits));
        for (const auto& [name, count] : merged["by_concern"].items())
            out += fmt::format(" {} {};", name, grouped(count.get<std::uint64_t>()));
    }
    out += "\nKnown-bad edits seen in the outputs, by rule:";
    for (const auto& [rule, count] : merged["known_bad_by_rule"].items())
        out += fmt::format(" {} {} of {};", rule, count["seen"].get<std::uint64_t>(),
                           count["all"].get<std::uint64_t>());
    out += fmt::format(
        "\n{} documents, {:.0f} process seconds, version {}, {}\n", merged["documents"].get<std::size_t>(),
        merged["process_seconds"].get<double>(), merged["version"].get<std::string>(),
        merged["device"].get<std::string>().empty() ? "no GPU" : merged["device"].get<std::string>());
    for (const Json& f : merged["failures"])
        out += fmt::format("{} {} walk {} seed {} ({}): {}: {}\n  culprit: {} [{}]\n  edits: {} [{}]\n",
                           f["outcome"] == "hang, not repeated" ? "LATE ONCE" : "FAILURE",
                           f["file"].get<std::string>(), f["walk"].get<std::uint64_t>(),
                           f["seed"].get<std::uint64_t>(), f["conditions"].get<std::string>(),
                           f["outcome"].get<std::string>(), f["detail"].get<std::string>(),
                           f["culprit_text"].get<std::string>(), f["culprit"].get<std::string>(),
                           f["text"].get<std::string>(), f["edits"].get<std::string>());
    return out;
}

}  // namespace cubinlab::cli
