// SPDX-License-Identifier: GPL-3.0-or-later
// What an edit may be expected to bring before it is measured, learned from the measured runs of other kernels: a linear
// function of what the edit is (core/search/edit_features.h). It says which of several legal edits is tried first and forbids
// none. `cubinlab learn S.db... --prior FILE` makes one (core/claims/prior_fit.h).
//
//   EditPriorPtr prior = built_in_prior();
//   prior->expected(features.of(schedule, mutation))      // percent of log speed-up
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/search/edit_features.h"

namespace cubinlab {

class EditPrior {
  public:
    struct Source {
        std::string kernel;  // function name
        std::uint64_t edits = 0;
    };
    using Weights = std::array<double, EditFeatures::kCount>;

    std::string evaluator = "gpu";     // what its figures are: "gpu" or "model"
    std::vector<std::string> devices;  // "NVIDIA H200"
    std::vector<Source> learned_from;
    double base = 0;    // of any edit
    Weights weights{};  // percent of log speed-up

    double expected(const EditFeatures::Row& row) const;
    std::uint64_t fingerprint() const;  // of base and weights as they are printed

    // JSON: weights by the names of their features, those of 0 left out. BadInput: not such a file, an unknown feature.
    std::string text() const;
    static Result<EditPrior> parse(std::string_view json);
};

using EditPriorPtr = std::shared_ptr<const EditPrior>;

// That of resources/model/edit-prior.json.
const EditPriorPtr& built_in_prior();

}  // namespace cubinlab
