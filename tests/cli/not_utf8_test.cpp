// SPDX-License-Identifier: GPL-3.0-or-later
// File names that are not UTF-8: a document is valid JSON and still identifies the file.
#include "core/base/json_text.h"
#include "tests/cli/files.h"
#include "tests/cli/program.h"
#include "tests/support/catch.h"

using namespace cubinlab::test;

TEST_CASE("documents and errors identify a file whose name is not UTF-8") {
    const TemporaryFolder folder;
    const std::string session = folder / "s\xff\xfe.db";
    const auto bytes = [&](const nlohmann::json& document, const char* at) {
        std::string out;
        const std::string digits = document.at(cubinlab::kNotUtf8).at(at);
        for (std::size_t i = 0; i + 1 < digits.size(); i += 2)
            out += static_cast<char>(std::stoi(digits.substr(i, 2), nullptr, 16));
        return out;
    };
    const ProgramResult tuned = succeeded(run_program(
        {"tune", kBmm, "--evaluator", "model", "--budget", "10steps", "--session", session, "--json"}));
    REQUIRE(tuned.json().is_object());
    CHECK(bytes(tuned.json(), "/session") == session);
    CHECK(bytes(run_program({"runs", session, "--json"}).json(), "/session") == session);
    CHECK(bytes(run_program({"runs", session + "x", "--json"}).json(), "/error/where") == session + "x");
    CHECK_FALSE(run_program({"info", kBmm, "--json"}).json().contains(cubinlab::kNotUtf8));
}
