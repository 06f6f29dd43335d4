// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/program/captured_workload.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "core/base/bounded_json.h"
#include "core/base/file.h"
#include "core/binary/elf_image.h"
#include "core/gpu/protocol/captured_memory.h"
#include "core/schedule/kernel.h"
#include "core/start/find_ptx.h"

namespace cubinlab {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

struct Raw {
    fs::path folder;
    json launch;
    std::vector<std::byte> module;
};

tl::unexpected<Error> damaged(const fs::path& folder, const std::string& what) {
    return fail(ErrorCode::BadInput, "is a damaged capture: " + what, folder.string());
}

// What makes two launches the input sets of one workload.
std::string group_of(const Raw& raw) {
    json key = {raw.launch["kernel"],        raw.launch["grid"],
                raw.launch["block"],         raw.launch["dynamic_shared_bytes"],
                raw.launch["cooperative"],   raw.launch["attributes"],
                hash_bytes(raw.module).hex()};
    for (const json& region : raw.launch["regions"])
        key.push_back({region["address"], region["size"], region["kind"], region["symbol"]});
    return key.dump(-1, ' ', false, json::error_handler_t::replace);
}

Result<Raw> read_raw(const fs::path& folder) {
    Raw out{folder, {}, {}};
    auto text = TRY(read_text(folder / "launch.json", 256u << 20));
    auto launch = parse_json(text);
    if (!launch) return damaged(folder, launch.error().what);
    out.launch = std::move(*launch);
    if (!out.launch.is_object() || out.launch.value("format", "") != "cubinlab-capture 1")
        return damaged(folder, "launch.json");
    out.module = TRY(read_file(folder / "module.cubin"));
    return out;
}

RegionKind kind_of(const std::string& text) {
    if (text == "managed") return RegionKind::Managed;
    if (text == "host") return RegionKind::Host;
    return text == "device" ? RegionKind::Device : RegionKind::Symbol;
}

Result<CapturedMemory> read_memory(const Raw& raw) {
    MemoryBuilder builder;
    std::ifstream before(raw.folder / "before.bin", std::ios::binary),
        after(raw.folder / "after.bin", std::ios::binary);
    if (!before || !after) return damaged(raw.folder, "before.bin or after.bin is missing");
    constexpr std::uint64_t kPage = CapturedMemory::kPageBytes;
    if (raw.launch.value("block_bytes", std::uint64_t{0}) != kPage) return damaged(raw.folder, "block_bytes");
    std::vector<char> page(kPage);
    const auto page_at = [&](std::ifstream& file, std::uint64_t at, std::uint64_t size) {
        file.clear();
        file.seekg(static_cast<std::streamoff>(at));
        file.read(page.data(), static_cast<std::streamsize>(size));
        return builder.keep(std::as_bytes(std::span(page.data(), size)));
    };
    for (const json& from : raw.launch["regions"]) {
        CapturedRegion region;
        region.address = from["address"].get<std::uint64_t>();
        region.size = from["size"].get<std::uint64_t>();
        region.symbol = from["symbol"].get<std::string>();
        region.kind = kind_of(from["kind"].get<std::string>());
        const auto at = from["at"].get<std::uint64_t>();
        for (std::uint64_t done = 0; done < region.size; done += kPage)
            region.before.push_back(page_at(before, at + done, std::min(kPage, region.size - done)));
        for (const json& run : from["changed"]) {
            const auto first = run[0].get<std::uint64_t>(), count = run[1].get<std::uint64_t>();
            for (std::uint64_t i = first; i < first + count && i * kPage < region.size; ++i)
                region.changed.push_back(
                    {i, page_at(after, at + i * kPage, std::min(kPage, region.size - i * kPage))});
        }
        builder.memory.regions.push_back(std::move(region));
    }
    return std::move(builder.memory);
}

// A parameter each, by its place; bytes that none names (padding) go nowhere.
std::vector<std::string> parameters(const Raw& raw, const KernelInfo& kernel) {
    const std::string hex = raw.launch["param_bytes"].get<std::string>();
    const json& places = raw.launch["params"];
    std::vector<std::string> out;
    for (std::size_t i = 0; i < kernel.params.size(); ++i) {
        const std::size_t size = kernel.params[i].size;
        // Where the driver said it is, which is where the bytes were put.
        const std::size_t offset = i < places.size() ? places[i][0].get<std::size_t>() : kernel.params[i].offset;
        std::string one = hex.size() >= 2 * (offset + size) ? hex.substr(2 * offset, 2 * size) : "";
        one.resize(2 * size, '0');
        out.push_back(std::move(one));
    }
    return out;
}

// Attributes of the launch that a replay needs (CUlaunchAttributeID 2: cooperative, 4: cluster).
void take_attributes(const json& launch, json& workload) {
    const auto number = [](const std::string& hex, std::size_t word) {
        std::uint32_t out = 0;
        for (std::size_t byte = 0; byte < 4 && hex.size() >= (word + 1) * 8; ++byte)
            out |= static_cast<std::uint32_t>(std::stoul(hex.substr((word * 4 + byte) * 2, 2), nullptr, 16))
                   << (8 * byte);
        return out;
    };
    for (const json& attribute : launch["attributes"]) {
        const auto id = attribute["id"].get<std::uint64_t>();
        const std::string value = attribute["value"].get<std::string>();
        if (id == 2 && number(value, 0) != 0) workload["cooperative"] = true;
        if (id == 4 && number(value, 0) != 0)
            workload["cluster"] = {number(value, 0), number(value, 1), number(value, 2)};
    }
}

std::string file_name(const std::string& kernel) {
    std::string out = kernel.substr(0, 100);
    for (char& c : out)
        if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '_') c = '-';
    return out.empty() ? "kernel" : out;
}

