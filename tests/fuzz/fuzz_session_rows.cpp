// SPDX-License-Identifier: GPL-3.0-or-later
// A session file that SQLite finds nothing wrong with: a sound one whose values were changed. The input is a
// list of changes, each of them: table, column, row, kind of value, value.
#include <sqlite3.h>

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "core/base/byte_view.h"
#include "tests/core/store/session_fixture.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/fuzz/session_target.h"

using namespace cubinlab;

namespace {

struct Table {
    const char* name;
    const char* key;  // what orders its rows
    std::vector<std::string> columns;
};

const std::vector<Table>& tables() {
    static const std::vector<Table> all = {
        {"kernels", "id", {"hash", "arch", "name", "instructions", "cubin", "cubin_hash", "listing"}},
        {"workloads", "id", {"json", "kernel"}},
        {"machines", "id", {"evaluator", "device", "unit", "original_cost", "timer_step_us", "json"}},
        {"runs",
         "id",
         {"kernel", "workload", "machine", "agent", "settings", "seed", "start_step", "start_hash", "ended",
          "steps", "locked", "batch", "id"}},
        {"mutations", "step", {"step",        "parent",   "reference_step", "edit",    "outcome", "verdict",
                               "log_speedup", "low",      "high",           "cost",    "pairs",   "accepted",
                               "best",        "repeated", "schedule_hash",  "time_us", "detail",  "samples",
                               "device",      "states"}},
        {"keyframes", "step", {"step", "schedule_hash", "schedule"}},
        {"measurements", "id", {"run", "step", "outcome", "samples", "json", "states"}},
        {"metrics", "step", {"step", "name", "value"}},
        {"notes", "id", {"run", "step", "text"}},
        {"session", "id", {"id", "commits"}},
    };
    return all;
}

// A session of a dozen steps, with a note and a measurement.
const std::vector<char>& sound_session() {
    static const std::vector<char> bytes = [] {
        const testing::TempFolder folder;
        const auto file = folder / "sound.db";
        const KernelPtr kernel = testing::sample_kernel("softmax");
        testing::LogMaker log(kernel, 1, 4);
        {
            auto session = SessionWriter::open(file, kernel, "{}", "cubinlab-listing 1 k");
            RunId run = 0;
            auto sink = (*session)->begin_run(testing::header_for_tests(), log.start(), &run);
            for (int i = 0; i < 12; ++i)
                (void)(*sink)->append(log.next());
            (void)(*sink)->metric(3, "loss", 0.5);
            (void)(*session)->add_note(run, 2, "a note");
            MeasurementRecord measured;
            measured.run = run;
            measured.step = 2;
            measured.purpose = "confirm";
            (void)(*session)->add_measurement(measured);
            (void)(*sink)->finish({});
            sink->reset();
            (void)(*session)->close();
        }
        std::ifstream in(file, std::ios::binary);
        return std::vector<char>{std::istreambuf_iterator<char>(in), {}};
    }();
    return bytes;
}

void change(sqlite3* db, ByteCursor& at) {
    const Table& table = tables()[at.take<std::uint8_t>() % tables().size()];
    const std::string& column = table.columns[at.take<std::uint8_t>() % table.columns.size()];
    const int row = at.take<std::uint8_t>();
    const auto kind = at.take<std::uint8_t>();
    const std::string name = table.name, key = table.key;
    const std::string sql = "UPDATE OR IGNORE " + name + " SET " + column + " = ?1 WHERE " + key +
                            " = (SELECT " + key + " FROM " + name + " ORDER BY " + key +
                            " LIMIT 1 OFFSET ?2 % (SELECT max(1, count(*)) FROM " + name + "))";
    sqlite3_stmt* update = nullptr;
    if (sqlite3_prepare_v2(db, sql.c_str(), -1, &update, nullptr) != SQLITE_OK) return;
    sqlite3_bind_int(update, 2, row);
    switch (kind % 6) {
        case 0:
            sqlite3_bind_int64(update, 1, at.take<std::int64_t>());
            break;
        case 1:
            sqlite3_bind_int64(update, 1, at.take<std::int16_t>());
            break;
        case 2:
            sqlite3_bind_double(update, 1, at.take<double>());
            break;
        case 3:
            sqlite3_bind_null(update, 1);
            break;
        default: {
            const Bytes body = at.take_bytes(std::min<std::size_t>(at.take<std::uint16_t>(), at.left()));
            if (kind % 6 == 4)
                sqlite3_bind_text(update, 1, reinterpret_cast<const char*>(body.data()),
                                  static_cast<int>(body.size()), SQLITE_TRANSIENT);
            else
                sqlite3_bind_blob(update, 1, body.data(), static_cast<int>(body.size()), SQLITE_TRANSIENT);
        }
    }
    sqlite3_step(update);
    sqlite3_finalize(update);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::vector<char>& sound = sound_session();
    if (sound.empty()) __builtin_trap();
    sqlite3* db = nullptr;
    sqlite3_open(":memory:", &db);
    auto* copy = static_cast<unsigned char*>(sqlite3_malloc64(sound.size()));
    std::copy(sound.begin(), sound.end(), copy);
    copy[18] = copy[19] = 1;
    const auto length = static_cast<sqlite3_int64>(sound.size());
    sqlite3_deserialize(db, "main", copy, length, length,
                        SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_RESIZEABLE);
    ByteCursor at(fuzz::bytes_of(data, size));
    for (int changes = 0; changes < 16 && !at.done(); ++changes)
        change(db, at);
    sqlite3_int64 changed = 0;
    unsigned char* image = sqlite3_serialize(db, "main", &changed, 0);
    if (image != nullptr) fuzz::read_session(fuzz::bytes_of(image, static_cast<std::size_t>(changed)));
    sqlite3_free(image);
    sqlite3_close(db);
    return 0;
}
