// SPDX-License-Identifier: GPL-3.0-or-later
// Fills a Container: walks files, archives and host programs, and records the offsets of their images.
#pragma once
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/binary/container.h"

namespace cubinlab {

class ContainerReader {
  public:
    ContainerReader(std::filesystem::path where, const ContainerLimits& limits);
    Result<std::shared_ptr<const Container>> read_path();
    Result<std::shared_ptr<const Container>> read_bytes(std::vector<std::byte> bytes);

  private:
    struct Place {  // a file or a member of an archive
        std::size_t file = 0;
        Bytes bytes;
        std::size_t offset = 0;  // in the file
        std::string member;
        int depth = 0;  // nesting of archives
    };
    Status add_file(const std::filesystem::path& path, const std::string& member, bool only);
    bool add_unread_cubin(const std::filesystem::path& path, const std::string& member);
    Status add(const Place& place, bool only);
    Status add_archive(const Place& place);
    Status add_host(const Place& place);
    Status add_unknown(const Place& place);
    std::vector<Extent> written_in(const Place& place, std::size_t size) const;
    Status add_fatbins(const Place& place, Bytes range, std::span<const Extent> within,
                       const std::string& section, bool relocatable);
    Status add_raw_elf(const Place& place, Bytes range, std::span<const Extent> within,
                       const std::string& section);
    Status add_image(Image image, const Place& place);
    Status add_folder();
    Result<std::shared_ptr<const Container>> finish();
    std::string about(const Place& place) const;

    std::shared_ptr<Container> out_;
    std::string nothing_;  // why a valid file has no device code
};

}  // namespace cubinlab
