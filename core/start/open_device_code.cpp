// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/start/open_device_code.h"

#include "core/base/file.h"
#include "core/base/hash.h"
#include "core/binary/ptx_choice.h"
#include "core/start/compile_source.h"
#include "core/start/compiler.h"

namespace cubinlab {
namespace {

constexpr const char* kUsualArch = "sm_90a";
constexpr std::size_t kFolderDigits = 16;

// The newest ptxas may no longer know an old architecture, and an old one not a new version of PTX: each is tried.
Result<std::shared_ptr<const Container>> compiled_ptx(const std::filesystem::path& path,
                                                      const std::string& arch, std::stop_token stop) {
    auto text = TRY(read_text(path));
    const std::string wanted = arch.empty() ? ptx_target(text) : arch;
    if (wanted.empty())
        return fail(ErrorCode::BadInput, "has no .target with an architecture", path.string());
    if (installed_ptxas().empty())
        return fail(ErrorCode::Missing,
                    "is PTX, and no ptxas is installed; it comes with the CUDA toolkit, and CUBINLAB_PTXAS "
                    "can name it",
                    path.string());
    Compiler compiler;
    Error first;
    for (const Ptxas& ptxas : installed_ptxas()) {
        auto made = compiler.compile(Compilation{text, ptxas, wanted, {"-lineinfo"}}, stop);
        if (made) return Container::read(std::move(made->cubin), path.string());
        if (first.what.empty()) first = made.error();
        if (stop.stop_requested()) break;
    }
    first.where = path.string() + ": " + first.where;
    return fail(std::move(first));
}

}  // namespace

std::filesystem::path folder_of_compiled(const std::filesystem::path& source) {
    std::error_code error;
    const std::string name = std::filesystem::weakly_canonical(source, error).string();
    return user_cache_folder() / "compiled" /
           hash_bytes(name.data(), name.size()).hex().substr(0, kFolderDigits);
}

Result<std::shared_ptr<const Container>> open_device_code(const std::filesystem::path& path,
                                                          const std::string& arch, std::stop_token stop) {
    if (path.extension() == ".ptx") return compiled_ptx(path, arch, stop);
    if (path.extension() != ".cu") return Container::open(path);
    if (user_cache_folder().empty())
        return fail(ErrorCode::Io,
                    "is a CUDA source, and there is no cache folder to compile it in (HOME is not set)",
                    path.string());
    auto cubin =
        TRY(compile_source(path, arch.empty() ? kUsualArch : arch, folder_of_compiled(path), {}, stop));
    return Container::open(cubin);
}

}  // namespace cubinlab
