// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sass/disassembler.h"

#include <fmt/format.h>

#include "core/base/enum_names.h"
#include "core/sass/decoder.h"
#include "core/sass/listing_check.h"
#include "core/sass/nvdisasm.h"

namespace cubinlab {
namespace {

void add_note(std::string& note, const std::string& more) {
    note += (note.empty() ? "" : "; ") + more;
}

bool use_nvdisasm(const Cubin& cubin, const KernelInfo& kernel, const DisassemblerSettings& settings,
                  std::stop_token stop, Listing& listing) {
    if (!settings.allow_nvdisasm) {
        add_note(listing.note, "nvdisasm is not to be used");
        return false;
    }
    auto result = disassemble_cubin(cubin, settings, stop);
    if (!result) {
        add_note(listing.note, result.error().message());
        return false;
    }
    const auto found = result->kernels.find(kernel.name);
    if (found == result->kernels.end()) {
        add_note(listing.note,
                 fmt::format("{} printed no listing that matches this kernel", result->tool.path.string()));
        return false;
    }
    listing.source = ListingSource::Nvdisasm;
    listing.origin = fmt::format("nvdisasm {} ({})", result->tool.version, result->tool.path.string());
    listing.lines = found->second;
    return true;
}

// The first line that differs from the instruction of its word; unknown opcodes match any line.
std::string contradiction(const Cubin& cubin, const KernelInfo& kernel,
                          const std::vector<std::string>& lines) {
    if (!cubin.arch().decodable()) return {};
    std::uint32_t offset = 0;
    for (const Word& word : cubin.code(kernel)) {
        const std::string& line = lines[offset / kWordBytes];
        if (!decode(cubin.arch(), word, offset).has(Trait::UnknownOpcode)) {
            const std::string own = render(cubin.arch(), word, offset);
            if (!same_instruction(line, own))
                return fmt::format("0x{:x} is \"{}\", not \"{}\"", offset, own, line);
        }
        offset += kWordBytes;
    }
    return {};
}

bool use_stored(const Cubin& cubin, const KernelInfo& kernel, const std::optional<std::string>& stored,
                Listing& listing) {
    if (!stored) {
        add_note(listing.note, "there is no stored listing");
        return false;
    }
    auto lines = read_stored_listing(*stored, kernel.name,
                                     hash_bytes(cubin.bytes().subspan(kernel.code_offset, kernel.code_size)));
    if (!lines) {
        add_note(listing.note, lines.error().message());
        return false;
    }
    if (lines->size() != kernel.code_size / kWordBytes) {
        add_note(listing.note, fmt::format("stored listing has {} lines for {} instructions", lines->size(),
                                           kernel.code_size / kWordBytes));
        return false;
    }
    if (const std::string wrong = contradiction(cubin, kernel, *lines); !wrong.empty()) {
        add_note(listing.note, "the stored listing does not say what the words are: " + wrong);
        return false;
    }
    listing.source = ListingSource::Stored;
    listing.origin = "stored listing";
    listing.lines = std::move(*lines);
    return true;
}

}  // namespace

const char* to_string(ListingSource source) {
    return enum_name<ListingSource::BuiltIn>({"nvdisasm", "stored", "built-in"}, source, "unknown");
}

Listing list_kernel(const Cubin& cubin, const KernelInfo& kernel, const DisassemblerSettings& settings,
                    std::optional<std::string> stored, std::stop_token stop) {
    Listing listing;
    if (use_nvdisasm(cubin, kernel, settings, stop, listing)) return listing;
    if (use_stored(cubin, kernel, stored, listing)) return listing;
    listing.source = ListingSource::BuiltIn;
    listing.origin = "built-in";
    std::uint32_t offset = 0;
    for (const Word& word : cubin.code(kernel)) {
        listing.lines.push_back(render(cubin.arch(), word, offset));
        offset += kWordBytes;
    }
    return listing;
}

}  // namespace cubinlab
