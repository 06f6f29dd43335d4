// SPDX-License-Identifier: GPL-3.0-or-later
// The figures of the ensemble model (core/model/ensemble.h) that a fit may change: cycles of a sub-core, unless it
// says something else. The defaults are those of the first model (core/model/sm_model.h). Meaning, sources and the
// shipped values: resources/docs/model.md; the file that `cubinlab fit` writes is read by read_parameters.
//
//   ModelParameters p = shipped_parameters(kernel->arch());
//   visit_parameters(p, [](const ParameterRange& range, double& value) { ... });
#pragma once
#include <filesystem>
#include <string>

#include "core/base/result.h"
#include "core/sass/arch.h"

namespace cubinlab {

struct ModelParameters {
    std::string name = "unfitted";  // who made them of what, in a few words
    // Releases of scoreboards after service begins; 64 bits + wider, 128 bits + wider_128.
    double shared = 29, shuffle = 29, global = 500, special = 23, constant = 28, system = 25, wider = 2;
    double wider_128 = 4;  // of 128 bits; LDSM.4 has 2 * wider
    double load_operands = 11, store_operands = 14;
    // Service of the SM's memory stage: for a request at least, for each byte of a lane. With all four sub-cores at
    // work, of whose requests it sees one after the other: a quarter of it where one has the SM for itself.
    double request = 8, shared_byte = 1, global_byte = 2;
    // The SM's pipe to shared memory, for each byte of a lane of one of four sub-cores; 0: there is none, and the figures above
    // are a share of the SM's. With it they are the sub-core's own port, whoever else is at work. How many cycles a sub-core may
    // be ahead of its share of that pipe, and of the path to L2 (global_byte); far_burst 0: an access to L2 keeps the port.
    double pipe_byte = 0, pipe_burst = 0, far_burst = 0;
    double store_issue = 4;
    double memory_issue = 4, constant_issue = 8, queue = 5;  // queue: entries
    // Matrix instructions of 16816: cycles of the pipe; of the register ports for operand a, b and c.
    double matrix = 6, matrix_a = 0, matrix_b = 0, matrix_c = 0;
    double barrier = 20;
    double branch = 0;  // of a branch that is taken
    double oldest = 0;  // 1: the oldest of several ready warps goes on, 0: the youngest
    double alone = 0;   // weight of a warp that has the sub-core for itself, beside all warps together
    double spread = 0;  // of latencies that are not known exactly, over the members: share of the value
};

struct ParameterRange {
    const char* name;
    double low, high;       // that a file may say and a fit tries
    bool uncertain;         // differs between the members of the ensemble
    bool measured = false;  // by loops of one warp: a fit leaves it alone
};

template <class Parameters, class Visit>
void visit_parameters(Parameters& p, Visit&& visit) {
    visit(ParameterRange{"shared", 15, 60, true, true}, p.shared);
    visit(ParameterRange{"shuffle", 15, 60, true, true}, p.shuffle);
    visit(ParameterRange{"global", 100, 1500, true}, p.global);
    visit(ParameterRange{"special", 10, 60, true, true}, p.special);
    visit(ParameterRange{"constant", 10, 100, true, true}, p.constant);
    visit(ParameterRange{"system", 10, 100, true}, p.system);
    visit(ParameterRange{"wider", 0, 8, false, true}, p.wider);
    visit(ParameterRange{"wider_128", 0, 16, false, true}, p.wider_128);
    visit(ParameterRange{"load_operands", 4, 40, true}, p.load_operands);
    visit(ParameterRange{"store_operands", 4, 40, true, true}, p.store_operands);
    visit(ParameterRange{"request", 1, 16, false, true}, p.request);
    visit(ParameterRange{"shared_byte", 0, 4, false, true}, p.shared_byte);
    visit(ParameterRange{"global_byte", 0, 8, false}, p.global_byte);
    visit(ParameterRange{"pipe_byte", 0, 4, false, true}, p.pipe_byte);
    visit(ParameterRange{"pipe_burst", 0, 400, false, true}, p.pipe_burst);
    visit(ParameterRange{"far_burst", 0, 1000, false}, p.far_burst);
    visit(ParameterRange{"memory_issue", 1, 8, false, true}, p.memory_issue);
    visit(ParameterRange{"store_issue", 1, 8, false, true}, p.store_issue);
    visit(ParameterRange{"constant_issue", 1, 8, false, true}, p.constant_issue);
    visit(ParameterRange{"queue", 2, 8, false}, p.queue);
    visit(ParameterRange{"matrix", 4, 32, false, true}, p.matrix);
    visit(ParameterRange{"matrix_a", 0, 3, false}, p.matrix_a);
    visit(ParameterRange{"matrix_b", 0, 3, false}, p.matrix_b);
    visit(ParameterRange{"matrix_c", 0, 3, false}, p.matrix_c);
    visit(ParameterRange{"barrier", 2, 60, true}, p.barrier);
    visit(ParameterRange{"branch", 0, 40, true, true}, p.branch);
    visit(ParameterRange{"oldest", 0, 1, false}, p.oldest);
    visit(ParameterRange{"alone", 0, 1, false}, p.alone);
    visit(ParameterRange{"spread", 0, 0.5, false}, p.spread);
}

// JSON of every value by name. Errors of reading: BadInput (unknown or missing names, values out of range).
std::string to_text(const ModelParameters& parameters);
Result<ModelParameters> parameters_from(std::string_view text, const std::string& where);
Result<ModelParameters> read_parameters(const std::filesystem::path& path);

// Fitted for the architecture where the project has measured one, else the defaults.
ModelParameters shipped_parameters(const Arch& arch);

}  // namespace cubinlab
