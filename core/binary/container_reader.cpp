// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/binary/container_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string_view>

#include "core/base/file.h"
#include "core/binary/archive.h"
#include "core/binary/byte_search.h"
#include "core/binary/container_budget.h"
#include "core/binary/host_elf.h"

namespace cubinlab {
namespace {

namespace fs = std::filesystem;

constexpr int kMostDepth = 2;  // nested archives
constexpr std::size_t kMostNotes = 64;
constexpr std::size_t kElfHeader = 64;

// PTX begins with a comment or with its version; a long comment may precede the version.
bool looks_like_ptx(Bytes bytes) {
    std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    text = text.substr(0, 1 << 16);
    if (text.find('\0') != std::string_view::npos && text.find('\0') < 16) return false;
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos) return false;
    text.remove_prefix(first);
    if (text.starts_with(".version")) return true;
    return (text.starts_with("//") || text.starts_with("/*")) &&
           text.find("\n.version") != std::string_view::npos;
}

// The end of an ELF file according to its headers; at most `room`.
std::size_t elf_size(Bytes bytes) {
    const auto clamp = [&](std::uint64_t offset, std::uint64_t size) {
        return offset > bytes.size() || size > bytes.size() - offset
                   ? bytes.size()
                   : static_cast<std::size_t>(offset + size);
    };
    const std::size_t segments = load<std::uint16_t>(bytes, 56), sections = load<std::uint16_t>(bytes, 60);
    std::size_t end = kElfHeader;
    const auto segment_table = load<std::uint64_t>(bytes, 32), table = load<std::uint64_t>(bytes, 40);
    if (segments != 0) end = std::max(end, clamp(segment_table, segments * 56));
    if (sections != 0) end = std::max(end, clamp(table, sections * 64));
    for (std::size_t i = 0; i < sections && end < bytes.size(); ++i) {
        const std::size_t at = table + i * 64;
        const auto type = load<std::uint32_t>(bytes, at + 4);
        constexpr std::uint32_t kNoBits = 8, kCudaFirst = 0x70000000;
        if (type == kNoBits || type >= kCudaFirst) continue;
        end = std::max(end, clamp(load<std::uint64_t>(bytes, at + 24), load<std::uint64_t>(bytes, at + 32)));
    }
    return end;
}

constexpr std::uint32_t kElfMagicNumber = 0x464c457f;

// The compression format that `bytes` begin with; null if they are not compressed.
const char* packed_kind(Bytes bytes) {
    struct Kind {
        std::string_view magic;
        const char* name;
        std::size_t at = 0;
    };
    using namespace std::string_view_literals;
    static constexpr Kind kKinds[] = {{"\x1f\x8b"sv, "a gzip file (.gz)"},
                                      {"\x28\xb5\x2f\xfd"sv, "a zstd file (.zst)"},
                                      {"\xfd"
                                       "7zXZ\0"sv,
                                       "an xz file (.xz)"},
                                      {"PK\x03\x04"sv, "a zip file (.zip, .whl, .pt)"},
                                      {"BZh"sv, "a bzip2 file (.bz2)"},
                                      {"\x04\x22\x4d\x18"sv, "an LZ4 file (.lz4)"},
                                      {"7z\xbc\xaf\x27\x1c"sv, "a 7-Zip file (.7z)"},
                                      {"ustar"sv, "a tar archive (.tar)", 257}};
    for (const Kind& kind : kKinds) {
        const Bytes there = part_of(bytes, kind.at, kind.magic.size());
        if (!there.empty() && std::memcmp(there.data(), kind.magic.data(), there.size()) == 0)
            return kind.name;
    }
    return nullptr;
}

// Keeps the first `most` bytes of the extents; returns false if that is not all.
bool cut_to(std::vector<Extent>& parts, std::size_t most) {
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (parts[i].size <= most) {
            most -= parts[i].size;
            continue;
        }
        parts[i].size = most;
        parts.resize(most == 0 ? i : i + 1);
        return false;
    }
    return true;
}

// Offset of a cubin or fatbin that is not at the start of a file; the size of the bytes if there is none.
std::size_t code_at_odd_place(Bytes bytes, std::span<const Extent> within) {
    std::size_t first = bytes.size();
    for (const std::string_view magic : {kElfMagic, kFatbinMagicBytes})
        for (const Extent& part : within) {
            const std::size_t end = std::min(part.offset + part.size, first);
            for (std::size_t at = part.offset; (at = find_bytes(bytes, magic, at, end)) < end; ++at) {
                const Bytes rest = bytes.subspan(at);
                if (!is_fatbin(rest) && (!is_elf(rest) || elf_machine(rest) != kMachineCudaElf)) continue;
                first = at;
                break;
            }
        }
    return first;
}

