// SPDX-License-Identifier: GPL-3.0-or-later
// What each of many edits is worth, from tests of several at once: a linear model with a Gaussian prior on
// the effects, whose width and whose noise are taken from the tests themselves (evidence maximisation,
// MacKay, Neural Computation 4, 1992). A test of half the edits says something about all of them, so n tests
// tell each effect about as well as n/4 pairs of tests would that change this edit alone.
//
// Half of a test's noise is its reference's sample, which several tests may share (resources/docs/measurement.md)
// and whose time is known: what a test's reference strayed from the others of its device is one more column.
//
//   GroupFit fit = fit_groups({{{0}, 0.001, 0}, {{0, 2}, 0.004, 0}}, 3);
//   fit.effect[2] > fit.error[2]                        // worth taking
#pragma once
#include <cstdint>
#include <span>
#include <vector>

namespace cubinlab {

struct GroupTest {
    std::vector<std::uint8_t> edits;  // which ones were in, ascending
    double value = 0;                 // log speed-up seen
    std::uint8_t epoch = 0;           // tests of one epoch share a reference, and so whatever error that has
    double reference = 0;             // log of the time that its reference took; 0: not known
    std::uint16_t device = 0;         // whose times these are
};

struct GroupFit {
    std::vector<double> effect;  // by edit: shrunken estimate, log speed-up
    std::vector<double> error;   // by edit: its standard error
    std::vector<double> base;    // by epoch: value with no edit in
    std::vector<double> base_error;
    double noise = 0;  // standard deviation of one test, beside what its reference explains
    // How much of its reference's straying a value has: all of it (1) where only the sample strayed, nothing where the
    // clock did, for both sides.
    double by_reference = 0;
    // Share of the variance inside epochs that the effects account for, in the same tests that they were
    // fitted to: with as many effects as tests it is high whatever they are worth.
    double explained = 0;
};

// `edits`: how many there are (at most 256). Tests may be empty: all effects 0, errors 0.
GroupFit fit_groups(std::span<const GroupTest> tests, std::size_t edits);

}  // namespace cubinlab