// Launches of one size at the same addresses.
using Sets = std::vector<Raw>;

bool same_size(const Raw& a, const Raw& b) {
    return std::ranges::all_of(std::array{"grid", "block", "dynamic_shared_bytes"},
                               [&](const char* key) { return a.launch[key] == b.launch[key]; });
}

// Kernels whose sizes may be the shapes of one workload: the same code, launched in the same way.
bool same_kernel(const Raw& a, const Raw& b) {
    return a.module == b.module && std::ranges::all_of(std::array{"kernel", "cooperative", "attributes"},
                                                       [&](const char* key) { return a.launch[key] == b.launch[key]; });
}

// The fields of a workload that belong to one size; writes the memory of its sets to STEM.memory, STEM.2.memory ...
// `first`: the memory of the first set.
Result<json> size_fields(const Sets& sets, const fs::path& stem, const KernelInfo& kernel,
                         const CaptureOptions& options, CapturedMemory& first) {
    const json& launch = sets.front().launch;
    json out = {{"grid", launch["grid"]},
                {"block", launch["block"]},
                {"dynamic_shared_bytes", launch["dynamic_shared_bytes"]},
                {"params", json::array()}};
    for (const std::string& hex : parameters(sets.front(), kernel))
        out["params"].push_back({{"raw", {{"hex", hex}}}});
    json captured = {{"sets", json::array()}};
    if (const int carve_out = launch.value("carve_out", -1); carve_out > 0)
        captured["carve_out"] = std::min(carve_out, 100);
    for (std::size_t i = 0; i < sets.size(); ++i) {
        auto memory = TRY(read_memory(sets[i]));
        const fs::path file = stem.string() + (i == 0 ? "" : fmt::format(".{}", i + 1)) + ".memory";
        TRY(write_file(file, memory.serialise()));
        json set = {{"memory", file.filename().string()}};
        if (i > 0) set["params"] = parameters(sets[i], kernel);
        captured["sets"].push_back(std::move(set));
        if (i == 0) first = std::move(memory);
    }
    if (options.tolerance) captured["dtype"] = to_string(options.dtype);
    out["captured"] = std::move(captured);
    return out;
}

// "64x1x1", with the block if the workload has another, and the shared memory likewise.
std::string name_of_size(const json& launch, const json& main) {
    const auto three = [](const json& extent) {
        return fmt::format("{}x{}x{}", extent[0].get<unsigned>(), extent[1].get<unsigned>(), extent[2].get<unsigned>());
    };
    std::string out = three(launch["grid"]);
    if (launch["block"] != main["block"]) out += " of " + three(launch["block"]);
    if (launch["dynamic_shared_bytes"] != main["dynamic_shared_bytes"])
        out += fmt::format(" with {} B", launch["dynamic_shared_bytes"].get<std::uint64_t>());
    return out;
}