const char* host_kind(const HostElf& elf) {
    constexpr std::uint16_t kObject = 1, kExecutable = 2;
    if (elf.type == kObject) return "object file";
    return elf.type == kExecutable || elf.interpreted ? "program" : "shared library";
}

}  // namespace

ContainerReader::ContainerReader(fs::path where, const ContainerLimits& limits) : out_(new Container) {
    out_->where_ = std::move(where);
    out_->limits_ = limits;
    out_->budget_ = std::make_shared<Container::Budget>(limits.unpacked_bytes);
}

std::string ContainerReader::about(const Place& place) const {
    const std::string file = out_->files_[place.file].first.string();
    return place.member.empty() ? file : file + ": " + place.member;
}

Result<std::shared_ptr<const Container>> ContainerReader::read_path() {
    std::error_code error;
    if (fs::is_directory(out_->where_, error)) {
        TRY(add_folder());
        return finish();
    }
    // The metadata of a Triton entry represents its cubin.
    fs::path path = out_->where_;
    if (path.extension() == ".json") {
        std::string name = path.filename().string();
        constexpr std::string_view kGroup = "__grp__";
        if (name.starts_with(kGroup)) name.erase(0, kGroup.size());
        const fs::path cubin = path.parent_path() / fs::path(name).replace_extension(".cubin");
        if (!fs::exists(cubin, error))
            return fail(ErrorCode::BadInput,
                        "is JSON, but not of a Triton cache entry: there is no " + cubin.filename().string() +
                            " next to it",
                        path.string());
        path = cubin;
    }
    TRY(add_file(path, {}, true));
    return finish();
}

Result<std::shared_ptr<const Container>> ContainerReader::read_bytes(std::vector<std::byte> bytes) {
    out_->files_.emplace_back(out_->where_, FileBytes::of(std::move(bytes)));
    TRY(add({0, out_->files_.back().second->bytes(), 0, {}, 0}, true));
    return finish();
}

Result<std::shared_ptr<const Container>> ContainerReader::finish() {
    if (out_->images_.empty() && out_->where_.extension() == ".cu")
        nothing_ = "is a source, which nvcc compiles";
    if (out_->images_.empty())
        return fail(ErrorCode::BadInput, nothing_.empty() ? "contains no device code" : nothing_,
                    out_->where_.string());
    return std::shared_ptr<const Container>(std::move(out_));
}

// In a folder, a complete cubin is read on request only.
bool ContainerReader::add_unread_cubin(const fs::path& path, const std::string& member) {
    std::error_code error;
    const auto size = fs::file_size(path, error);
    const auto start = read_start(path, kElfHeader);
    if (error || !start) return false;
    const Bytes header = std::as_bytes(std::span(*start));
    if (!is_elf(header) || elf_machine(header) != kMachineCudaElf) return false;
    out_->files_.emplace_back(path, nullptr);
    Image image;
    image.stored = image.unpacked = size;
    image.triton = read_triton_entry(path);
    return add_image(std::move(image), {out_->files_.size() - 1, {}, 0, member, 0}).has_value();
}

Status ContainerReader::add_file(const fs::path& path, const std::string& member, bool only) {
    auto file = TRY(FileBytes::open(path));
    out_->files_.emplace_back(path, file);
    return add({out_->files_.size() - 1, file->bytes(), 0, member, 0}, only);
}

// `only`: the file is all that was requested, not one of several.
Status ContainerReader::add(const Place& place, bool only) {
    const Bytes bytes = place.bytes;
    const auto name = [&](const char* kind) {
        if (only) out_->what_ = kind;
    };
    if (is_elf(bytes) && elf_machine(bytes) == kMachineCudaElf) {
        name("cubin");
        Image image;
        image.stored = image.unpacked = bytes.size();
        if (place.depth == 0) image.triton = read_triton_entry(out_->files_[place.file].first);
        return add_image(std::move(image), place);
    }
    if (is_elf(bytes)) {
        if (only) out_->what_ = host_kind(read_host_elf(bytes));
        return add_host(place);
    }
    if (is_archive(bytes)) {
        name("static library");
        return add_archive(place);
    }
    if (is_thin_archive(bytes)) {
        nothing_ = "is a thin archive, which only names object files: open those, or recreate it without T";
        return {};
    }
    if (is_fatbin(bytes)) {
        name("fatbin");
        return add_fatbins(place, bytes, written_in(place, bytes.size()), {}, false);
    }
    if (looks_like_ptx(bytes)) {
        name("PTX");
        Image image;
        image.kind = ImageKind::Ptx;
        image.stored = image.unpacked = bytes.size();
        return add_image(std::move(image), place);
    }
    if (bytes.empty()) {
        nothing_ = "is empty";
        return {};
    }
    name("file with device code inside");
    return add_unknown(place);
}

