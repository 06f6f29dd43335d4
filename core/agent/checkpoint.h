// SPDX-License-Identifier: GPL-3.0-or-later
// A policy in a file, readable whatever LibTorch wrote it:
//
//   "CLPOLICY" u32 version=1 u32 header size { JSON header } float32 values, little endian
//
// Header: agent, kernel hash, feature schema, network kind and shape, learning rate, evaluated steps, Adam's
// step count, tensors [{name, shape}], hash of the values. Values: each parameter, then Adam's first and
// second moments in the same order. Everything is compared before a single weight changes (torch::load checks
// no shapes).
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>

#include "core/agent/ppo_learner.h"
#include "core/base/hash.h"
#include "core/base/result.h"

namespace cubinlab {

inline constexpr int kFeatureSchema = 1;  // of PaperFeatures; raise it when a column changes its meaning

struct CheckpointState {
    std::string agent;
    Hash128 kernel;
    double learning_rate = 0;
    std::int64_t evaluated = 0;  // candidates so far
};

// True, as Searcher::save() says of an agent that keeps one. No exception of LibTorch leaves these two.
Result<bool> save_checkpoint(const std::filesystem::path& file, const CheckpointState& state,
                             const PpoLearner& learner);
// BadInput where the file is damaged or of another agent, kernel or network; the learner is unchanged then.
Result<CheckpointState> load_checkpoint(const std::filesystem::path& file, const std::string& agent,
                                        Hash128 kernel, PpoLearner& learner);

}  // namespace cubinlab
