// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/cli.h"

#include <fmt/format.h>

#include <filesystem>

#include "app/cli/base/command_table.h"
#include "app/cli/base/option_checks.h"
#include "core/base/version.h"
#include "core/gpu/protocol/frame.h"
#include "core/store/schema.h"

namespace cubinlab::cli {

// CUBINLAB_COMMANDS: X(NAME) for each source of a command, from app/CMakeLists.txt.
#define X(name) void add_##name(CommandTable& table);
CUBINLAB_COMMANDS
#undef X

namespace {

// "6", of "CUBINLAB-BENCH 7\n".
std::string protocol_version() {
    const std::string_view number = std::string_view(kPreamble).substr(sizeof kPreambleStart - 1);
    return std::string(number.substr(0, number.find('\n')));
}

struct Commands {
    CommandTable table{"cubinlab",
                       "CubinLab: a workbench for SASS schedules. Without a command it opens the window "
                       "(`cubinlab help window`).",
                       version_line()};

    Commands() {
#define X(name) add_##name(table);
        CUBINLAB_COMMANDS
#undef X
        table.add_moved("bench", "cubinlab-lab budgets");
        table.add_moved("fuzz", "cubinlab-lab fuzz");
        table.add_moved("probe", "cubinlab-lab probe");
    }
};

}  // namespace

std::string version_line() {
    return fmt::format("cubinlab {}, session schema {}, worker protocol {}", version_text(), kSchema,
                       protocol_version());
}

bool is_command(const std::string& word) {
    return Commands().table.has(word);
}

std::optional<Error> not_for_the_window(int argc, char** argv) {
    if (argc < 2) return std::nullopt;
    const std::string first = argv[1];
    if (first.empty())
        return Error{ErrorCode::BadUse, "the first argument is empty; see `cubinlab help`", {}};
    if (first[0] == '-') {
        if (first != "--json") return std::nullopt;
        return Error{ErrorCode::BadUse, "--json goes after a command; see `cubinlab help`", {}};
    }
    std::error_code error;
    if (std::filesystem::exists(first, error)) return std::nullopt;
    const std::string meant = nearest(first, Commands().table.names());
    const bool word = first.find_first_of("./") == std::string::npos;
    if (word || !meant.empty())
        return Error{ErrorCode::BadUse,
                     fmt::format("'{}' is neither a command nor a file{}{}", first, hint(meant),
                                 meant.empty() ? "; see `cubinlab help`" : ""),
                     {}};
    return Error{ErrorCode::NotFound, "no such file", first};
}

int run_cli(int argc, char** argv) {
    return Commands().table.run(argc, argv);
}

}  // namespace cubinlab::cli
