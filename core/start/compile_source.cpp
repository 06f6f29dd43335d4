// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/start/compile_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <regex>
#include <vector>

#include "core/base/file.h"
#include "core/base/find_program.h"
#include "core/base/process.h"
#include "core/base/scratch_folder.h"

namespace cubinlab {
namespace {

namespace fs = std::filesystem;
constexpr int kVersionTimeoutMs = 10000;
constexpr int kCompileTimeoutMs = 300000;
constexpr std::size_t kMostWords = 20000;  // of a compiler, characters

Result<fs::path> locate(const std::string& wanted) {
    return find_toolkit_program("nvcc", wanted, "CUBINLAB_NVCC", ToolkitOrder::Chosen);
}

// "... release 13.0, V13.0.88"
std::string version_in(const std::string& text) {
    const std::size_t at = text.find(", V");
    if (at == std::string::npos) return "unknown version";
    const std::size_t end = text.find_first_not_of("0123456789.", at + 3);
    return text.substr(at + 3, end == std::string::npos ? end : end - at - 3);
}

std::string last_lines(const std::string& text, std::size_t most) {
    std::string tail = text.size() > most ? "..." + text.substr(text.size() - most) : text;
    while (!tail.empty() && std::isspace(static_cast<unsigned char>(tail.back())) != 0)
        tail.pop_back();
    return tail;
}

bool is_arch(const std::string& arch) {
    if (!arch.starts_with("sm_") || arch.size() < 5 || arch.size() > 8) return false;
    return std::all_of(arch.begin() + 3, arch.end(),
                       [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; });
}

constexpr const char* kEdited = ".edited";

// The text beside the cubin, with the lines of its source: only a .cu can say so, a .ptx has lines of its own.
Result<fs::path> scratch_of(const CompileRequest& request) {
    const bool cuda = request.source.extension() == ".cu";
    const fs::path path =
        request.folder / (request.source.stem().string() + kEdited + request.source.extension().string());
    std::string text;
    if (cuda) {
        std::string name = fs::absolute(request.source).string();
        for (std::size_t at = 0; (at = name.find_first_of("\\\"", at)) != std::string::npos; at += 2)
            name.insert(at, 1, '\\');
        text = fmt::format("#line 1 \"{}\"\n", name);
    }
    text += *request.text;
    TRY(write_file(path, std::as_bytes(std::span(text))));
    return path;
}

// Next to the cubin, where find_ptx() searches: the PTX that nvcc made of `what`, or that it was given.
void keep_ptx(const fs::path& what, const fs::path& made_in, const fs::path& cubin) {
    const fs::path ptx = what.extension() == ".ptx" ? what : made_in / (what.stem().string() + ".ptx");
    const fs::path kept = fs::path(cubin).replace_extension(".ptx");
    const auto text = read_file(ptx);
    std::error_code ignored;
    // One of an earlier compilation does not belong to this cubin.
    if (!text || !write_file(kept, *text)) fs::remove(kept, ignored);
}

}  // namespace

Result<NvccInfo> find_nvcc(const std::string& wanted, std::stop_token stop) {
    auto path = TRY(locate(wanted));
    auto ran = TRY(run_child({path.string(), "--version"}, {.timeout_ms = kVersionTimeoutMs}, stop));
    if (ran.exit_status != 0)
        return fail(ErrorCode::NotFound, "does not run: " + last_lines(ran.err + ran.out, 400),
                    path.string());
    return NvccInfo{path, version_in(ran.out)};
}

bool is_source(const fs::path& path) {
    const std::string ending = path.extension().string();
    return ending == ".cu" || ending == ".ptx";
}

Result<fs::path> compile_source(const fs::path& source, const std::string& arch, const fs::path& folder,
                                const std::string& nvcc, std::stop_token stop) {
    return compile_source(CompileRequest{source, std::nullopt, arch, folder, nvcc, {}}, stop);
}

Result<fs::path> compile_source(const CompileRequest& request, std::stop_token stop) {
    if (!is_arch(request.arch))
        return fail(ErrorCode::BadUse,
                    fmt::format("'{}' is not an architecture; sm_90a is one", request.arch));
    for (const std::string& flag : request.flags)
        if (flag == "-o" || flag.starts_with("--output-file") || flag.starts_with("-o="))
            return fail(ErrorCode::BadUse, "names a place for the cubin, which has one: leave it out", flag);
    auto compiler = TRY(locate(request.nvcc));
    std::error_code error;
    fs::create_directories(request.folder, error);
    if (error)
        return fail(ErrorCode::Io, "cannot create the folder: " + error.message(), request.folder.string());
    const fs::path out =
        request.folder / fmt::format("{}.{}.cubin", request.source.stem().string(), request.arch);
    const fs::path part = fmt::format("{}.{}.part", out.string(), ::getpid());
    const ScratchFolder intermediate = TRY(ScratchFolder::make());
    std::vector<std::string> words = {compiler.string(),
                                      "-cubin",
                                      "-lineinfo",
                                      "-arch=" + request.arch,
                                      "--keep",
                                      "--keep-dir",
                                      intermediate.path().string(),
                                      "-o",
                                      part.string()};
    words.insert(words.end(), request.flags.begin(), request.flags.end());
    fs::path what = request.source;
    if (request.text) {
        what = TRY(scratch_of(request));
        words.push_back("-I" + request.source.parent_path().string());
    }
    words.push_back(what.string());
    auto ran = run_child(words, {.timeout_ms = kCompileTimeoutMs}, stop);
    if (!ran || ran->exit_status != 0) fs::remove(part, error);
    if (!ran) return fail(ran.error());
    if (ran->exit_status != 0)
        return fail(ErrorCode::BadInput, "does not compile: " + last_lines(ran->err + ran->out, kMostWords),
                    request.source.string());
    fs::rename(part, out, error);
    if (error) return fail(ErrorCode::Io, "cannot be written: " + error.message(), out.string());
    keep_ptx(what, intermediate.path(), out);
    return out;
}

std::vector<CompilerMessage> compiler_messages(std::string_view output, const fs::path& source) {
    static const std::regex kForms[] = {
        std::regex(R"(^(.+)\((\d+)\): (?:catastrophic )?(error|warning)[^:]*: (.*)$)"),
        std::regex(R"(^(.+?):(\d+)(?::\d+)?: (?:fatal )?(error|warning): (.*)$)"),
        std::regex(R"(^ptxas (.+), line (\d+); (error|fatal|warning) *: (.*)$)")};
    std::vector<CompilerMessage> out;
    for (std::size_t at = 0; at < output.size();) {
        const std::size_t end = std::min(output.find('\n', at), output.size());
        std::string line(output.substr(at, std::min<std::size_t>(end - at, 2000)));
        at = end + 1;
        if (constexpr std::string_view kOurs = "does not compile: "; line.starts_with(kOurs))
            line.erase(0, kOurs.size());
        std::smatch found;
        for (const std::regex& form : kForms) {
            if (!std::regex_match(line, found, form)) continue;
            const std::string stem = fs::path(found[1].str()).stem().string();
            if (stem == source.stem().string() || stem == source.stem().string() + kEdited)
                out.push_back({std::atoi(found[2].str().c_str()), found[3] != "warning", found[4].str()});
            break;
        }
    }
    return out;
}

}  // namespace cubinlab
