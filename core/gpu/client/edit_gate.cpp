// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gpu/client/edit_gate.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <nlohmann/json.hpp>

#include "core/base/bounded_json.h"
#include "core/base/file.h"
#include "core/gpu/client/worker_log.h"

namespace cubinlab {
namespace {

constexpr const char* kFormat = "cubinlab edit tests 1";
constexpr std::size_t kMostBytes = 1u << 20;

std::atomic<bool> g_untested_allowed{false};

Error untested(const Arch& arch, const std::string& on) {
    return {ErrorCode::Refused,
            fmt::format(
                "edited {} code has not passed the edit test{}: run `cubinlab doctor --edit-test`, or give "
                "--untested-architecture",
                arch.name(), on),
            {}};
}

std::string passed_words(const Arch& arch) {
    return "edited " + arch.name() + " code passed the edit test on ";
}
std::string nobody_passed(const Arch& arch) {
    return "no GPU has passed the edit test for edited " + arch.name() + " code";
}

const EditTestRecord* passed_for(const std::vector<EditTestRecord>& records, const Arch& arch) {
    const auto found = std::find_if(records.rbegin(), records.rend(),
                                    [&](const EditTestRecord& r) { return r.passed && r.sm == arch.sm; });
    return found == records.rend() ? nullptr : &*found;
}

}  // namespace

std::filesystem::path edit_test_file() {
    const std::filesystem::path folder = user_state_folder();
    return folder.empty() ? folder : folder / "edit-tests.json";
}

std::vector<EditTestRecord> stored_edit_tests() {
    std::vector<EditTestRecord> out;
    const std::filesystem::path file = edit_test_file();
    const auto text = file.empty() ? fail(ErrorCode::NotFound, "") : read_text(file, kMostBytes);
    const nlohmann::json json = text ? parse_json_or_discard(*text) : nlohmann::json();
    if (json_or(json, "format", "") != kFormat || !json.contains("tests")) return out;
    for (const nlohmann::json& test : json["tests"])
        out.push_back({json_or(test, "device", ""), json_or(test, "driver", ""), json_or(test, "sm", 0),
                       json_or(test, "passed", false), json_or(test, "sentence", ""),
                       json_or(test, "when", "")});
    return out;
}

Status store_edit_test(const EditTestRecord& record) {
    const std::filesystem::path file = edit_test_file();
    if (file.empty())
        return fail(ErrorCode::Io, "no home folder is known, so the edit test cannot be stored");
    std::vector<EditTestRecord> records = stored_edit_tests();
    std::erase_if(records, [&](const EditTestRecord& r) {
        return r.device == record.device && r.driver == record.driver && r.sm == record.sm;
    });
    records.push_back(record);
    nlohmann::json json = {{"format", kFormat}, {"tests", nlohmann::json::array()}};
    for (const EditTestRecord& r : records)
        json["tests"].push_back({{"device", r.device},
                                 {"driver", r.driver},
                                 {"sm", r.sm},
                                 {"passed", r.passed},
                                 {"sentence", r.sentence},
                                 {"when", r.when}});
    std::error_code ignored;
    std::filesystem::create_directories(file.parent_path(), ignored);
    return write_text(file, json.dump(2, ' ', true, nlohmann::json::error_handler_t::replace) + "\n");
}

void allow_untested_architecture() {
    g_untested_allowed = true;
}

Status edited_code_may_run(const Arch& arch, const std::string& device, const std::string& driver) {
    if (!arch.needs_edit_test() || g_untested_allowed) return {};
    for (const EditTestRecord& r : stored_edit_tests())
        if (r.passed && r.sm == arch.sm && r.device == device && r.driver == driver) return {};
    return fail(untested(arch, fmt::format(" on {} with driver {}", device, driver)));
}

Status edited_code_may_be_written(const Arch& arch) {
    if (!arch.needs_edit_test() || g_untested_allowed || passed_for(stored_edit_tests(), arch)) return {};
    return fail(untested(arch, " on any GPU"));
}

std::string edit_test_note(const Arch& arch) {
    if (!arch.needs_edit_test()) return {};
    const std::vector<EditTestRecord> records = stored_edit_tests();
    if (const EditTestRecord* r = passed_for(records, arch))
        return passed_words(arch) + fmt::format("{}, driver {}", r->device, r->driver);
    return nobody_passed(arch);
}

bool is_edit_test_note(const Arch& arch, std::string_view note) {
    return arch.needs_edit_test() && (note.starts_with(passed_words(arch)) || note == nobody_passed(arch));
}

}  // namespace cubinlab
