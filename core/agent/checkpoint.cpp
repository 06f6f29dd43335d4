// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/agent/checkpoint.h"

#include <nlohmann/json.hpp>

#include <cstring>
#include <span>
#include <vector>

#include "core/agent/ppo_learner_impl.h"
#include "core/base/bounded_json.h"
#include "core/base/file.h"

namespace cubinlab {
namespace {

using nlohmann::json;

constexpr char kMagic[8] = {'C', 'L', 'P', 'O', 'L', 'I', 'C', 'Y'};
constexpr std::uint32_t kVersion = 1;
constexpr std::size_t kPrefix = sizeof kMagic + 8;  // bytes before the header

// Parameters, first moments, second moments, by name order.
std::vector<torch::Tensor> all_tensors(const PpoLearner& learner) {
    std::vector<torch::Tensor> tensors = learner.impl().network->parameters();
    for (const torch::Tensor& t : learner.impl().adam.mean)
        tensors.push_back(t);
    for (const torch::Tensor& t : learner.impl().adam.square)
        tensors.push_back(t);
    return tensors;
}

json tensor_list(const PpoLearner& learner) {
    json list = json::array();
    for (const auto& parameter : learner.impl().network->named_parameters())
        list.push_back({{"name", parameter.key()}, {"shape", parameter.value().sizes().vec()}});
    return list;
}

json network_of(const PpoLearner& learner) {
    const NetworkShape& shape = learner.impl().network->shape();
    return {{"kind", to_string(shape.kind)},
            {"rows", shape.rows},
            {"columns", shape.columns},
            {"actions", shape.actions}};
}

Error bad(const std::filesystem::path& file, const std::string& what) {
    return {ErrorCode::BadInput, what, file.string()};
}

struct Parsed {
    json header;
    std::span<const std::byte> values;
};

Result<Parsed> parse(const std::filesystem::path& file, std::span<const std::byte> bytes) {
    if (bytes.size() < kPrefix || std::memcmp(bytes.data(), kMagic, sizeof kMagic) != 0)
        return fail(bad(file, "not a policy checkpoint"));
    std::uint32_t version = 0;
    std::uint32_t size = 0;
    std::memcpy(&version, bytes.data() + sizeof kMagic, 4);
    std::memcpy(&size, bytes.data() + sizeof kMagic + 4, 4);
    if (version != kVersion)
        return fail(bad(file, "a policy checkpoint of version " + std::to_string(version) +
                                  "; this program reads " + std::to_string(kVersion)));
    if (size > bytes.size() - kPrefix) return fail(bad(file, "the checkpoint is truncated"));
    const auto* text = reinterpret_cast<const char*>(bytes.data() + kPrefix);
    Parsed parsed{parse_json_or_discard(std::string_view(text, size)), bytes.subspan(kPrefix + size)};
    if (!parsed.header.is_object()) return fail(bad(file, "the checkpoint's header is damaged"));
    return parsed;
}

Status save(const std::filesystem::path& file, const CheckpointState& state, const PpoLearner& learner) {
    std::vector<std::byte> values;
    for (const torch::Tensor& tensor : all_tensors(learner)) {
        const torch::Tensor flat = tensor.detach().contiguous();
        const auto* data = reinterpret_cast<const std::byte*>(flat.data_ptr<float>());
        values.insert(values.end(), data, data + flat.numel() * static_cast<std::int64_t>(sizeof(float)));
    }
    const json header = {{"agent", state.agent},
                         {"kernel", state.kernel.hex()},
                         {"features", kFeatureSchema},
                         {"network", network_of(learner)},
                         {"learning_rate", state.learning_rate},
                         {"evaluated", state.evaluated},
                         {"adam_steps", learner.impl().adam.steps},
                         {"tensors", tensor_list(learner)},
                         {"hash", hash_bytes(values).hex()}};
    const std::string text = header.dump();
    std::vector<std::byte> bytes(kPrefix + text.size());
    const auto size = static_cast<std::uint32_t>(text.size());
    std::memcpy(bytes.data(), kMagic, sizeof kMagic);
    std::memcpy(bytes.data() + sizeof kMagic, &kVersion, 4);
    std::memcpy(bytes.data() + sizeof kMagic + 4, &size, 4);
    std::memcpy(bytes.data() + kPrefix, text.data(), text.size());
    bytes.insert(bytes.end(), values.begin(), values.end());
    return write_file(file, bytes);
}

Result<CheckpointState> load(const std::filesystem::path& file, const std::string& agent, Hash128 kernel,
                             PpoLearner& learner) {
    auto bytes = TRY(read_file(file));
    auto parsed = TRY(parse(file, bytes));
    const json& header = parsed.header;
    const auto of = json_or(header, "agent", "");
    if (of != agent) return fail(bad(file, "a policy of the agent '" + of + "', not of '" + agent + "'"));
    if (json_or(header, "kernel", "") != kernel.hex())
        return fail(bad(file, "a policy of another kernel; the weights of this agent do not carry over"));
    if (json_or(header, "features", 0) != kFeatureSchema)
        return fail(bad(file, "its features are of another version; train it anew"));
    if (header.value("network", json()) != network_of(learner) ||
        header.value("tensors", json()) != tensor_list(learner))
        return fail(bad(file, "its network has another shape (" + header.value("network", json()).dump() +
                                  ", here " + network_of(learner).dump() +
                                  "); use the settings it was trained with"));
    std::vector<torch::Tensor> tensors = all_tensors(learner);
    std::size_t expected = 0;
    for (const torch::Tensor& tensor : tensors)
        expected += static_cast<std::size_t>(tensor.numel()) * sizeof(float);
    if (parsed.values.size() != expected || hash_bytes(parsed.values).hex() != json_or(header, "hash", ""))
        return fail(bad(file, "the checkpoint's values are truncated or damaged"));

    const torch::NoGradGuard guard;
    const std::byte* from = parsed.values.data();
    for (torch::Tensor& tensor : tensors) {
        const std::size_t size = static_cast<std::size_t>(tensor.numel()) * sizeof(float);
        std::memcpy(tensor.data_ptr<float>(), from, size);
        from += size;
    }
    learner.impl().adam.steps = json_or(header, "adam_steps", std::int64_t{0});
    return CheckpointState{agent, kernel, json_or(header, "learning_rate", 0.0),
                           json_or(header, "evaluated", std::int64_t{0})};
}

}  // namespace

Result<bool> save_checkpoint(const std::filesystem::path& file, const CheckpointState& state,
                             const PpoLearner& learner) {
    try {
        TRY(save(file, state, learner));
        return true;
    } catch (const std::exception& error) {
        return fail(ErrorCode::Io, std::string("the policy could not be saved: ") + error.what(),
                    file.string());
    }
}

Result<CheckpointState> load_checkpoint(const std::filesystem::path& file, const std::string& agent,
                                        Hash128 kernel, PpoLearner& learner) {
    try {
        return load(file, agent, kernel, learner);
    } catch (const std::exception& error) {
        return fail(ErrorCode::BadInput, std::string("the policy could not be loaded: ") + error.what(),
                    file.string());
    }
}

}  // namespace cubinlab
