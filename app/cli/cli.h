// SPDX-License-Identifier: GPL-3.0-or-later
// The command line of the program. resources/docs/command-line.md describes its commands and their JSON documents.
#pragma once
#include <optional>
#include <string>

#include "core/base/result.h"

namespace cubinlab::cli {

// True if `word` names a headless command (everything else opens the window).
bool is_command(const std::string& word);
// An error if these arguments open no window: the first is neither a command nor a file. Empty: they may.
std::optional<Error> not_for_the_window(int argc, char** argv);
std::string version_line();
int run_cli(int argc, char** argv);

}  // namespace cubinlab::cli
