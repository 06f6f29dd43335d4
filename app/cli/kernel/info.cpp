// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "app/cli/base/output.h"
#include "app/cli/command.h"
#include "app/cli/parts/kernel_input.h"
#include "core/base/number_of.h"
#include "core/binary/kernel_list.h"
#include "core/binary/unpack.h"
#include "core/start/find_ptx.h"
#include "core/start/open_device_code.h"

namespace cubinlab::cli {

struct InfoOptions : Common {
    std::string file;
};

namespace {

// Loops of the flow graph, without the jump to itself after the end of a kernel.
int count_loops(const Kernel& kernel) {
    int loops = 0;
    for (const auto& [from, to] : kernel.flow().back_edges)
        loops += from != to || kernel.flow().blocks[from].count > 1 ? 1 : 0;
    return loops;
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

Json unusable_json(const std::vector<UnusableKernel>& kernels) {
    Json out = Json::array();
    for (const UnusableKernel& one : kernels)
        out.push_back({{"name", one.name}, {"why", one.why}});
    return out;
}

void print_unusable(const Json& kernels, const char* indent) {
    for (const Json& one : kernels) {
        const auto name = one["name"].get<std::string>();
        print_line(fmt::format("{}not usable: {}{}", indent, name.empty() ? "" : name + ": ",
                               one["why"].get<std::string>()));
    }
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
    out["unusable"] = unusable_json(contents.unusable);
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
    print_unusable(json["unusable"], "    ");
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

// Whether --kernel, --arch and --image select exactly one kernel, which `info` describes in detail.
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

Json describe(const Kernel& kernel) {
    const KernelInfo& info = kernel.info();
    std::map<std::string, int> mix;
    for (const Instruction& instruction : kernel.instructions())
        ++mix[instruction.mnemonic];
    int pinned = 0;
    for (InstrId id = 0; id < kernel.size(); ++id)
        pinned += kernel.pinned(id) ? 1 : 0;
    Json params = Json::array();
    for (const KernelParam& p : info.params)
        params.push_back({{"ordinal", p.ordinal}, {"offset", p.offset}, {"size", p.size}});
    Json out = {{"name", info.name},
                {"demangled", demangled(info.name)},
                {"code_hash", kernel.hash().hex()},
                {"instructions", kernel.size()},
                {"blocks", kernel.flow().blocks.size()},
                {"loops", count_loops(kernel)},
                {"pinned", pinned},
                {"registers", info.registers},
                {"static_shared_bytes", info.static_shared},
                {"local_bytes", info.local_bytes},
                {"barriers", info.barriers},
                {"param_bytes", info.param_bytes},
                {"params", params}};
    out["required_block"] = info.required_block ? Json(*info.required_block) : Json(nullptr);
    out["max_threads"] = info.max_threads ? Json(*info.max_threads) : Json(nullptr);
    out["mix"] = mix;
    return out;
}

// View-only architectures have no decoder: only the file's own attributes are known.
Json describe_undecoded(const KernelInfo& info) {
    Json out = {{"name", info.name},
                {"demangled", demangled(info.name)},
                {"instructions", info.code_size / kWordBytes},
                {"registers", info.registers},
                {"static_shared_bytes", info.static_shared},
                {"params", info.params.size()}};
    out["required_block"] = info.required_block ? Json(*info.required_block) : Json(nullptr);
    return out;
}

void print_kernel(const Json& k) {
    print_line("  " + k["name"].get<std::string>());
    if (k["demangled"] != k["name"]) print_line("    " + k["demangled"].get<std::string>());
    const auto stack = k.value("local_bytes", 0u);
    print_line(fmt::format("    {}, {}, {} bytes static shared{}",
                           number_of(k["instructions"].get<std::size_t>(), "instruction"),
                           number_of(k["registers"].get<int>(), "register"),
                           k["static_shared_bytes"].get<std::uint32_t>(),
                           stack == 0 ? std::string() : fmt::format(", {} bytes of stack or spills", stack)));
    if (k["required_block"].is_array()) print_line("    block size must be " + k["required_block"].dump());
    if (k.contains("ptx"))
        print_line("    " + (k["ptx"].is_null() ? std::string("no PTX") : "PTX: " + k["ptx"].get<std::string>()));
    if (!k.contains("mix")) return;
    print_line(
        fmt::format("    {}, {}, {}, {} in {} bytes", number_of(k["blocks"].get<std::size_t>(), "block"),
                    number_of(k["loops"].get<std::size_t>(), "loop"),
                    number_of(k["pinned"].get<std::size_t>(), "pinned word"),
                    number_of(k["params"].size(), "parameter"), k["param_bytes"].get<std::uint32_t>()));
    std::vector<std::pair<int, std::string>> mix;
    for (const auto& [name, count] : k["mix"].items())
        mix.emplace_back(count.get<int>(), name);
    std::sort(mix.rbegin(), mix.rend());
    std::string line = "    mix:";
    for (std::size_t i = 0; i < mix.size() && i < 12; ++i)
        line += fmt::format(" {} {}", mix[i].second, mix[i].first);
    print_line(mix.size() > 12 ? line + " ..." : line);
}

// A search reads the PTX that is near; of a large cubin it is left to `starts --kernel`.
constexpr std::size_t kMostPtxSearches = 32;

Json ptx_origin(const Container& container, const KernelChoice& kernel) {
    auto found = find_ptx(container, kernel);
    return found && *found ? Json((*found)->origin) : Json(nullptr);
}

// One kernel, or all of one cubin.
Result<int> info_of_cubin(const InfoOptions& options, const Container& container, const KernelChoice& input) {
    const std::shared_ptr<const Cubin>& cubin = input.cubin;
    Json kernels = Json::array();
    for (const KernelInfo& info : cubin->kernels()) {
        if (!input.kernel.empty() && info.name != input.kernel) continue;
        if (cubin->arch().decodable()) {
            auto kernel = TRY(Kernel::load(cubin, info.name));
            kernels.push_back(describe(*kernel));
        } else {
            kernels.push_back(describe_undecoded(info));
        }
        if (kernels.size() <= kMostPtxSearches)
            kernels.back()["ptx"] = ptx_origin(container, {cubin, info.name, input.image, input.triton});
    }
    const Arch& arch = cubin->arch();
    if (options.json) {
        Json document = {{"file", options.file},
                         {"arch", arch.name()},
                         {"abi_version", cubin->abi_version()},
                         {"editable", arch.editable()},
                         {"relocatable", cubin->relocatable()},
                         {"file_hash", cubin->file_hash().hex()},
                         {"kernels", kernels},
                         {"unusable", unusable_json(cubin->unusable())}};
        if (input.triton) document["triton"] = triton_json(*input.triton);
        return print_document(document);
    }
    print_line(fmt::format("{}: {}, ELF ABI {}, {}{}{}", options.file, arch.name(), cubin->abi_version(),
                           number_of(kernels.size(), "kernel"), arch.editable() ? "" : ", view only",
                           cubin->relocatable() ? ", relocatable: to be linked before it runs" : ""));
    if (input.triton) print_line("  " + triton_text(*input.triton));
    for (const Json& k : kernels)
        print_kernel(k);
    print_unusable(unusable_json(cubin->unusable()), "  ");
    const bool missing = std::any_of(kernels.begin(), kernels.end(),
                                     [](const Json& k) { return k.contains("ptx") && k["ptx"].is_null(); });
    if (missing) print_line(std::string("  ") + kWithoutPtx);
    return 0;
}

}  // namespace

Result<int> run_info(const InfoOptions& options) {
    auto container = TRY(open_device_code(options.file, options.arch));
    const bool one = container->images().size() == 1 && container->images().front().kind == ImageKind::Elf &&
                     !container->images().front().in_fatbin;
    if (!one && !names_one_kernel(*container, options)) return info_of_container(options, *container);
    auto input =
        TRY(one ? choose_image(*container, query_of(options)) : choose_kernel(*container, query_of(options)));
    return info_of_cubin(options, *container, input);
}

void add_info(CommandTable& table) {
    auto [sub, options] = table.add("info", "kernels, architecture, resources, instruction mix", run_info);
    sub->add_option("FILE", options.file, kAnyFile)->required();
    add_kernel_choice(sub, options);
}

}  // namespace cubinlab::cli
