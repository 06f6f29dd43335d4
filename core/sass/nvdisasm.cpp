// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sass/nvdisasm.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdlib>
#include <cstring>

#include "core/base/file.h"
#include "core/base/process.h"
#include "core/base/scratch_folder.h"
#include "core/sass/nvdisasm_text.h"

namespace cubinlab {
namespace {

namespace fs = std::filesystem;
constexpr std::string_view kCacheMagic = "cubinlab-listing-cache 1 ";

fs::path cache_folder(const DisassemblerSettings& settings) {
    if (!settings.cache.empty()) return settings.cache;
    if (const char* xdg = std::getenv("XDG_CACHE_HOME"); xdg && *xdg)
        return fs::path(xdg) / "cubinlab" / "listings";
    if (const char* home = std::getenv("HOME"); home && *home)
        return fs::path(home) / ".cache" / "cubinlab" / "listings";
    return {};
}

Hash128 code_hash(const Cubin& cubin, const KernelInfo& kernel) {
    return hash_bytes(cubin.bytes().subspan(kernel.code_offset, kernel.code_size));
}

// Reads a cache entry: a line with the hash of the rest, then stored listings. Invalid entries are ignored.
CubinListings read_cache(const fs::path& file, const Cubin& cubin) {
    CubinListings out;
    const auto text = read_text(file);
    if (!text || !text->starts_with(kCacheMagic)) return out;
    const std::size_t end = text->find('\n');
    if (end == std::string::npos) return out;
    const std::string_view body = std::string_view(*text).substr(end + 1);
    if (text->substr(kCacheMagic.size(), end - kCacheMagic.size()) !=
        hash_bytes(body.data(), body.size()).hex())
        return out;
    for (const KernelInfo& kernel : cubin.kernels()) {
        auto lines = read_stored_listing(body, kernel.name, code_hash(cubin, kernel));
        if (lines && lines->size() == kernel.code_size / kWordBytes) out[kernel.name] = std::move(*lines);
    }
    return out;
}

// A failed write is not reported: it only costs another run of nvdisasm.
void write_cache(const fs::path& file, const Cubin& cubin, const CubinListings& listings) {
    std::error_code error;
    fs::create_directories(file.parent_path(), error);
    std::string body;
    for (const KernelInfo& kernel : cubin.kernels())
        if (const auto it = listings.find(kernel.name); it != listings.end())
            body += write_stored_listing(kernel, code_hash(cubin, kernel), it->second);
    const std::string head = fmt::format("{}{}\n", kCacheMagic, hash_bytes(body.data(), body.size()).hex());
    [[maybe_unused]] const auto written = write_text(file, head + body);
}

// nvdisasm before 13 may reject the ELF header of CUDA 13; it accepts a copy with the four header fields of
// CUDA 12.
std::vector<std::byte> with_old_header(const Cubin& cubin, const std::string& version) {
    std::vector<std::byte> bytes(cubin.bytes().begin(), cubin.bytes().end());
    unsigned major = 0, minor = 0;
    const char* end = version.data() + version.size();
    const auto dot = std::from_chars(version.data(), end, major).ptr;
    if (dot != end) std::from_chars(dot + 1, end, minor);
    const std::uint32_t toolkit = major * 10 + minor;
    const auto sm = static_cast<std::uint32_t>(cubin.arch().sm);
    const std::uint32_t flags = sm << 16 | 0x500u | (cubin.arch().accelerated ? 0x800u : 0u) | sm;
    bytes[7] = std::byte{0x33};
    bytes[8] = std::byte{7};
    std::memcpy(bytes.data() + 20, &toolkit, sizeof toolkit);
    std::memcpy(bytes.data() + 48, &flags, sizeof flags);
    return bytes;
}

Result<std::string> run_nvdisasm(std::span<const std::byte> bytes, const NvdisasmInfo& tool,
                                 const DisassemblerSettings& settings, std::stop_token stop) {
    auto folder = TRY(ScratchFolder::make());
    const fs::path file = folder.path() / "kernel.cubin";
    TRY(write_file(file, bytes));
    auto run = TRY(run_child({tool.path.string(), "-c", "-hex", file.string()},
                             {.timeout_ms = settings.timeout_ms}, stop));
    if (run.exit_status == 0) return std::move(run.out);
    const std::string first_line = run.err.substr(0, run.err.find('\n'));
    return fail(ErrorCode::Missing, fmt::format("failed with status {}: {}", run.exit_status, first_line),
                tool.path.string());
}

// The kernels with a complete text that matches these words.
CubinListings accept(const Cubin& cubin, const std::string& output) {
    CubinListings out;
    auto parsed = parse_nvdisasm(output);
    for (const KernelInfo& kernel : cubin.kernels()) {
        const auto found = parsed.find(kernel.name);
        if (found == parsed.end()) continue;
        const std::vector<Word> code = cubin.code(kernel);
        std::vector<std::string> lines;
        for (DisassembledLine& line : found->second) {
            if (line.offset != lines.size() * kWordBytes || lines.size() >= code.size() ||
                line.word != code[lines.size()])
                break;
            lines.push_back(std::move(line.text));
        }
        if (lines.size() == code.size()) out[kernel.name] = std::move(lines);
    }
    return out;
}

}  // namespace

Result<NvdisasmResult> disassemble_cubin(const Cubin& cubin, const DisassemblerSettings& settings,
                                         std::stop_token stop) {
    auto tool = TRY(find_nvdisasm(settings));
    const fs::path cache = cache_folder(settings);
    const fs::path entry = cache / fmt::format("{}-{}.txt", cubin.file_hash().hex(), tool.version);
    if (!cache.empty())
        if (CubinListings kept = read_cache(entry, cubin); !kept.empty())
            return NvdisasmResult{tool, std::move(kept)};
    auto output = run_nvdisasm(cubin.bytes(), tool, settings, stop);
    CubinListings listings;
    if (output) listings = accept(cubin, *output);
    const bool refused = output || output.error().code == ErrorCode::Missing;  // neither stopped nor hung
    if (listings.empty() && refused && cubin.abi_version() >= 8 && cubin.arch().sm <= 90) {
        auto second = run_nvdisasm(with_old_header(cubin, tool.version), tool, settings, stop);
        if (second) listings = accept(cubin, *second);
    }
    if (listings.empty()) {
        if (!output) return fail(output.error());
        return fail(ErrorCode::Missing, "printed no listing that matches the code", tool.path.string());
    }
    if (!cache.empty()) write_cache(entry, cubin, listings);
    return NvdisasmResult{tool, std::move(listings)};
}

}  // namespace cubinlab
