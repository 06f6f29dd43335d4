// SPDX-License-Identifier: GPL-3.0-or-later
// A shell script in place of ptxas, and the installed one where a test needs it.
#pragma once
#include <filesystem>
#include <fstream>
#include <string>

#include "core/base/file.h"
#include "core/base/scratch_folder.h"
#include "core/start/ptxas.h"
#include "tests/support/catch.h"

namespace cubinlab::test {

// `body` sees the arguments; its input is the PTX, its output becomes the cubin. Each start adds a line to "calls".
struct FakePtxas {
    ScratchFolder folder = std::move(*required(ScratchFolder::make()));
    Ptxas ptxas{folder.path() / "ptxas", "99.1.2"};

    explicit FakePtxas(const std::string& body) {
        required(write_text(ptxas.path,
                            "#!/bin/sh\nhere='" + folder.path().string() +
                                "'\nif [ \"$1\" = --version ]; then echo 'Cuda compilation tools, release "
                                "99.1, V99.1.2'; exit 0; fi\necho call >>\"$here/calls\"\n" +
                                body + "\n"));
        std::filesystem::permissions(ptxas.path, std::filesystem::perms::owner_all);
    }
    std::size_t calls() const {
        std::ifstream in(folder.path() / "calls");
        std::size_t lines = 0;
        for (std::string line; std::getline(in, line);)
            ++lines;
        return lines;
    }
};

// The first installed ptxas; null after a visible remark.
inline const Ptxas* real_ptxas() {
    if (!installed_ptxas().empty()) return &installed_ptxas().front();
    WARN("SKIPPED, no ptxas is installed");
    return nullptr;
}

}  // namespace cubinlab::test
