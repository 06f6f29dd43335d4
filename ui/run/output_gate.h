// SPDX-License-Identifier: GPL-3.0-or-later
// Whether the window may write a file, by the rules of the command line (core/base/output_file.h). Inputs are
// all files that any window has open: the kernel's file with listing and workload, the files of the workload,
// the session, the other file of a comparison. They are never overwritten, even after confirmation. A file
// dialog that asked before overwriting counts as --force.
//
//   const OutputFile out = output_file(path, Replace::Confirmed);   // on the GUI thread
//   if (auto free = check_output(out); !free) return fail(free.error());   // on any
#pragma once
#include <QString>
#include <filesystem>
#include <functional>
#include <map>
#include <vector>

#include "core/base/output_file.h"

class QObject;

namespace cubinlab::ui {

class Document;
class RunController;

enum class Replace {
    OwnOnly,    // overwrite only files that this program wrote for this kernel
    Confirmed,  // the user agreed
};

class OpenFiles {  // GUI thread only
  public:
    using Files = std::function<std::vector<std::filesystem::path>()>;
    static OpenFiles& instance();
    void add(const QObject* window, Files files) { windows_[window] = std::move(files); }
    void remove(const QObject* window) { windows_.erase(window); }
    std::vector<std::filesystem::path> all() const;

  private:
    OpenFiles() = default;
    std::map<const QObject*, Files> windows_;
};

// The open files of one window.
std::vector<std::filesystem::path> open_files(const Document& document, const RunController& controller);

OutputFile output_file(const QString& path, Replace replace, std::uint64_t bytes = 1 << 16);

// For files that Qt writes at once (pictures, tables): checks the path and removes a link there, because Qt
// would write its target.
Status make_way(const QString& path, Replace replace);

}  // namespace cubinlab::ui