// The extents of the first `size` bytes of the place that are not holes of the file.
std::vector<Extent> ContainerReader::written_in(const Place& place, std::size_t size) const {
    std::vector<Extent> out;
    const auto& file = out_->files_[place.file].second;
    for (const Extent& part : file->data_extents()) {
        const std::size_t from = std::max(part.offset, place.offset),
                          to = std::min(part.offset + part.size, place.offset + size);
        if (from < to) out.push_back({from - place.offset, to - from});
    }
    return out;
}

// Other files may also contain fatbins: a memory dump, a file of another system.
Status ContainerReader::add_unknown(const Place& place) {
    const std::size_t most = out_->limits_.searched_bytes;
    std::vector<Extent> within = written_in(place, place.bytes.size());
    const bool whole = cut_to(within, most);
    const std::size_t before = out_->images_.size();
    TRY(add_fatbins(place, place.bytes, within, {}, false));
    if (!whole && out_->notes_.size() < kMostNotes)
        out_->notes_.push_back(fmt::format("{}: has an unknown format; its first {} MiB were searched",
                                           about(place), most >> 20));
    if (out_->images_.size() != before) return {};
    const char* packed = packed_kind(place.bytes);
    const std::size_t inside = packed ? place.bytes.size() : code_at_odd_place(place.bytes, within);
    if (inside != place.bytes.size())
        nothing_ = fmt::format(
            "has an unknown format, but device code seems to begin at byte {}: remove the bytes before it "
            "(`tail -c +{} FILE > NEW`)",
            inside, inside + 1);
    else if (load<std::uint32_t>(place.bytes, 0) == kElfMagicNumber)
        nothing_ = "is an ELF file that is not whole, not 64-bit or not little-endian";
    else if (packed)
        nothing_ = fmt::format("is {}: unpack it first, and open what is in it", packed);
    else
        nothing_ = fmt::format(
            "contains no device code{}: it is not an ELF file (cubin, program, library, object file), "
            "fatbin, static library or PTX",
            whole ? "" : fmt::format(" in its first {} MiB, which are searched", most >> 20));
    return {};
}

Status ContainerReader::add_archive(const Place& place) {
    auto members = read_archive(place.bytes, out_->limits_.members);
    if (!members) return fail(members.error().code, members.error().what, about(place));
    nothing_ =
        fmt::format("is a static library of {} members, none of which holds device code", members->size());
    for (const ArchiveMember& m : *members) {
        const Bytes bytes = part_of(place.bytes, m.offset, m.size);
        Place inner{place.file, bytes, place.offset + m.offset,
                    place.member.empty() ? m.name : place.member + "(" + m.name + ")", place.depth + 1};
        if (is_archive(bytes) && inner.depth >= kMostDepth) continue;
        const std::string before = nothing_;
        if (auto added = add(inner, false); !added) {
            if (out_->images_.size() >= out_->limits_.images) return added;
            if (out_->notes_.size() < kMostNotes) out_->notes_.push_back(added.error().message());
        }
        nothing_ = before;
    }
    return {};
}

Status ContainerReader::add_host(const Place& place) {
    const HostElf elf = read_host_elf(place.bytes);
    nothing_ = fmt::format("is a {} without device code", host_kind(elf));
    for (const HostRange& range : elf.ranges) {
        const Bytes bytes = part_of(place.bytes, range.offset, range.size);
        Place inner = place;
        inner.offset += range.offset;
        const std::vector<Extent> within = written_in(inner, bytes.size());
        TRY(add_fatbins(inner, bytes, within, range.name, range.relocatable));
        // Cubins that a program embeds as data.
        if (!range.device_code) TRY(add_raw_elf(inner, bytes, within, range.name));
    }
    return {};
}

