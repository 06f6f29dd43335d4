// SPDX-License-Identifier: GPL-3.0-or-later
// The PTX texts that the properties are tested on, and random orders of them.
#pragma once
#include <random>
#include <string>
#include <vector>

#include "core/ptx/order.h"

namespace ptx_corpus {

struct File {
    std::string name, text;
};

std::vector<File> all();                          // tests/data/ptx and the samples
std::vector<File> in(const std::string& folder);  // every .ptx below it, by name

// Keys that move units by about `far` places.
std::vector<double> random_keys(const cubinlab::ptx::Order& order, std::mt19937_64& random, double far);

}  // namespace ptx_corpus
