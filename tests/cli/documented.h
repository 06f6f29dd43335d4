// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the command lines of a document: the lines of its fenced blocks, and under which heading they stand.
#pragma once
#include <string>
#include <vector>

namespace cubinlab::test {

struct DocumentedBlock {
    std::string chapter, heading;  // of the second level, of any
    std::vector<std::string> lines;
};

// Of a page of resources/docs.
std::vector<DocumentedBlock> documented_blocks(const std::string& name);
// Of any file that is written like such a page.
std::vector<DocumentedBlock> blocks_of(const std::string& path);

// What a shell makes of the line: in `folder`, which is its home, with the built program as `cubinlab`, no input and no
// display.
struct ShellResult {
    int code = -1;
    std::string out, err;
};
ShellResult run_line(const std::string& line, const std::string& folder);

}  // namespace cubinlab::test
