// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <filesystem>
#include <utility>

#include "core/base/result.h"

namespace cubinlab {

// A temporary folder. The destructor removes it and its contents.
class ScratchFolder {
  public:
    static Result<ScratchFolder> make();  // Io
    ScratchFolder(ScratchFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}
    ScratchFolder& operator=(ScratchFolder&&) = delete;
    ~ScratchFolder();
    const std::filesystem::path& path() const { return path_; }

  private:
    explicit ScratchFolder(std::filesystem::path path) : path_(std::move(path)) {}
    std::filesystem::path path_;
};

}  // namespace cubinlab
