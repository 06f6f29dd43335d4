// SPDX-License-Identifier: GPL-3.0-or-later
// A file that this process has open, whatever it is called by now.
#pragma once
#include <sys/types.h>

#include <filesystem>

namespace cubinlab {

class OpenFileName {
  public:
    OpenFileName() = default;
    explicit OpenFileName(const std::filesystem::path& path);  // of the file that has this name now
    // The name that the system knows for it; empty: it was removed, or this process has it open no more.
    std::filesystem::path now() const;

  private:
    dev_t device_ = 0;
    ino_t number_ = 0;
};

}  // namespace cubinlab
