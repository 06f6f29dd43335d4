// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <map>

#include "app/cli/command.h"
#include "app/cli/output.h"

namespace cubinlab::cli {
namespace {

Json describe(const Kernel& kernel) {
    const KernelInfo& info = kernel.info();
    std::map<std::string, int> mix;
    for (const Instruction& instruction : kernel.instructions())
        ++mix[instruction.mnemonic];
    int loops = 0, pinned = 0;
    for (const auto& edge : kernel.flow().back_edges)
        loops += edge.first != edge.second ? 1 : 0;
    for (const auto& edge : kernel.flow().back_edges)
        if (edge.first == edge.second && kernel.flow().blocks[edge.first].count > 1) ++loops;
    for (InstrId id = 0; id < kernel.size(); ++id)
        pinned += kernel.pinned(id) ? 1 : 0;
    Json params = Json::array();
    for (const KernelParam& p : info.params)
        params.push_back({{"ordinal", p.ordinal}, {"offset", p.offset}, {"size", p.size}});
    Json out = {{"name", info.name},
                {"code_hash", kernel.hash().hex()},
                {"instructions", kernel.size()},
                {"blocks", kernel.flow().blocks.size()},
                {"loops", loops},
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

// View-only architectures have no decoder: what the file itself says is all there is.
Json describe_undecoded(const KernelInfo& info) {
    Json out = {{"name", info.name},
                {"instructions", info.code_size / kWordBytes},
                {"registers", info.registers},
                {"static_shared_bytes", info.static_shared},
                {"params", info.params.size()}};
    out["required_block"] = info.required_block ? Json(*info.required_block) : Json(nullptr);
    return out;
}

void print_kernel(const Json& k) {
    print_line(fmt::format("  {}", k["name"].get<std::string>()));
    print_line(fmt::format("    {} instructions, {} registers, {} bytes static shared",
                           k["instructions"].get<std::size_t>(), k["registers"].get<int>(),
                           k["static_shared_bytes"].get<std::uint32_t>()));
    if (k["required_block"].is_array()) print_line("    block size must be " + k["required_block"].dump());
    if (!k.contains("mix")) return;
    print_line(fmt::format("    {} blocks, {} loops, {} pinned words, {} parameters in {} bytes",
                           k["blocks"].get<std::size_t>(), k["loops"].get<int>(), k["pinned"].get<int>(),
                           k["params"].size(), k["param_bytes"].get<std::uint32_t>()));
    std::vector<std::pair<int, std::string>> mix;
    for (const auto& [name, count] : k["mix"].items())
        mix.emplace_back(count.get<int>(), name);
    std::sort(mix.rbegin(), mix.rend());
    std::string line = "    mix:";
    for (std::size_t i = 0; i < mix.size() && i < 12; ++i)
        line += fmt::format(" {} {}", mix[i].second, mix[i].first);
    print_line(mix.size() > 12 ? line + " ..." : line);
}

}  // namespace

int run_info(const InfoOptions& options) {
    auto cubin = Cubin::open(options.file);
    if (!cubin) return print_error(cubin.error(), options.json);
    Json kernels = Json::array();
    for (const KernelInfo& info : (*cubin)->kernels()) {
        if (!options.kernel.empty() && info.name != options.kernel) continue;
        if (!(*cubin)->arch().decodable()) {
            kernels.push_back(describe_undecoded(info));
            continue;
        }
        auto kernel = Kernel::load(*cubin, info.name);
        if (!kernel) return print_error(kernel.error(), options.json);
        kernels.push_back(describe(**kernel));
    }
    if (!options.kernel.empty() && kernels.empty()) {
        auto missing = (*cubin)->kernel(options.kernel);
        if (!missing) return print_error(missing.error(), options.json);
    }
    const Arch& arch = (*cubin)->arch();
    if (options.json)
        return print_document({{"file", options.file},
                               {"arch", arch.name()},
                               {"abi_version", (*cubin)->abi_version()},
                               {"editable", arch.editable()},
                               {"file_hash", (*cubin)->file_hash().hex()},
                               {"kernels", kernels}});
    print_line(fmt::format("{}: {}, ELF ABI {}, {} kernel{}{}", options.file, arch.name(),
                           (*cubin)->abi_version(), kernels.size(), kernels.size() == 1 ? "" : "s",
                           arch.editable() ? "" : ", view only"));
    for (const Json& k : kernels)
        print_kernel(k);
    return 0;
}

}  // namespace cubinlab::cli
