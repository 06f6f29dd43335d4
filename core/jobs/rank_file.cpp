// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/jobs/rank_file.h"

#include <cmath>

#include <fmt/format.h>

#include "core/base/bounded_json.h"
#include "core/base/file.h"
#include "core/model/occupancy.h"

namespace cubinlab {
namespace {

using nlohmann::json;

constexpr int kVersion = 1;
constexpr std::size_t kMostBytes = 64u << 20;

// Seven digits are a thousandth of any standard error.
double rounded(double value) {
    return std::round(value * 1e7) / 1e7;
}

json row_of(const RankRow& row) {
    return json::array({row.near_good ? "good" : "original", row.edits.encode(), rounded(row.a.mean),
                        rounded(row.a.error), row.a.loads, rounded(row.b.mean), rounded(row.b.error),
                        row.b.loads});
}

RankHalf half_from(const json& row, std::size_t at) {
    RankHalf out{row.at(at).get<double>(), row.at(at + 1).get<double>(), whole_number<int>(row.at(at + 2))};
    if (!std::isfinite(out.mean) || !std::isfinite(out.error) || out.error < 0 || out.loads < 1)
        throw std::runtime_error("a figure is no figure");
    return out;
}

Mutation mutation_from(const json& text) {
    const auto encoded = text.get<std::string>();
    if (encoded.empty()) return {};
    auto mutation = Mutation::decode(encoded);
    if (!mutation) throw std::runtime_error(mutation.error().message());
    return std::move(*mutation);
}

RankFile file_from(const json& all) {
    RankFile out;
    if (json_or(all, "cubinlab", "") != "rank")
        throw std::runtime_error("that is what `cubinlab-lab rank` writes");
    if (whole_number<int>(all.at("version")) != kVersion)
        throw std::runtime_error("not a rank file of version 1");
    out.kernel = all.at("kernel").get<std::string>();
    out.cubin = all.at("cubin").get<std::string>();
    const auto code = Hash128::from_hex(all.at("code").get<std::string>());
    if (!code) throw std::runtime_error("code is no hash");
    out.code = *code;
    out.device = all.at("device").get<std::string>();
    out.driver = all.at("driver").get<std::string>();
    out.cache = all.at("cache").get<std::string>();
    out.original_us = all.at("original_us").get<double>();
    out.launch.threads_per_block = whole_number<int>(all.at("threads_per_block"));
    out.launch.dynamic_shared_bytes = whole_number<std::uint32_t>(all.at("dynamic_shared_bytes"));
    out.launch.blocks_in_grid = whole_number<std::uint64_t>(all.at("blocks_in_grid"));
    if (out.launch.threads_per_block < 1 || out.launch.threads_per_block > kMostThreadsPerBlock)
        throw std::runtime_error("threads_per_block is not 1 to 1024");
    out.good = mutation_from(all.at("good"));
    out.failed = whole_number<std::uint64_t>(all.at("failed"));
    out.failures = all.at("failures").get<std::vector<std::string>>();
    for (const json& row : all.at("schedules")) {
        if (!row.is_array() || row.size() != 8) throw std::runtime_error("a schedule needs 8 fields");
        const auto near = row.at(0).get<std::string>();
        if (near != "good" && near != "original") throw std::runtime_error("near neither good nor original");
        out.rows.push_back({near == "good", mutation_from(row.at(1)), half_from(row, 2), half_from(row, 5)});
    }
    return out;
}

}  // namespace

Result<RankFile> read_rank_file(const std::filesystem::path& path) {
    std::error_code ignored;
    if (std::filesystem::file_size(path, ignored) > kMostBytes && !ignored)
        return fail(ErrorCode::BadInput, "larger than any rank file", path.string());
    auto text = TRY(read_text(path));
    auto all = parse_json(text);
    if (!all) return fail(all.error().code, all.error().message(), path.string());
    try {
        return file_from(*all);
    } catch (const std::exception& error) {
        return fail(ErrorCode::BadInput, fmt::format("no rank file: {}", message_of(error)), path.string());
    }
}

std::string to_text(const RankFile& file) {
    json rows = json::array();
    const json head = {{"cubinlab", "rank"},
                       {"version", kVersion},
                       {"kernel", file.kernel},
                       {"cubin", file.cubin},
                       {"code", file.code.hex()},
                       {"device", file.device},
                       {"driver", file.driver},
                       {"cache", file.cache},
                       {"original_us", rounded(file.original_us)},
                       {"threads_per_block", file.launch.threads_per_block},
                       {"dynamic_shared_bytes", file.launch.dynamic_shared_bytes},
                       {"blocks_in_grid", file.launch.blocks_in_grid},
                       {"good", file.good.encode()},
                       {"failed", file.failed},
                       {"failures", file.failures},
                       {"fields", {"near", "edits", "a", "a_error", "a_loads", "b", "b_error", "b_loads"}}};
    // One schedule a line, so that two files can be compared.
    std::string out = head.dump(1, ' ', false, json::error_handler_t::replace);
    out.resize(out.rfind('}'));
    while (!out.empty() && (out.back() == '\n' || out.back() == ' '))
        out.pop_back();
    out += ",\n \"schedules\": [";
    for (std::size_t i = 0; i < file.rows.size(); ++i)
        out += (i == 0 ? "\n" : ",\n") + row_of(file.rows[i]).dump();
    return out + "\n]}\n";
}

Result<std::vector<Schedule>> RankFile::schedules(const KernelPtr& of) const {
    if (of->hash() != code)
        return fail(ErrorCode::BadInput, "the schedules are of other code than " + of->cubin().where(),
                    kernel);
    const Schedule original(of);
    auto best = good.applied(original);
    if (!best) return fail(ErrorCode::BadInput, "the good schedule: " + best.error().message(), kernel);
    std::vector<Schedule> out;
    out.reserve(rows.size());
    for (const RankRow& row : rows) {
        auto schedule = row.edits.applied(row.near_good ? *best : original);
        if (!schedule)
            return fail(ErrorCode::BadInput,
                        fmt::format("schedule {}: {}", out.size(), schedule.error().message()), kernel);
        out.push_back(std::move(*schedule));
    }
    return out;
}

}  // namespace cubinlab
