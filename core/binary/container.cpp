// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/binary/container.h"

#include <fmt/format.h>

#include "core/binary/container_budget.h"
#include "core/binary/container_reader.h"
#include "core/binary/unpack.h"

namespace cubinlab {

std::string Image::text() const {
    std::string out =
        fmt::format("image {}: {}{}{}", index + 1, arch ? arch->name() + " " : "", to_string(kind),
                    packing == Packing::Raw ? "" : fmt::format(", {}", to_string(packing)));
    if (!member.empty()) out += ", " + member;
    if (!source.empty()) out += ", " + source;
    if (device_linked_from) out += ", input of the device linker";
    return out;
}

Container::Container() = default;

Result<std::shared_ptr<const Container>> Container::open(const std::filesystem::path& path,
                                                         const ContainerLimits& limits) {
    return ContainerReader(path, limits).read_path();
}

Result<std::shared_ptr<const Container>> Container::read(std::vector<std::byte> bytes,
                                                         const std::string& where,
                                                         const ContainerLimits& limits) {
    return ContainerReader(where, limits).read_bytes(std::move(bytes));
}

Result<std::vector<std::byte>> Container::bytes(const Image& image) const {
    const std::string where = image.file.string() + ": " + image.text();
    const std::size_t wanted = image.packing == Packing::Raw ? image.stored : image.unpacked;
    if (wanted <= limits_.image_bytes && !budget_->take(wanted))
        return fail(ErrorCode::BadInput, "unpacks to far more than its size; the rest is not read", where);
    auto file = files_[file_of_[image.index]].second;
    if (!file) {
        file = TRY(FileBytes::open(image.file));
    }
    const Bytes stored = part_of(file->bytes(), image.offset, image.stored);
    if (stored.size() != image.stored)
        return fail(ErrorCode::BadInput, "has changed since it was opened", where);
    auto out = unpack(stored, image.packing, image.unpacked, limits_.image_bytes);
    if (!out) return fail(out.error().code, out.error().what, where);
    return out;
}

Result<std::shared_ptr<const Cubin>> Container::cubin(const Image& image, bool any) const {
    if (image.kind == ImageKind::Ptx)
        return fail(ErrorCode::BadInput,
                    "is PTX text, which contains no SASS; assemble it with `ptxas -arch=sm_XX`",
                    image.file.string() + ": " + image.text());
    if (image.kind != ImageKind::Elf)
        return fail(ErrorCode::BadInput,
                    image.kind == ImageKind::LtoIr
                        ? "is LTO-IR, which contains no SASS; the device linker makes it"
                        : "has an unknown type",
                    image.file.string() + ": " + image.text());
    auto raw = TRY(bytes(image));
    CubinParseOptions options;
    options.stated_arch = image.arch;
    options.require_kernels = !any;
    return Cubin::parse(std::move(raw), image.file.string(), options);
}

}  // namespace cubinlab
