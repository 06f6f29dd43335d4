// SPDX-License-Identifier: GPL-3.0-or-later
// Maps instructions to source lines and back, by the cubin's line table. After a move, the line stays with
// the instruction, not with the position.
#pragma once
#include <QString>
#include <QStringList>
#include <map>
#include <memory>
#include <vector>

#include "core/base/ids.h"
#include "core/schedule/kernel.h"

namespace cubinlab::ui {

struct SourceMap {
    struct Place {
        int file = -1;  // index in `files`; -1: unknown
        int line = 0;   // from 1
    };
    KernelPtr kernel;
    QStringList files;          // as the compiler named them, most instructions first
    std::vector<Place> places;  // by InstrId
    std::vector<std::map<int, std::vector<InstrId>>> by_line;  // by file

    // Empty: the line has no instructions.
    const std::vector<InstrId>& of(int file, int line) const;
};
using SourceMapPtr = std::shared_ptr<const SourceMap>;

// Null: the kernel has no line table. Call it in a job.
SourceMapPtr make_source_map(const KernelPtr& kernel);

}  // namespace cubinlab::ui