// As an entry of "shapes".
json shape_from(json fields, const std::string& name) {
    json params = json::object();
    for (std::size_t i = 0; i < fields["params"].size(); ++i)
        params[std::to_string(i)] = std::move(fields["params"][i]);
    fields["params"] = std::move(params);
    fields["name"] = name;
    return fields;
}

Result<CapturedKernel> make_one(const std::vector<Sets>& sizes, const fs::path& stem,
                                const CaptureOptions& options) {
    const Raw& first = sizes.front().front();
    CapturedKernel out;
    out.cubin = stem.string() + ".cubin";
    out.kernel = first.launch["kernel"].get<std::string>();
    out.launch = first.launch.value("launch", std::uint64_t{0});
    out.sets = sizes.front().size();
    out.shapes = sizes.size();
    auto cubin = TRY(Cubin::parse(first.module, out.cubin.string()));
    auto info = TRY(cubin->kernel(out.kernel));
    CapturedMemory memory;
    json workload = TRY(size_fields(sizes.front(), stem, *info, options, memory));
    out.regions = memory.regions.size();
    out.bytes = memory.bytes();
    for (const CapturedRegion& region : memory.regions)
        out.changed_bytes += region.changed.size() * CapturedMemory::kPageBytes;
    workload["kernel"] = out.kernel;
    workload["about"] = fmt::format("captured: launch {} of {} on {}", out.launch, out.kernel,
                                    first.launch.value("device", std::string("a GPU")));
    if (first.launch.value("cooperative", false)) workload["cooperative"] = true;
    take_attributes(first.launch, workload);
    workload["check"] = "bitwise";
    if (options.tolerance) {
        json tolerance = {{"absolute", options.tolerance->absolute},
                          {"relative", options.tolerance->relative}};
        workload["check"] = {{"tolerance", tolerance}};
    }
    if (sizes.size() > 1) workload["name"] = name_of_size(first.launch, first.launch);
    for (std::size_t k = 1; k < sizes.size(); ++k) {
        const fs::path files = stem.string() + fmt::format(".size{}", k + 1);
        json fields = TRY(size_fields(sizes[k], files, *info, options, memory));
        workload["shapes"].push_back(
            shape_from(std::move(fields), name_of_size(sizes[k].front().launch, first.launch)));
    }
    out.left_out = not_replayable(*cubin, *info);
    for (const Sets& sets : sizes)
        for (const json& what : sets.front().launch["left_out"])
            if (std::ranges::find(out.left_out, what.get<std::string>()) == out.left_out.end())
                out.left_out.push_back(what.get<std::string>());
    out.replayable = out.left_out.empty();
    TRY(write_file(out.cubin, first.module));
    if (const fs::path text = first.folder / "module.ptx"; fs::exists(text)) {
        const std::vector<std::byte> ptx = TRY(read_file(text, 1u << 30));
        out.ptx = stem.string() + ".ptx";
        TRY(write_file(out.ptx, ptx));
    } else if (const auto cached = ptx_in_triton_caches(first.module, out.kernel)) {
        out.ptx = stem.string() + ".ptx";
        TRY(write_text(out.ptx, cached->text));
    }
    const fs::path json_file = stem.string() + ".workload.json";
    TRY(write_text(json_file, workload.dump(1, ' ', false, json::error_handler_t::replace) + "\n"));
    return out;
}

// A kernel launched in several sizes is one with several shapes. Launches of one size at other addresses are kernels of
// their own: the worker maps one memory.
std::vector<std::vector<Sets>> by_kernel(std::vector<std::pair<std::string, Sets>> groups) {
    std::vector<std::vector<Sets>> out;
    for (auto& [key, sets] : groups) {
        const Raw& one = sets.front();
        const auto takes = [&](const std::vector<Sets>& sizes) {
            return same_kernel(sizes.front().front(), one) &&
                   std::ranges::none_of(sizes, [&](const Sets& known) { return same_size(known.front(), one); });
        };
        const auto kernel = std::ranges::find_if(out, takes);
        if (kernel == out.end())
            out.push_back({std::move(sets)});
        else
            kernel->push_back(std::move(sets));
    }
    return out;
}

}  // namespace

