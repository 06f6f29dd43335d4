// SPDX-License-Identifier: GPL-3.0-or-later
// Writes fatbins, archives and host ELF files byte by byte from their description, for tests: an independent second
// writing down of the formats.
#pragma once
#include <lz4.h>
#include <zstd.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace cubinlab::test {

using Buffer = std::vector<std::byte>;

template <class T>
void put(Buffer& out, std::size_t at, T value) {
    if (out.size() < at + sizeof value) out.resize(at + sizeof value);
    std::memcpy(out.data() + at, &value, sizeof value);
}
inline void append(Buffer& out, const Buffer& more) {
    out.insert(out.end(), more.begin(), more.end());
}
inline void append(Buffer& out, std::string_view text) {
    const auto* first = reinterpret_cast<const std::byte*>(text.data());
    out.insert(out.end(), first, first + text.size());
}
inline void pad_to(Buffer& out, std::size_t step) {
    out.resize((out.size() + step - 1) / step * step);
}

struct FatEntry {
    std::uint16_t kind = 2;  // 1 PTX, 2 ELF, 8 LTO-IR
    std::uint32_t arch = 90;
    std::uint64_t flags = 0x11;  // 0x2000 LZ4, 0x8000 zstd, 0x100000 the a, 0x200000 the f
    Buffer image{};
    std::string name{}, options{};
};

inline Buffer packed(const Buffer& image, std::uint64_t flags) {
    Buffer out;
    if ((flags & 0x8000) != 0) {
        out.resize(ZSTD_compressBound(image.size()));
        out.resize(ZSTD_compress(out.data(), out.size(), image.data(), image.size(), 3));
    } else if ((flags & 0x2000) != 0) {
        out.resize(static_cast<std::size_t>(LZ4_compressBound(static_cast<int>(image.size()))));
        out.resize(static_cast<std::size_t>(LZ4_compress_default(
            reinterpret_cast<const char*>(image.data()), reinterpret_cast<char*>(out.data()),
            static_cast<int>(image.size()), static_cast<int>(out.size()))));
    } else {
        out = image;
    }
    return out;
}

inline Buffer fatbin(const std::vector<FatEntry>& entries) {
    Buffer body;
    for (const FatEntry& e : entries) {
        const bool compressed = (e.flags & 0xa000) != 0;
        Buffer stored = packed(e.image, e.flags);
        const std::size_t compressed_size = compressed ? stored.size() : 0;
        pad_to(stored, 8);
        Buffer header(64);
        if (!e.name.empty()) {
            put<std::uint32_t>(header, 32, 64);
            put<std::uint32_t>(header, 36, static_cast<std::uint32_t>(e.name.size()));
            append(header, e.name);
            pad_to(header, 8);
        }
        if (!e.options.empty()) {
            const auto at = static_cast<std::uint32_t>(header.size());
            put<std::uint32_t>(header, 20, at);
            put<std::uint32_t>(header, at, at + 8);
            put<std::uint32_t>(header, at + 4, static_cast<std::uint32_t>(e.options.size()));
            append(header, e.options);
            pad_to(header, 8);
        }
        put<std::uint16_t>(header, 0, e.kind);
        put<std::uint16_t>(header, 2, 0x0101);
        put<std::uint32_t>(header, 4, static_cast<std::uint32_t>(header.size()));
        put<std::uint64_t>(header, 8, stored.size());
        put<std::uint32_t>(header, 16, static_cast<std::uint32_t>(compressed_size));
        put<std::uint32_t>(header, 28, e.arch);
        put<std::uint64_t>(header, 40, e.flags);
        put<std::uint64_t>(header, 56, compressed ? e.image.size() : 0);
        append(body, header);
        append(body, stored);
    }
    Buffer out;
    put<std::uint32_t>(out, 0, 0xBA55ED50);
    put<std::uint16_t>(out, 4, 1);
    put<std::uint16_t>(out, 6, 16);
    put<std::uint64_t>(out, 8, body.size());
    append(out, body);
    return out;
}

struct Member {
    std::string name;
    Buffer bytes;
};

// GNU form: "/" symbol table, "//" long names.
inline Buffer archive(const std::vector<Member>& members) {
    Buffer out;
    append(out, "!<arch>\n");
    const auto add = [&](std::string name, const Buffer& bytes) {
        std::string header = name + std::string(16 - name.size(), ' ') + "0           0     0     644     ";
        const std::string size = std::to_string(bytes.size());
        header += size + std::string(10 - size.size(), ' ') + "`\n";
        append(out, header);
        append(out, bytes);
        if (out.size() % 2 != 0) append(out, "\n");
    };
    add("/", Buffer(4));
    Buffer names;
    std::vector<std::string> short_names;
    for (const Member& m : members) {
        if (m.name.size() <= 15) {
            short_names.push_back(m.name + "/");
            continue;
        }
        short_names.push_back("/" + std::to_string(names.size()));
        append(names, m.name + "/\n");
    }
    if (!names.empty()) add("//", names);
    for (std::size_t i = 0; i < members.size(); ++i)
        add(short_names[i], members[i].bytes);
    return out;
}

struct HostSection {
    std::string name;
    Buffer bytes;
    std::uint64_t flags = 2;  // allocated
};

// A host ELF file; without `table` it has one loaded segment and no section table.
inline Buffer host_elf(const std::vector<HostSection>& sections, bool table = true, std::uint16_t type = 3,
                       std::uint16_t machine = 62) {
    Buffer out(64);
    std::string names(1, '\0');
    struct Row {
        std::size_t name, offset, size;
        std::uint64_t flags;
        std::uint32_t type;
    };
    std::vector<Row> rows{{0, 0, 0, 0, 0}};
    const std::size_t segment_at = out.size();
    if (!table) out.resize(out.size() + 56);
    for (const HostSection& s : sections) {
        pad_to(out, 16);
        rows.push_back({names.size(), out.size(), s.bytes.size(), s.flags, 1});
        names += s.name + '\0';
        append(out, s.bytes);
    }
    const std::size_t end = out.size();
    put<std::uint32_t>(out, 0, 0x464c457f);
    put<std::uint32_t>(out, 4, 0x00010102);
    put<std::uint16_t>(out, 16, type);
    put<std::uint16_t>(out, 18, machine);
    put<std::uint16_t>(out, 52, 64);
    if (!table) {
        put<std::uint64_t>(out, 32, segment_at);
        put<std::uint16_t>(out, 54, 56);
        put<std::uint16_t>(out, 56, 1);
        put<std::uint32_t>(out, segment_at, 1);
        put<std::uint64_t>(out, segment_at + 8, 0);
        put<std::uint64_t>(out, segment_at + 32, end);
        return out;
    }
    rows.push_back({names.size(), end, names.size() + 10, 0, 3});
    names += std::string(".shstrtab") + '\0';
    append(out, names);
    pad_to(out, 8);
    put<std::uint64_t>(out, 40, out.size());
    put<std::uint16_t>(out, 58, 64);
    put<std::uint16_t>(out, 60, static_cast<std::uint16_t>(rows.size()));
    put<std::uint16_t>(out, 62, static_cast<std::uint16_t>(rows.size() - 1));
    for (const Row& r : rows) {
        const std::size_t at = out.size();
        out.resize(at + 64);
        put<std::uint32_t>(out, at, static_cast<std::uint32_t>(r.name));
        put<std::uint32_t>(out, at + 4, r.type);
        put<std::uint64_t>(out, at + 8, r.flags);
        put<std::uint64_t>(out, at + 24, r.offset);
        put<std::uint64_t>(out, at + 32, r.size);
    }
    return out;
}

}  // namespace cubinlab::test
