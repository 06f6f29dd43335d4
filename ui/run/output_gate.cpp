// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/output_gate.h"

#include "core/gpu/protocol/workload.h"
#include "core/sass/disassembler.h"
#include "ui/document/document.h"
#include "ui/run/run_controller.h"

namespace cubinlab::ui {
namespace {

void add_inputs(const Workload& workload, std::vector<std::filesystem::path>& files) {
    for (const Param& param : workload.params)
        if (const auto* buffer = std::get_if<BufferParam>(&param))
            if (const auto* init = std::get_if<InitFile>(&buffer->init)) files.push_back(init->path);
}

}  // namespace

OpenFiles& OpenFiles::instance() {
    static OpenFiles files;
    return files;
}

std::vector<std::filesystem::path> OpenFiles::all() const {
    std::vector<std::filesystem::path> all;
    for (const auto& [window, files] : windows_)
        for (std::filesystem::path& file : files())
            all.push_back(std::move(file));
    return all;
}

std::vector<std::filesystem::path> open_files(const Document& document, const RunController& controller) {
    std::vector<std::filesystem::path> files;
    if (const std::filesystem::path session = controller.session_path(); !session.empty())
        for (const char* suffix : {"", "-wal", "-shm"})
            files.push_back(session.string() + suffix);
    if (!document.is_open()) return files;
    const std::filesystem::path cubin = document.path();
    files.push_back(cubin);
    files.push_back(default_listing_path(cubin));
    files.push_back(default_workload_path(cubin));
    files.push_back(default_workload_path(cubin, document.kernel()->name()));
    if (!document.pair().other_path().empty()) files.push_back(document.pair().other_path());
    if (document.workload()) {
        add_inputs(*document.workload(), files);
        for (const Workload& shape : document.workload()->shapes)
            add_inputs(shape, files);
    }
    return files;
}

OutputFile output_file(const QString& path, Replace replace, std::uint64_t bytes) {
    return {path.toStdString(), OpenFiles::instance().all(), {}, replace == Replace::Confirmed, bytes};
}

Status make_way(const QString& path, Replace replace) {
    const OutputFile file = output_file(path, replace);
    TRY(check_output(file));
    std::error_code error;
    if (std::filesystem::is_symlink(file.path, error)) std::filesystem::remove(file.path, error);
    return {};
}

}  // namespace cubinlab::ui
