// SPDX-License-Identifier: GPL-3.0-or-later
// A session of one run that a test edits as anybody could, and asks whether the edit is noticed.
#pragma once
#include "core/evidence/stored_figures.h"
#include "core/store/sqlite.h"
#include "tests/core/store/session_fixture.h"
#include "tests/support/catch.h"

namespace cubinlab::testing {

struct Edited {
    TempFolder folder;
    std::filesystem::path file = folder / "s.db";
    KernelPtr kernel = sample_kernel();

    void sql(const std::string& text) const {
        auto database = required(sqlite::Database::open(file, sqlite::Mode::ReadWrite));
        REQUIRE(database->exec(text));
    }
    Result<FiguresChecked> all() const {
        auto reader = SessionReader::open(file).value();
        return check_run_figures(*reader, kernel, reader->run(1).value(), FiguresOf::EveryStep);
    }
    Result<std::string> one(StepId step) const {
        auto reader = SessionReader::open(file).value();
        return check_step_figure(*reader, kernel, reader->run(1).value(), step);
    }
    // The edit is noticed, where it was made, and taking it back mends the log.
    void noticed(StepId step, const std::string& column, const std::string& value) const {
        INFO(column << " = " << value << " at step " << step);
        const std::string where = " WHERE step = " + std::to_string(step);
        std::filesystem::copy_file(file, folder / "whole.db",
                                   std::filesystem::copy_options::overwrite_existing);
        sql("UPDATE mutations SET " + column + " = " + value + where);
        auto checked = one(step);
        REQUIRE_FALSE(checked);
        CHECK(checked.error().code == ErrorCode::Corrupt);
        CHECK_THAT(checked.error().message(), contains_text("step " + std::to_string(step)));
        CHECK_FALSE(all());
        std::filesystem::copy_file(folder / "whole.db", file,
                                   std::filesystem::copy_options::overwrite_existing);
    }
};

}  // namespace cubinlab::testing
