// SPDX-License-Identifier: GPL-3.0-or-later
// What the tests of the preloaded library share: a folder with a tuned softmax as a job has it, and programs on the stand-in
// driver, without the library and with it.
#pragma once
#include <filesystem>
#include <fstream>
#include <sstream>

#include "core/base/file.h"
#include "core/binary/code_swap.h"
#include "tests/cli/program.h"
#include "tests/inject/edited_softmax.h"
#include "tests/support/catch.h"

namespace cubinlab::test {

inline const std::string kOther = std::string(CUBINLAB_SAMPLES) + "/rmsnorm.cubin";
inline const std::string kTests = std::string(CUBINLAB_BINARY_DIR) + "/tests";
inline const std::string kLibrary = std::string(CUBINLAB_BINARY_DIR) + "/lib/libcubinlab-inject.so";

struct Deployed {
    TemporaryFolder folder;
    std::string schedules = folder / "schedules", out = folder / "out";
    Deployed() {
        std::filesystem::create_directories(schedules);
        std::filesystem::create_directories(out);
        auto swap = required(CodeSwap::between(bytes_of(kSoftmax), edited_softmax(1, true), "softmax"));
        REQUIRE(write_text(schedules + "/softmax.schedule", swap->text()));
    }
    std::vector<nlohmann::json> results() const {
        std::vector<nlohmann::json> all;
        for (const auto& entry : std::filesystem::directory_iterator(out))
            if (entry.path().extension() == ".json")
                all.push_back(nlohmann::json::parse(std::ifstream(entry.path()), nullptr, false));
        return all;
    }
    std::vector<nlohmann::json> captures() const {
        std::vector<nlohmann::json> all;
        for (const auto& entry : std::filesystem::directory_iterator(out))
            if (std::filesystem::exists(entry.path() / "launch.json"))
                all.push_back(nlohmann::json::parse(std::ifstream(entry.path() / "launch.json"), nullptr, false));
        return all;
    }
};

inline std::vector<std::string> host(const std::string& way, const std::string& scenario,
                              const std::string& image = kSoftmax, const std::string& kernel = "softmax") {
    return {kTests + (way == "linked" ? "/inject_host_linked" : "/inject_host"), way, scenario, image,
            kernel};
}

inline ProgramResult run_plain(const std::vector<std::string>& program, std::vector<std::string> words = {}) {
    words.push_back("LD_LIBRARY_PATH=" + kTests + "/fake_driver");
    words.push_back("CUBINLAB_FAKE_ARENA=500000000000");
    words.insert(words.end(), program.begin(), program.end());
    return run_any("/usr/bin/env", words);
}

inline ProgramResult run_preloaded(const std::vector<std::string>& program, std::vector<std::string> words) {
    words.push_back("LD_PRELOAD=" + kLibrary);
    return run_plain(program, std::move(words));
}

inline ProgramResult run_with(const Deployed& deployed, const std::vector<std::string>& program,
                       std::vector<std::string> words = {}) {
    words.push_back("CUBINLAB_SCHEDULES=" + deployed.schedules);
    words.push_back("CUBINLAB_OUT=" + deployed.out);
    return run_preloaded(program, std::move(words));
}

inline ProgramResult capture(const Deployed& deployed, const std::string& kernel,
                      const std::vector<std::string>& program, std::vector<std::string> words = {}) {
    words.push_back("CUBINLAB_CAPTURE=" + kernel);
    words.push_back("CUBINLAB_OUT=" + deployed.out);
    return run_preloaded(program, std::move(words));
}

inline std::string line_of(const std::string& text, const std::string& key) {
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);)
        if (line.rfind(key + " ", 0) == 0) return line.substr(key.size() + 1);
    return {};
}

inline bool noted(const nlohmann::json& result, const std::string& what) {
    for (const nlohmann::json& note : result["notes"])
        if (note.get<std::string>().find(what) != std::string::npos) return true;
    return false;
}

}  // namespace cubinlab::test
