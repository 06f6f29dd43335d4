// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <map>

#include "app/cli/base/output.h"
#include "app/cli/command.h"
#include "app/cli/kernel/info_list.h"
#include "app/cli/kernel/kernel_input.h"
#include "core/base/number_of.h"

namespace cubinlab::cli {
namespace {

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

// One kernel, or all of one cubin.
Result<int> info_of_cubin(const InfoOptions& options, const KernelChoice& input) {
    const std::shared_ptr<const Cubin>& cubin = input.cubin;
    Json kernels = Json::array();
    for (const KernelInfo& info : cubin->kernels()) {
        if (!input.kernel.empty() && info.name != input.kernel) continue;
        if (!cubin->arch().decodable()) {
            kernels.push_back(describe_undecoded(info));
            continue;
        }
        auto kernel = TRY(Kernel::load(cubin, info.name));
        kernels.push_back(describe(*kernel));
    }
    const Arch& arch = cubin->arch();
    if (options.json) {
        Json document = {{"file", options.file},
                         {"arch", arch.name()},
                         {"abi_version", cubin->abi_version()},
                         {"editable", arch.editable()},
                         {"relocatable", cubin->relocatable()},
                         {"file_hash", cubin->file_hash().hex()},
                         {"kernels", kernels}};
        if (input.triton) document["triton"] = triton_json(*input.triton);
        return print_document(document);
    }
    print_line(fmt::format("{}: {}, ELF ABI {}, {}{}{}", options.file, arch.name(), cubin->abi_version(),
                           number_of(kernels.size(), "kernel"), arch.editable() ? "" : ", view only",
                           cubin->relocatable() ? ", relocatable: to be linked before it runs" : ""));
    if (input.triton) print_line("  " + triton_text(*input.triton));
    for (const Json& k : kernels)
        print_kernel(k);
    return 0;
}

}  // namespace

Result<int> run_info(const InfoOptions& options) {
    auto container = TRY(Container::open(options.file));
    const bool one = container->images().size() == 1 && container->images().front().kind == ImageKind::Elf &&
                     !container->images().front().in_fatbin;
    if (!one && !names_one_kernel(*container, options)) return info_of_container(options, *container);
    auto input =
        TRY(one ? choose_image(*container, query_of(options)) : choose_kernel(*container, query_of(options)));
    return info_of_cubin(options, input);
}

}  // namespace cubinlab::cli
