// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/cli/documented.h"

#include <fstream>

#include "tests/cli/program.h"

namespace cubinlab::test {

std::vector<DocumentedBlock> documented_blocks(const std::string& name) {
    return blocks_of(std::string(CUBINLAB_SAMPLES) + "/../resources/docs/" + name);
}

std::vector<DocumentedBlock> blocks_of(const std::string& path) {
    std::ifstream in(path);
    std::vector<DocumentedBlock> out;
    std::string chapter, heading;
    bool inside = false;
    for (std::string line; std::getline(in, line);) {
        if (line.starts_with("```")) {
            inside = !inside;
            if (inside) out.push_back({chapter, heading, {}});
        } else if (inside) {
            out.back().lines.push_back(line);
        } else if (line.starts_with("#")) {
            heading = line.substr(line.find_first_not_of("# "));
            if (line.starts_with("## ")) chapter = heading;
        }
    }
    return out;
}

ShellResult run_line(const std::string& line, const std::string& folder) {
    const std::string around = "cd '" + folder + "' && export HOME='" + folder + "' PATH='" +
                               std::string(CUBINLAB_BINARY_DIR) +
                               "/bin':\"$PATH\" && unset DISPLAY WAYLAND_DISPLAY QT_QPA_PLATFORM "
                               "XDG_CACHE_HOME && exec </dev/null\n";
    const ProgramResult run = run_any("/bin/bash", {"-c", around + line});
    return {run.code, run.out, run.err};
}

}  // namespace cubinlab::test