// `place.offset` is the offset of `range`.
Status ContainerReader::add_fatbins(const Place& place, Bytes range, std::span<const Extent> within,
                                    const std::string& section, bool relocatable) {
    for (const Fatbin& fatbin : find_fatbins(range, within)) {
        if (fatbin.damage && out_->notes_.size() < kMostNotes)
            out_->notes_.push_back(fmt::format("{}: the fatbin at byte {} {}", about(place),
                                               place.offset + fatbin.offset, fatbin.damage));
        for (const FatbinEntry& entry : fatbin.entries) {
            Image image;
            image.kind = entry.kind;
            image.packing = entry.packing;
            image.arch = entry.arch;
            image.section = section;
            image.source = entry.name;
            image.options = entry.options;
            image.in_fatbin = true;
            image.device_linked_from = relocatable;
            image.offset = entry.payload;
            image.stored = entry.stored;
            image.unpacked = entry.unpacked;
            TRY(add_image(std::move(image), place));
        }
    }
    return {};
}

Status ContainerReader::add_raw_elf(const Place& place, Bytes range, std::span<const Extent> within,
                                    const std::string& section) {
    std::size_t at = 0;
    for (const Extent& part : within) {
        const std::size_t end = part.offset + part.size;
        at = std::max(at, part.offset);
        std::size_t fatbin = at, elf = at;
        while (true) {
            if (fatbin <= at) fatbin = find_aligned(range, kFatbinMagicBytes, at, end);
            if (elf <= at) elf = find_aligned(range, kElfMagic, at, end);
            at = std::min(fatbin, elf);
            if (at >= end) break;
            const Bytes rest = range.subspan(at);
            // A cubin inside a fatbin is already listed as an entry.
            if (is_fatbin(rest)) {
                at += (read_fatbin(rest).size + 7) / 8 * 8;
                continue;
            }
            if (!is_elf(rest) || elf_machine(rest) != kMachineCudaElf) {
                at += 8;
                continue;
            }
            Image image;
            image.section = section;
            image.offset = at;
            image.stored = image.unpacked = elf_size(rest);
            at += (image.stored + 7) / 8 * 8;
            TRY(add_image(std::move(image), place));
        }
    }
    return {};
}

Status ContainerReader::add_image(Image image, const Place& place) {
    if (out_->images_.size() >= out_->limits_.images)
        return fail(ErrorCode::BadInput,
                    fmt::format("contains more images than the limit of {}", out_->limits_.images),
                    about(place));
    image.index = out_->images_.size();
    image.file = out_->files_[place.file].first;
    image.member = place.member;
    image.offset += place.offset;
    out_->file_of_.push_back(place.file);
    out_->images_.push_back(std::move(image));
    return {};
}

// All cubins of a folder and its subfolders: a Triton cache, one entry of it, or any folder of cubins.
Status ContainerReader::add_folder() {
    const fs::path root = out_->where_;
    std::vector<fs::path> files;
    std::error_code error;
    fs::recursive_directory_iterator it(root, fs::directory_options::skip_permission_denied, error), end;
    if (error) return fail(ErrorCode::Io, "cannot be read: " + error.message(), root.string());
    std::size_t seen = 0;
    for (; it != end && !error; it.increment(error)) {
        if (++seen > 16 * out_->limits_.members || files.size() >= out_->limits_.members) {
            out_->notes_.push_back(root.string() + ": has more files than are looked at");
            break;
        }
        constexpr int kMostFolderDepth = 3;
        if (it.depth() >= kMostFolderDepth) it.disable_recursion_pending();
        std::error_code ignored;
        const fs::path& path = it->path();
        if ((path.extension() == ".cubin" || path.extension() == ".fatbin") && it->is_regular_file(ignored))
            files.push_back(path);
    }
    std::sort(files.begin(), files.end());
    out_->what_ = "folder of cubins";
    for (const fs::path& path : files) {
        const std::string member = path.lexically_relative(root).string();
        if (add_unread_cubin(path, member)) continue;
        if (auto added = add_file(path, member, false); !added && out_->notes_.size() < kMostNotes)
            out_->notes_.push_back(added.error().message());
    }
    nothing_ =
        "is a folder without cubins (a Triton cache, or one entry of it, has NAME.cubin and NAME.json)";
    const bool triton = std::any_of(out_->images_.begin(), out_->images_.end(),
                                    [](const Image& image) { return image.triton != nullptr; });
    if (triton) out_->what_ = "Triton cache";
    return {};
}

}  // namespace cubinlab