std::vector<std::string> not_replayable(const Cubin& cubin, const KernelInfo& kernel) {
    std::vector<std::string> out;
    auto elf = ElfImage::read(cubin.bytes(), cubin.where());
    if (!elf) return out;
    const auto uses = [&](std::string_view symbol) {
        return std::any_of(elf->symbols.begin(), elf->symbols.end(),
                           [&](const ElfSymbol& s) { return s.name == symbol; }) &&
               std::any_of(kernel.relocations.begin(), kernel.relocations.end(),
                           [&](const TextRelocation& r) { return r.symbol == symbol; });
    };
    if (uses("vprintf")) out.push_back("printf: its text is not part of what is compared");
    if (uses("malloc") || uses("free")) out.push_back("the device heap (malloc in a kernel)");
    if (uses("cudaLaunchDeviceV2") || uses("cudaGetParameterBufferV2") || uses("cudaLaunchDevice"))
        out.push_back("launches from the GPU (dynamic parallelism)");
    auto decoded = Kernel::load(
        Cubin::parse({cubin.bytes().begin(), cubin.bytes().end()}, cubin.where()).value(), kernel.name);
    if (!decoded) return out;
    for (const Instruction& i : (*decoded)->instructions()) {
        static constexpr std::string_view kTextures[] = {"TEX",  "TLD",  "TLD4",  "TXD",   "TXQ",
                                                         "SULD", "SUST", "SURED", "SUATOM"};
        const std::string_view name =
            std::string_view(i.mnemonic).substr(0, std::string_view(i.mnemonic).find('.'));
        if (std::find(std::begin(kTextures), std::end(kTextures), name) == std::end(kTextures)) continue;
        out.push_back("textures or surfaces");
        break;
    }
    return out;
}

Result<std::vector<CapturedKernel>> make_workloads(const fs::path& raw, const fs::path& out,
                                                   const CaptureOptions& options) {
    std::error_code error;
    std::vector<fs::path> folders;
    for (const auto& entry : fs::directory_iterator(raw, error))
        if (entry.path().extension() == ".capture" && fs::exists(entry.path() / "launch.json", error))
            folders.push_back(entry.path());
    const auto order = [](const fs::path& path) {
        const std::string name = path.filename().string();
        const std::size_t dot = name.find('.');
        return std::pair(std::atol(name.c_str()),
                         dot == std::string::npos ? 0 : std::atol(name.c_str() + dot + 1));
    };
    std::sort(folders.begin(), folders.end(),
              [&](const fs::path& a, const fs::path& b) { return order(a) < order(b); });
    std::vector<std::pair<std::string, Sets>> groups;
    try {
        for (const fs::path& folder : folders) {
            auto one = TRY(read_raw(folder));
            const std::string key = group_of(one);
            const auto known = std::find_if(groups.begin(), groups.end(),
                                            [&](const auto& group) { return group.first == key; });
            constexpr std::size_t kMostSets = 64;
            if (known != groups.end() && known->second.size() < kMostSets) {
                known->second.push_back(std::move(one));
            } else {
                groups.push_back({key, {}});
                groups.back().second.push_back(std::move(one));
            }
        }
        std::map<std::string, int> names;
        std::vector<CapturedKernel> made;
        for (const std::vector<Sets>& sizes : by_kernel(std::move(groups))) {
            const json& launch = sizes.front().front().launch;
            std::string name = file_name(launch["kernel"].get<std::string>());
            if (const int count = ++names[name]; count > 1)
                name += fmt::format(".launch{}", launch.value("launch", std::uint64_t{0}));
            auto one = TRY(make_one(sizes, out / name, options));
            made.push_back(std::move(one));
        }
        return made;
    } catch (const std::exception& wrong) {
        return damaged(raw, wrong.what());
    }
}

}  // namespace cubinlab
