// SPDX-License-Identifier: GPL-3.0-or-later
// May the window write this file? The rules of the command line (core/base/output_file.h), where the inputs
// are everything that any window has open: its file with listing and workload, what the workload reads, the
// session, the other file that it is compared with. Those are never overwritten, whatever was confirmed. A
// file dialog that asked before it named an existing file stands for --force.
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
    OwnOnly,    // of existing files only those that this program made of this kernel
    Confirmed,  // somebody was asked, and said yes
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

// Of one window.
std::vector<std::filesystem::path> open_files(const Document& document, const RunController& controller);

OutputFile output_file(const QString& path, Replace replace, std::uint64_t bytes = 1 << 16);

// For what Qt writes at once (pictures, tables): checked, and a link in its place is taken away, because Qt
// would write the file behind it.
Status make_way(const QString& path, Replace replace);

}  // namespace cubinlab::ui
