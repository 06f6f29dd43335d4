// SPDX-License-Identifier: GPL-3.0-or-later
// Estimates the effect of each edit from tests of many edits at once: a linear model with a Gaussian prior on
// the effects. The width of the prior and the noise come from the tests (evidence maximisation, MacKay,
// Neural Computation 4, 1992). A test of half the edits gives information about all of them, so n tests
// estimate each effect about as well as n/4 pairs of tests that change only this edit.
//
// Half of the noise of a test is its reference sample, which tests may share (resources/docs/measurement.md)
// and whose time is known: its deviation from the other references of the device is one more column.
//
//   GroupFit fit = fit_groups({{{0}, 0.001, 0}, {{0, 2}, 0.004, 0}}, 3);
//   fit.effect[2] > fit.error[2]                        // worth taking
#pragma once
#include <cstdint>
#include <span>
#include <vector>

namespace cubinlab {

struct GroupTest {
    std::vector<std::uint8_t> edits;  // indices of the applied edits, ascending
    double value = 0;                 // measured log speed-up
    std::uint8_t epoch = 0;           // tests of one epoch share a reference and its error
    double reference = 0;             // log of the reference's time; 0: not known
    std::uint16_t device = 0;         // the GPU of the measurement
};

struct GroupFit {
    std::vector<double> effect;  // by edit: shrunken estimate, log speed-up
    std::vector<double> error;   // by edit: its standard error
    std::vector<double> base;    // by epoch: value without edits
    std::vector<double> base_error;
    double noise = 0;  // standard deviation of one test, without the part that its reference explains
    // The share of a reference's deviation that is in the value: 1 if only the sample deviates, 0 if the
    // clock does (for both sides).
    double by_reference = 0;
    // Share of the variance inside epochs that the effects explain, in the tests of the fit; high for any
    // effects if there are as many effects as tests.
    double explained = 0;
};

// `edits`: number of edits, at most 256. Without tests all effects and errors are 0.
GroupFit fit_groups(std::span<const GroupTest> tests, std::size_t edits);

}  // namespace cubinlab
