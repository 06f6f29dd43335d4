// SPDX-License-Identifier: GPL-3.0-or-later
// The children of this process see the stand-in driver while one of these lives.
#pragma once
#include <QString>

namespace cubinlab::ui::test {

inline const QString kTests = QStringLiteral(CUBINLAB_BINARY_DIR "/tests");
inline const QString kProgram = QStringLiteral(CUBINLAB_BINARY_DIR "/bin/cubinlab");

struct StandInDriver {
    StandInDriver() {
        qputenv("LD_LIBRARY_PATH", (kTests + QStringLiteral("/fake_driver")).toUtf8());
        qputenv("CUBINLAB_FAKE_ARENA", "500000000000");
    }
    ~StandInDriver() {
        qunsetenv("LD_LIBRARY_PATH");
        qunsetenv("CUBINLAB_FAKE_ARENA");
    }
    StandInDriver(const StandInDriver&) = delete;
    StandInDriver& operator=(const StandInDriver&) = delete;
};

}  // namespace cubinlab::ui::test
