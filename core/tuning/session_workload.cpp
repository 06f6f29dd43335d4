// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/session_workload.h"

#include <fmt/format.h>

#include "core/gpu/protocol/captured_launch.h"

#include <system_error>

namespace cubinlab {
namespace {

namespace fs = std::filesystem;

// By real paths: a link beside the session leads elsewhere.
bool lies_beside(const fs::path& file, const fs::path& session) {
    std::error_code error, ignored;
    const fs::path real = fs::weakly_canonical(file, error);
    const fs::path home = fs::weakly_canonical(fs::absolute(session, ignored), ignored).parent_path();
    return !error && !ignored && real.parent_path() == home;
}

Status only_beside(const Workload& workload, const fs::path& session) {
    for (const auto& [number, file] : files_read_by(workload))
        if (!lies_beside(file, session))
            return fail(
                ErrorCode::Refused,
                fmt::format("the workload inside reads {}, which is not next to the session; give "
                            "--allow-files if that is meant",
                            file.string()),
                session.string());
    for (const Workload& shape : workload.shapes)
        TRY(only_beside(shape, session));
    return {};
}

}  // namespace

Result<std::optional<Workload>> workload_of_session(SessionReader& reader, const fs::path& session,
                                                    InputFiles allowed, RunId run) {
    auto json = TRY(reader.workload_json(run));
    if (json.empty()) json = TRY(reader.workload_json());
    if (json.empty()) return std::optional<Workload>{};
    auto workload = TRY(Workload::parse(json, session));
    if (allowed == InputFiles::Beside) TRY(only_beside(workload, session));
    return std::optional<Workload>{std::move(workload)};
}

}  // namespace cubinlab
