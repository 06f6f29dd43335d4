// SPDX-License-Identifier: GPL-3.0-or-later
// The manual page and the shells' completions of a program, made from the same commands that parse its words:
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
    std::string date;               // of the commit, YYYY-MM-DD; empty: not known
    std::vector<std::string> more;  // further paragraphs of the description
};

// roff with the man macros; one section a command, the options with their defaults.
std::string manual_page(const CLI::App& app, const Program& program);
// `shell`: bash, zsh or fish. Commands, their options, and files where a value is one.
Result<std::string> completion_script(const CLI::App& app, const std::string& program,
                                      const std::string& shell);

}  // namespace cubinlab::cli
