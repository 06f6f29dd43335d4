// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/evidence/output_provenance.h"

#include <fmt/format.h>

#include "core/base/bounded_json.h"
#include "core/base/file.h"
#include "core/gpu/client/shape_figures.h"

namespace cubinlab {

std::filesystem::path stamp_file(const std::filesystem::path& cubin) {
    return cubin.string() + ".provenance.json";
}

nlohmann::json read_stamp(const std::filesystem::path& cubin) {
    auto text = read_text(stamp_file(cubin), 1 << 20);
    nlohmann::json stamp = text ? parse_json_or_discard(*text) : nlohmann::json();
    return json_or(stamp, "format", "") == kProvenanceFormat ? stamp : nlohmann::json();
}

Status check_code_kind(const nlohmann::json& stamp, CodeKind most, const std::filesystem::path& cubin) {
    const std::string word = json_or(stamp, "code", to_string(CodeKind::Reschedule));
    const auto kind = parse_code_kind(word);
    if (kind && *kind <= most) return {};
    return fail(
        ErrorCode::Refused,
        kind == CodeKind::Recompiled
            ? "is recompiled code by the stamp stored next to it, and --only-reschedules takes the compiled "
              "code's own "
              "schedules alone"
            : fmt::format("is '{}' code by the stamp stored next to it, which this program cannot prove",
                          word),
        cubin.string());
}

// Stamps of before shapes had any say it of the whole alone.
std::string slower_by(const nlohmann::json& stamp) {
    if (json_or(stamp, "verdict", "") == to_string(Verdict::Slower)) return to_string(Verdict::Slower);
    ShapeFigures shapes;
    if (stamp.is_object() && stamp.contains("shapes") && stamp["shapes"].is_array())
        for (const nlohmann::json& shape : stamp["shapes"]) {
            ShapeFigure figure;
            figure.name = json_or(shape, "name", "");
            figure.verdict = parse_verdict(json_or(shape, "verdict", "")).value_or(Verdict::Unclear);
            shapes.push_back(std::move(figure));
        }
    return slower_words(shapes);
}

std::string report_mark(Hash128 kernel) {
    return fmt::format("<meta name=\"generator\" content=\"CubinLab report 1, kernel {}\">", kernel.hex());
}

std::string own_cubin(const std::filesystem::path& path, Hash128 kernel) {
    const nlohmann::json stamp = read_stamp(path);
    if (json_or(stamp, "original_code_hash", "") != kernel.hex()) return {};
    auto bytes = read_file(path);
    if (!bytes || json_or(stamp, "file_hash", "") != hash_bytes(*bytes).hex()) return {};
    return "an earlier export of this kernel";
}

std::string own_report(const std::filesystem::path& path, Hash128 kernel) {
    auto text = read_text(path, 256u << 20);
    if (!text) return {};
    const std::size_t mark = text->find(report_mark(kernel));
    return mark < 1024 ? "an earlier report of this kernel" : "";
}

Result<std::string> check_cubin_output(OutputFile file, Hash128 kernel) {
    file.own = [kernel](const std::filesystem::path& path) { return own_cubin(path, kernel); };
    auto replaced = check_output(file);
    if (!replaced) return replaced;
    OutputFile stamp = file;
    stamp.path = stamp_file(file.path);
    stamp.own = [&](const std::filesystem::path&) {
        return read_stamp(file.path).is_object() ? std::string("its stamp") : std::string();
    };
    TRY(check_output(stamp));
    return replaced;
}

Result<std::string> check_report_output(OutputFile file, Hash128 kernel) {
    file.own = [kernel](const std::filesystem::path& path) { return own_report(path, kernel); };
    return check_output(file);
}

}  // namespace cubinlab
