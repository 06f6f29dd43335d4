// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/kernel/info_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "app/cli/kernel/kernel_input.h"
#include "core/base/number_of.h"
#include "core/binary/unpack.h"

namespace cubinlab::cli {
namespace {

// Counting loops needs decoding, so it stops after about a second of work.
constexpr std::size_t kMostDecoded = 300'000;  // instructions

Json loops_of(const std::shared_ptr<const Cubin>& cubin, const std::string& name, std::size_t& left) {
    auto info = cubin->kernel(name);
    if (!info || !cubin->arch().decodable() || (*info)->code_size / kWordBytes > left) return nullptr;
    left -= (*info)->code_size / kWordBytes;
    auto kernel = Kernel::load(cubin, name);
    if (!kernel) return nullptr;
    return count_loops(**kernel);
}

Json kernel_json(const KernelEntry& k) {
    return {{"name", k.name},
            {"demangled", k.demangled},
            {"arch", k.arch.name()},
            {"instructions", k.code_size / kWordBytes},
            {"code_bytes", k.code_size},
            {"registers", k.registers},
            {"local_bytes", k.local_bytes},
            {"static_shared_bytes", k.static_shared}};
}

Json image_json(const Image& image, const ImageContents& contents) {
    Json out = {{"image", image.index + 1},
                {"kind", to_string(image.kind)},
                {"arch", contents.arch ? Json(contents.arch->name()) : Json(nullptr)},
                {"packing", to_string(image.packing)},
                {"bytes", image.unpacked},
                {"file", image.file.string()},
                {"file_offset", image.offset},
                {"file_bytes", image.stored},
                {"member", image.member},
                {"section", image.section},
                {"source", image.source},
                {"options", image.options},
                {"relocatable", contents.relocatable},
                {"remark", contents.remark}};
    if (image.triton) out["triton"] = triton_json(*image.triton);
    return out;
}

void print_image(const Image& image, const Json& json) {
    std::string line = "  " + image.text();
    if (!image.arch && json["arch"].is_string()) line += ", " + json["arch"].get<std::string>();
    line += fmt::format(", {} bytes", image.unpacked);
    if (json["relocatable"].get<bool>()) line += ", relocatable: to be linked before it runs";
    if (const auto remark = json["remark"].get<std::string>(); !remark.empty()) line += ": " + remark;
    print_line(line);
    if (image.triton) print_line("    " + triton_text(*image.triton));
    for (const Json& k : json["kernels"]) {
        print_line("    " + k["demangled"].get<std::string>());
        std::string facts = fmt::format("      {}, {}, {} bytes static shared",
                                        number_of(k["instructions"].get<std::size_t>(), "instruction"),
                                        number_of(k["registers"].get<int>(), "register"),
                                        k["static_shared_bytes"].get<std::uint32_t>());
        if (k["local_bytes"] != 0)
            facts += fmt::format(", {} bytes of stack or spills", k["local_bytes"].get<std::uint32_t>());
        if (k["loops"].is_number()) facts += ", " + number_of(k["loops"].get<std::size_t>(), "loop");
        print_line(facts);
    }
}

// The list reduced to what --kernel, --arch and --image select.
Result<KernelList> filtered(const Container& container, const InfoOptions& options) {
    KernelList list = list_kernels(container);
    const std::optional<Arch> arch = TRY(queried_arch(options.arch));
    std::erase_if(list.images, [&](const ImageContents& contents) {
        return !matches_image(container.images()[contents.image], options.image) ||
               (arch && (!contents.arch || !(*contents.arch == *arch)));
    });
    // If no image matches, choose_image() gives the error.
    if (list.images.empty() && (arch || !options.image.empty()))
        if (auto none = choose_image(container, query_of(options)); !none) return fail(none.error());
    if (!options.kernel.empty()) {
        std::vector<KernelEntry> all;
        for (const ImageContents& contents : list.images)
            all.insert(all.end(), contents.kernels.begin(), contents.kernels.end());
        auto found = TRY(matching(all, options.kernel));
        std::set<std::pair<std::size_t, std::string>> wanted;
        for (const std::size_t i : found)
            wanted.emplace(all[i].image, all[i].name);
        for (ImageContents& contents : list.images)
            std::erase_if(contents.kernels, [&](const KernelEntry& k) {
                return wanted.count({k.image, k.name}) == 0;
            });
        std::erase_if(list.images, [](const ImageContents& contents) { return contents.kernels.empty(); });
        // If no image has a kernel (PTX only), choose_kernel() says why.
        if (all.empty())
            if (auto none = choose_kernel(container, query_of(options)); !none) return fail(none.error());
    }
    list.kernels = 0;
    for (const ImageContents& contents : list.images)
        list.kernels += contents.kernels.size();
    return list;
}

}  // namespace

int count_loops(const Kernel& kernel) {
    int loops = 0;
    for (const auto& [from, to] : kernel.flow().back_edges)
        loops += from != to || kernel.flow().blocks[from].count > 1 ? 1 : 0;
    return loops;
}

bool names_one_kernel(const Container& container, const InfoOptions& options) {
    if (options.kernel.empty()) return false;
    auto choice = choose_kernel(container, query_of(options));
    // An empty list is an error of the choice itself.
    return choice || choice.error().code == ErrorCode::NotFound;
}

Result<int> info_of_container(const InfoOptions& options, const Container& container) {
    auto list = TRY(filtered(container, options));
    std::size_t left = kMostDecoded;
    Json images = Json::array();
    for (const ImageContents& contents : list.images) {
        const Image& image = container.images()[contents.image];
        Json json = image_json(image, contents);
        json["kernels"] = Json::array();
        std::shared_ptr<const Cubin> cubin;
        if (!contents.kernels.empty() && left > 0)
            if (auto read = container.cubin(image)) cubin = std::move(*read);
        for (const KernelEntry& k : contents.kernels) {
            json["kernels"].push_back(kernel_json(k));
            json["kernels"].back()["loops"] = cubin ? loops_of(cubin, k.name, left) : Json(nullptr);
        }
        images.push_back(std::move(json));
    }
    if (options.json)
        return print_document({{"file", options.file},
                               {"what", container.what()},
                               {"kernels", list.kernels},
                               {"notes", container.notes()},
                               {"images", images}});
    print_line(fmt::format("{}: {}, {}, {}", options.file, container.what(),
                           number_of(list.images.size(), "image"), number_of(list.kernels, "kernel")));
    for (const std::string& note : container.notes())
        print_line("  note: " + note);
    for (std::size_t i = 0; i < images.size(); ++i)
        print_image(container.images()[list.images[i].image], images[i]);
    return 0;
}

Json triton_json(const TritonEntry& entry) {
    Json params = Json::array();
    for (const TritonParam& p : entry.params)
        params.push_back(
            {{"name", p.name}, {"type", p.type}, {"pointer", p.pointer}, {"divisibility", p.divisibility}});
    return {{"name", entry.name},
            {"folder", entry.folder.string()},
            {"num_warps", entry.num_warps},
            {"num_ctas", entry.num_ctas},
            {"num_stages", entry.num_stages},
            {"shared_bytes", entry.shared},
            {"global_scratch_bytes", entry.global_scratch},
            {"profile_scratch_bytes", entry.profile_scratch},
            {"cooperative", entry.cooperative},
            {"launch_pdl", entry.launch_pdl},
            {"version", entry.version},
            {"signature", entry.has_signature ? params : Json(nullptr)}};
}

std::string triton_text(const TritonEntry& entry) {
    std::string out = fmt::format("Triton {}: {} warps, {} bytes dynamic shared", entry.version,
                                  entry.num_warps, entry.shared);
    if (entry.num_ctas > 1) out += fmt::format(", cluster of {}", entry.num_ctas);
    if (!entry.has_signature) return out + ", no signature next to it";
    out += "; (";
    for (std::size_t i = 0; i < entry.params.size(); ++i)
        out += fmt::format("{}{}: {}{}", i == 0 ? "" : ", ", entry.params[i].name,
                           entry.params[i].pointer ? "*" : "", entry.params[i].type);
    return out + ")";
}

}  // namespace cubinlab::cli
