// SPDX-License-Identifier: GPL-3.0-or-later
// Which line of which source file an instruction came from, and the other way round, by the cubin's line table.
// After a move the line belongs to the instruction, not to the place.
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
        int file = -1;  // in `files`; -1: not known
        int line = 0;   // from 1
    };
    KernelPtr kernel;
    QStringList files;          // as the compiler named them, most instructions first
    std::vector<Place> places;  // by InstrId
    std::vector<std::map<int, std::vector<InstrId>>> by_line;  // by file

    // Empty: no instruction of that line.
    const std::vector<InstrId>& of(int file, int line) const;
};
using SourceMapPtr = std::shared_ptr<const SourceMap>;

// Null: the kernel has no line table. For jobs.
SourceMapPtr make_source_map(const KernelPtr& kernel);

}  // namespace cubinlab::ui
