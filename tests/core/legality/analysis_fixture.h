// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels and edits for the tests of core/legality.
#pragma once
#include <random>
#include <string>
#include <vector>

#include "core/legality/hazard_checker.h"
#include "tests/support/catch.h"

namespace cubinlab::test {

// `path` relative to samples/ ("bmm_mma.cubin") or, with a slash in front, to tests/data/
// ("/cubins/k1.80.cubin").
std::shared_ptr<const Cubin> open_cubin(const std::string& path);
KernelPtr load_kernel(const std::string& path, const std::string& name = {});
// Its texture fetches with a bit set that no compiled code has shown: words that are not decoded.
KernelPtr with_unknown_fetches(const KernelPtr& kernel);
// Every kernel of every sample and test cubin that can be edited.
struct NamedKernel {
    std::string file;
    KernelPtr kernel;
};
std::vector<NamedKernel> all_kernels();
std::vector<NamedKernel> sample_kernels();

inline InstrId at_offset(std::uint32_t offset) {
    return offset / kWordBytes;
}
// The schedule with one control field changed.
Schedule with_stall(Schedule schedule, InstrId id, int stall);

bool has_rule(const Legality& legality, Rule rule);
bool has_rule(const Legality& legality, Rule rule, InstrId earlier, InstrId later);
std::string describe(const Legality& legality);

// It can be taken back, and its text form is itself.
void expect_a_mutation_like_any_other(const Schedule& before, const Mutation& mutation);

// A random mutation: moves of all distances, and edits of every control field; legal or not.
Mutation random_mutation(const Schedule& schedule, std::mt19937& random);

}  // namespace cubinlab::test
