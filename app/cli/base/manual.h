// SPDX-License-Identifier: GPL-3.0-or-later
// Makes the manual page and the bash completion of a program from the commands that parse its arguments:
//
//   cubinlab manual > cubinlab.1
//   cubinlab completion bash > /etc/bash_completion.d/cubinlab
#pragma once
#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace cubinlab::cli {

struct Program {
    std::string name;
    std::string version;            // "0.1.0"
    std::string date;               // of the commit, YYYY-MM-DD; empty: unknown
    std::vector<std::string> more;  // further paragraphs of the description
};

// roff with the man macros; one section per command, the options with their defaults.
std::string manual_page(const CLI::App& app, const Program& program);
// `shell`: bash. Completes commands, options, and file names as values.
Result<std::string> completion_script(const CLI::App& app, const std::string& program,
                                      const std::string& shell);

}  // namespace cubinlab::cli
