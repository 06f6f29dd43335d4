// SPDX-License-Identifier: GPL-3.0-or-later
// Checks a workload against its kernel, and writes the template for a kernel without a workload.
#include <fmt/format.h>

#include <algorithm>

#include <nlohmann/json.hpp>

#include "core/base/utf8.h"
#include "core/gpu/protocol/captured_launch.h"

namespace cubinlab {
namespace {

using Extent = std::array<std::uint32_t, 3>;

std::string text(const Extent& e) {
    return fmt::format("[{}, {}, {}]", e[0], e[1], e[2]);
}

std::size_t param_size(const Param& param) {
    if (const auto* scalar = std::get_if<ScalarParam>(&param)) return scalar->bytes.size();
    if (const auto* raw = std::get_if<RawParam>(&param)) return raw->bytes.size();
    return 8;  // a buffer's address
}

const char* kind_name(const Param& param) {
    if (std::holds_alternative<ScalarParam>(param)) return "scalar";
    return std::holds_alternative<RawParam>(param) ? "raw" : "buffer";
}

Status bad(std::string where, std::string what) {
    return fail(ErrorCode::BadInput, std::move(what), std::move(where));
}

Status check_block(const Workload& workload, const KernelInfo& kernel) {
    const Extent& block = workload.block;
    const std::uint64_t threads = static_cast<std::uint64_t>(block[0]) * block[1] * block[2];
    if (kernel.required_block && *kernel.required_block != block)
        return bad("block", fmt::format("is {}, but the kernel requires exactly {} (REQNTID)", text(block),
                                        text(*kernel.required_block)));
    if (block[0] > 1024 || block[1] > 1024 || block[2] > 64 || threads > 1024)
        return bad(
            "block",
            fmt::format("{} is beyond the hardware's limits: x, y <= 1024, z <= 64, at most 1024 threads",
                        text(block)));
    if (kernel.max_threads) {
        const Extent& most = *kernel.max_threads;
        const std::uint64_t limit = static_cast<std::uint64_t>(most[0]) * most[1] * most[2];
        if (threads > limit)
            return bad("block",
                       fmt::format("has {} threads, but the kernel was compiled for at most {} (MAX_THREADS)",
                                   threads, limit));
    }
    return {};
}

Status check_grid(const Workload& workload) {
    const Extent& grid = workload.grid;
    if (grid[0] > 0x7fffffffu || grid[1] > 65535 || grid[2] > 65535)
        return bad("grid",
                   fmt::format("{} is beyond the hardware's limits: x < 2^31, y and z <= 65535", text(grid)));
    if (!workload.cluster) return {};
    const Extent& cluster = *workload.cluster;
    for (std::size_t i = 0; i < 3; ++i)
        if (grid[i] % cluster[i] != 0)
            return bad("cluster",
                       fmt::format("grid {} is not a multiple of cluster {}", text(grid), text(cluster)));
    if (static_cast<std::uint64_t>(cluster[0]) * cluster[1] * cluster[2] > 16)
        return bad("cluster", fmt::format("{} has more than 16 blocks", text(cluster)));
    return {};
}

Status check_params(const Workload& workload, const KernelInfo& kernel) {
    if (workload.params.size() != kernel.params.size())
        return bad("params", fmt::format("lists {} parameters, but kernel {} takes {}",
                                         workload.params.size(), kernel.name, kernel.params.size()));
    for (std::size_t i = 0; i < kernel.params.size(); ++i) {
        const std::size_t have = param_size(workload.params[i]);
        if (have != kernel.params[i].size)
            return bad(fmt::format("params[{}]", i),
                       fmt::format("is a {} of {} bytes, but the kernel's parameter {} has {} bytes",
                                   kind_name(workload.params[i]), have, i, kernel.params[i].size));
    }
    return {};
}

// Dynamic plus static shared memory a block may have at most, bytes (CUDA programming guide, table of
// technical specifications per compute capability; the largest of any architecture we handle).
constexpr std::uint64_t kMaxSharedBytes = 227 * 1024;

}  // namespace

Status Workload::validate_against(const KernelInfo& info) const {
    if (kernel != info.name && as_utf8(kernel) != as_utf8(info.name))
        return bad("kernel", fmt::format("is '{}', but the kernel in the cubin is '{}'", kernel, info.name));
    TRY(check_block(*this, info));
    TRY(check_grid(*this));
    TRY(check_params(*this, info));
    if (static_cast<std::uint64_t>(dynamic_shared_bytes) + info.static_shared > kMaxSharedBytes)
        return bad("dynamic_shared_bytes",
                   fmt::format("{} and the kernel's {} static bytes are more than the {} that any supported "
                               "GPU gives a block",
                               dynamic_shared_bytes, info.static_shared, kMaxSharedBytes));
    bool any_output = CapturedLaunch::of(*this).has_value();
    for (const Param& param : params)
        if (const auto* buffer = std::get_if<BufferParam>(&param)) any_output = any_output || buffer->output;
    if (!any_output)
        return bad("params", "no buffer is marked \"output\": true, so a wrong result could not be noticed");
    for (const Workload& shape : shapes)
        if (auto status = shape.validate_against(info); !status) {
            Error error = status.error();
            error.where = fmt::format("shape '{}', {}", shape.name, error.where);
            return fail(std::move(error));
        }
    return {};
}

namespace {

// dtype of a Triton type; empty if there is no such dtype.
std::string dtype_of(const std::string& triton) {
    if (triton == "f8E4M3FN") return "f8e4m3";
    if (triton == "f8E5M2") return "f8e5m2";
    if (triton == "i1") return "u8";
    return dtype_from(triton) ? triton : "";
}

// Parameter lines from the signature that Triton stored; empty if it does not match the kernel's parameters.
std::vector<std::string> triton_params(const KernelInfo& kernel, const TritonEntry& triton) {
    constexpr std::size_t kScratch = 2;  // pointers after the parameters, since Triton 3.5
    const std::size_t given = triton.params.size();
    if (!triton.has_signature || kernel.params.size() < given || kernel.params.size() > given + kScratch)
        return {};
    std::vector<std::string> out;
    for (std::size_t i = 0; i < kernel.params.size(); ++i) {
        const std::uint32_t size = kernel.params[i].size;
        if (i >= given) {
            const bool global = i == given;
            const std::uint64_t bytes = global ? triton.global_scratch : triton.profile_scratch;
            if (size != 8) return {};
            out.push_back(
                fmt::format("    // {}: Triton's {} scratch memory, {} bytes a block\n", i,
                            global ? "global" : "profile", bytes) +
                (bytes == 0
                     ? "    {\"scalar\": {\"type\": \"u64\", \"value\": 0}}"
                     : fmt::format("    {{\"buffer\": {{\"dtype\": \"u8\", \"shape\": [{}]}}}}   // TODO: "
                                   "times the blocks of the grid",
                                   bytes)));
            continue;
        }
        const TritonParam& param = triton.params[i];
        const std::string dtype = dtype_of(param.type);
        if (dtype.empty() || size != (param.pointer ? 8 : size_of(*dtype_from(dtype)))) return {};
        std::string line = fmt::format(
            "    // {}: {}{}\n", i,
            nlohmann::json(param.name).dump(-1, ' ', true, nlohmann::json::error_handler_t::replace),
            param.divisibility != 0 ? fmt::format(", a multiple of {}", param.divisibility) : "");
        if (param.pointer)
            line += fmt::format(
                "    {{\"buffer\": {{\"dtype\": \"{}\", \"shape\": [1024], {}, \"output\": true}}}}   // "
                "TODO: shape; "
                "output only where the kernel writes it",
                dtype,
                is_integer(*dtype_from(dtype)) ? "\"init\": {\"integers\": {\"low\": 0, \"high\": 1}}"
                                               : "\"init\": {\"normal\": {\"mean\": 0, \"std\": 1}}");
        else
            line += fmt::format("    {{\"scalar\": {{\"type\": \"{}\", \"value\": {}}}}}   // TODO", dtype,
                                std::max<std::uint32_t>(
                                    1, is_integer(*dtype_from(dtype)) && size >= 2 ? param.divisibility : 1));
        out.push_back(std::move(line));
    }
    return out;
}

// Puts a comma between the value and the comment after it.
std::string with_comma(const std::string& line) {
    const std::size_t value = line.rfind("    {");
    const std::size_t comment = line.find("   // TODO", value);
    return comment == std::string::npos ? line + "," : line.substr(0, comment) + "," + line.substr(comment);
}

}  // namespace

std::string workload_template(const KernelInfo& kernel, const TritonEntry* triton) {
    std::string out =
        "// Workload of one kernel: everything that it takes to launch it. Comments are allowed.\n";
    out += "// Fields: the page \"Workloads\" of the documentation. Lines marked TODO need your answer.\n{\n";
    out += fmt::format(
        "  \"kernel\": {},\n",
        nlohmann::json(kernel.name).dump(-1, ' ', true, nlohmann::json::error_handler_t::replace));
    out += "  \"grid\": [1, 1, 1],              // TODO: blocks of the launch\n";
    if (kernel.required_block) {
        out +=
            fmt::format("  \"block\": {},         // required by the kernel\n", text(*kernel.required_block));
    } else if (triton && triton->num_warps > 0) {
        out +=
            fmt::format("  \"block\": [{}, 1, 1],           // Triton: {} warps\n",
                        static_cast<std::int64_t>(triton->num_warps) * triton->warp_size, triton->num_warps);
    } else {
        out += "  \"block\": [128, 1, 1],           // TODO: threads of a block";
        if (kernel.max_threads)
            out += fmt::format(" (at most {})", static_cast<std::uint64_t>((*kernel.max_threads)[0]) *
                                                    (*kernel.max_threads)[1] * (*kernel.max_threads)[2]);
        out += "\n";
    }
    if (triton)
        out += fmt::format("  \"dynamic_shared_bytes\": {},      // as Triton launches it\n", triton->shared);
    else
        out += "  \"dynamic_shared_bytes\": 0,      // TODO: the launch's dynamic shared memory, bytes\n";
    if (triton && triton->cooperative)
        out += "  \"cooperative\": true,          // as Triton launches it\n";
    else
        out += "  // \"cooperative\": true,        // if the kernel synchronises its whole grid\n";
    if (triton && triton->num_ctas > 1)
        out +=
            fmt::format("  \"cluster\": [{}, 1, 1],           // as Triton launches it\n", triton->num_ctas);
    else if (kernel.uses_clusters)
        out += "  \"cluster\": [1, 1, 1],           // TODO: blocks of a cluster\n";
    out += fmt::format(
        "  // dtypes: {}\n  // init: normal uniform constant range integers file\n  \"params\": [\n",
        kDtypeNames);
    const std::vector<std::string> known =
        triton ? triton_params(kernel, *triton) : std::vector<std::string>();
    for (std::size_t i = 0; i < known.size(); ++i)
        out += (i + 1 < known.size() ? with_comma(known[i]) : known[i]) + "\n";
    for (std::size_t i = known.size(); i < kernel.params.size(); ++i) {
        const KernelParam& param = kernel.params[i];
        const char* comma = i + 1 < kernel.params.size() ? "," : "";
        out += fmt::format("    // {}: {} bytes at offset {}\n", i, param.size, param.offset);
        if (param.size == 8) {
            out +=
                "    // TODO: an address or a 64-bit number (then: {\"scalar\": {\"type\": \"i64\", "
                "\"value\": 0}})\n";
            out += fmt::format(
                "    {{\"buffer\": {{\"dtype\": \"f32\", \"shape\": [1024], \"init\": {{\"normal\": "
                "{{\"mean\": 0, \"std\": "
                "1}}}}, \"output\": true}}}}{}\n",
                comma);
        } else if (param.size == 4 || param.size == 2 || param.size == 1) {
            out += fmt::format("    {{\"scalar\": {{\"type\": \"i{}\", \"value\": 1}}}}{}   // TODO\n",
                               param.size * 8, comma);
        } else {
            out += fmt::format("    {{\"raw\": {{\"hex\": \"{}\"}}}}{}   // TODO: a struct by value\n",
                               std::string(param.size * 2, '0'), comma);
        }
    }
    out +=
        "  ],\n  // Further launches of the same kernel, each with what differs; a candidate must be right "
        "in all:\n"
        "  // \"shapes\": [{\"name\": \"small\", \"grid\": [1, 1, 1], \"params\": {\"0\": {\"buffer\": "
        "{\"shape\": "
        "[512]}}}}],\n"
        "  \"check\": \"bitwise\"            // or {\"tolerance\": {\"absolute\": 0, \"relative\": "
        "0.001}}\n}\n";
    return out;
}

}  // namespace cubinlab
