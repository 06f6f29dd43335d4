// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lab/probe/probe_study.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <fstream>
#include <random>
#include <set>
#include <sstream>

#include "app/lab/probe/probe_tables.h"
#include "app/lab/probe/register_name.h"
#include "core/base/file.h"
#include "core/base/utc_text.h"
#include "core/binary/eiattr.h"
#include "core/sass/decoder.h"

namespace cubinlab::probe {
namespace {

using Clock = std::chrono::steady_clock;

// Cycles; what still breaks here needs a scoreboard.
constexpr int kMost = 64;
// Of one pair: faults and hangs cost a worker each.
constexpr int kMostFailures = 3;

const char* name_of(Occupancy occupancy) {
    return occupancy == Occupancy::One ? "one" : "full";
}
const char* name_of(DependenceKind kind) {
    return kind == DependenceKind::Raw ? "raw" : kind == DependenceKind::War ? "war" : "waw";
}

Row count_row(Occupancy occupancy, int distance, const Count& count) {
    Row out = {name_of(occupancy), distance, count.wrong, count.trials};
    if (!count.failure.empty()) out.push_back(count.failure);
    return out;
}

class Study {
  public:
    Study(Bench& bench, const StudySettings& settings, std::stop_token stop)
        : bench_(bench), settings_(settings), stop_(std::move(stop)), started_(Clock::now()) {}

    Result<StudyResult> run() {
        if (auto ok = open_log(); !ok) return fail(ok.error());
        if (settings_.questions)
            if (auto ok = questions(); !ok) return fail(ok.error());
        if (settings_.pairs)
            if (auto ok = pairs(); !ok) return fail(ok.error());
        return std::move(out_);
    }

  private:
    Status open_log() {
        if (settings_.log.empty()) return {};
        std::error_code error;
        if (std::filesystem::exists(settings_.log, error)) {
            auto rows = read_log(settings_.log);
            if (!rows) return fail(rows.error());
            out_.rows = std::move(*rows);
            for (const Row& row : out_.rows) {
                if (row.contains("machine") && row["machine"] != machine())
                    return fail(ErrorCode::BadUse,
                                fmt::format("was measured on {}; give another --log for this machine",
                                            row["machine"].dump()),
                                settings_.log.string());
                remember(row);
            }
        }
        log_.open(settings_.log, std::ios::app);
        if (!log_) return fail(ErrorCode::Io, "cannot be written", settings_.log.string());
        append({{"machine", machine()}, {"date", utc_text()}});
        return {};
    }
    Row machine() const {
        const Machine& m = bench_.machine();
        return {
            {"device", m.device}, {"driver", m.driver}, {"sm", m.sm}, {"multiprocessors", m.multiprocessors}};
    }
    static std::string question_key(const Row& row) {
        return row.value("topic", "") + "/" + row.value("question", "");
    }
    bool over() {
        if (stop_.stop_requested()) {
            out_.end = "stopped";
        } else if (std::chrono::duration<double>(Clock::now() - started_).count() > settings_.seconds) {
            out_.end = fmt::format("the time limit of {} s", settings_.seconds);
        } else if (bench_.workers() > 8 && bench_.workers() * 2 > bench_.runs()) {
            out_.end = "nearly every kernel failed";
        }
        return !out_.end.empty();
    }
    bool wanted(const std::string& key) {
        if (known_.contains(key) ||
            (!settings_.only.empty() && key.find(settings_.only) == std::string::npos))
            return false;
        if (!over()) return true;
        ++out_.left;
        return false;
    }
    void add(Row row) {
        ++out_.measured;
        append(std::move(row));
    }
    void remember(const Row& row) {
        known_.insert(row.contains("pair") ? row["pair"].get<std::string>() : question_key(row));
        if (row.contains("pair") && row.contains("breaks_at") && row["breaks_at"].is_number())
            breaks_at_[row["pair"].get<std::string>()] = row["breaks_at"].get<int>();
    }
    void append(Row row) {
        remember(row);
        if (log_.is_open())
            log_ << row.dump(-1, ' ', false, Row::error_handler_t::replace) << '\n' << std::flush;
        out_.rows.push_back(std::move(row));
    }

    Status questions() {
        auto all = all_questions(bench_.book());
        if (!all) return fail(all.error());
        for (const Question& q : *all) {
            if (!wanted(q.topic + "/" + q.name)) continue;
            Row row = {{"question", q.name}, {"topic", q.topic}, {"expect", to_string(q.expect)}};
            for (const Line& l : q.experiment.core)
                row["core"].push_back(l.control.text() + " " + l.text);
            for (const Occupancy occupancy : {Occupancy::One, Occupancy::Full}) {
                auto count = answer(q, occupancy);
                if (!count) return fail(count.error());
                row[name_of(occupancy)] = {count->wrong, count->trials};
                if (!count->failure.empty()) row[name_of(occupancy)].push_back(count->failure);
                if (q.experiment.timed) row["clocks"].push_back(count->clocks);
            }
            add(std::move(row));
        }
        return {};
    }
    Result<Count> answer(const Question& q, Occupancy occupancy) {
        if (q.exit_attribute == 0) return bench_.run(q.experiment, occupancy, settings_.question_trials);
        const Shape shape = bench_.shape(occupancy, settings_.question_trials);
        auto program = build_program(bench_.book(), q.experiment, shape, bench_.exit_offset());
        if (!program) return fail(program.error());
        auto image = build_image(*bench_.cubin(), *program);
        if (!image) return fail(image.error());
        auto info = bench_.cubin()->kernel(kFrameName);
        if (!info) return fail(info.error());
        for (const InfoAttribute& attribute : (*info)->attributes)
            if (attribute.code == eiattr::kExitOffsets)
                for (std::size_t i = 0; i + 4 <= attribute.payload_size; i += 4)
                    std::memcpy(image->data() + attribute.payload_offset + i, &q.exit_attribute, 4);
        return bench_.run_image(*image, shape);
    }

    Status pairs() {
        std::vector<Pair> all = pair_catalogue();
        // A run cut short has some of every class, and what runs under no predicate first: it says where the
        // same pair with a predicate is likely to break.
        std::shuffle(all.begin(), all.end(), std::mt19937(1));
        std::stable_partition(all.begin(), all.end(), [](const Pair& p) { return !p.guarded; });
        for (std::size_t i = 0; i < all.size(); ++i) {
            const Pair& pair = all[i];
            if (i % std::max<std::size_t>(1, settings_.parts) != settings_.part || !wanted(pair.name))
                continue;
            auto row = measure(pair);
            if (!row) return fail(row.error());
            if (row->is_null())
                ++out_.absent;
            else
                add(std::move(*row));
        }
        return {};
    }
    bool absent(const Error& error) const {
        return bench_.book().arch().sm != 90 && error.code == ErrorCode::NotFound;
    }
    Result<Row> measure(const Pair& pair) {
        auto table = table_distance(bench_.book(), pair);
        // A later architecture has fewer of the catalogue's instructions.
        if (!table && absent(table.error())) return Row();
        if (!table) return fail(table.error());
        Row row = {{"pair", pair.name},
                   {"kind", name_of(pair.kind)},
                   {"first", pair.first},
                   {"second", pair.second},
                   {"resource", pair.resource}};
        row["table"] = *table ? Row(**table) : Row(nullptr);
        Row counts = Row::array();
        Status status;
        int failures = 0;
        auto broken = [&](int distance, Occupancy occupancy, std::uint64_t trials, bool keep) {
            auto experiment = experiment_of(bench_.book(), pair, distance);
            if (!experiment) {
                status = fail(experiment.error());
                return true;
            }
            auto count = bench_.run(*experiment, occupancy, trials);
            if (!count) {
                status = fail(count.error());
                return true;
            }
            failures += !count->failure.empty();
            if (keep || count->broken()) counts.push_back(count_row(occupancy, distance, *count));
            return count->broken();
        };
        const int top = *table ? **table + 2 : 40;
        int largest = broken(top, Occupancy::One, settings_.screen_trials, true) ? top : 0;
        for (int d = first_try(pair, top); d >= 1 && largest == 0 && status; --d)
            if (broken(d, Occupancy::One, settings_.screen_trials, false)) largest = d;
        if (largest > 0)
            for (const Occupancy occupancy : {Occupancy::One, Occupancy::Full})
                broken(largest, occupancy, settings_.trials, true);
        // Upwards until both occupancies hold: a store's operand may be read late only behind those of other
        // warps.
        while (status && largest < kMost && failures < kMostFailures) {
            const bool one = broken(largest + 1, Occupancy::One, settings_.trials, true);
            if (!broken(largest + 1, Occupancy::Full, settings_.trials, true) && !one) break;
            ++largest;
        }
        if (*table && **table > largest + 1)
            for (const Occupancy occupancy : {Occupancy::One, Occupancy::Full})
                if (broken(**table, occupancy, settings_.trials, true)) largest = **table;
        if (!status) return fail(status.error());
        row["breaks_at"] = failures < kMostFailures ? Row(largest) : Row(nullptr);
        row["counts"] = std::move(counts);
        return row;
    }

    // Where the way down starts: below `top`, or where the pair broke without its predicate. What lies
    // between is then tried at the next cycle and the table's alone.
    int first_try(const Pair& pair, int top) const {
        std::string plain = pair.name;
        if (const std::size_t at = plain.find("@P "); pair.guarded && at != std::string::npos)
            plain.erase(at, 3);
        const auto known = breaks_at_.find(plain);
        if (!pair.guarded || known == breaks_at_.end()) return top - 1;
        return std::clamp(known->second, 1, top - 1);
    }

    Bench& bench_;
    const StudySettings& settings_;
    std::stop_token stop_;
    Clock::time_point started_;
    std::ofstream log_;
    std::set<std::string> known_;
    std::map<std::string, int> breaks_at_;  // of the pairs measured
    StudyResult out_;
};

std::string class_of(const WordBook& book, const std::string& text, const std::string& resource, bool reads) {
    const std::string guard = text.starts_with("@P1 ") || text.starts_with("@UP0 ") ? "guard of "
                              : text.starts_with('@')                               ? "@P "
                                                                                    : "";
    if (text.ends_with("BRA")) return guard + "BRA";
    auto word = book.assemble(text);
    if (!word) return guard + text.substr(0, text.find(' '));
    const RegisterName reg = parse_register(resource);
    return operand_class(decode(book.arch(), *word, 0), reg.file, reg.number, reads);
}

bool texts(const Row& row, std::initializer_list<const char*> keys) {
    return std::all_of(keys.begin(), keys.end(),
                       [&](const char* key) { return row.contains(key) && row[key].is_string(); });
}
// Wrong and trials from `first` on.
bool counts(const Row& count, std::size_t first) {
    return count.is_array() && count.size() >= first + 2 && count[first].is_number() &&
           count[first + 1].is_number() && (count.size() == first + 2 || count[first + 2].is_string());
}
bool is_row(const Row& row) {
    if (!row.is_object()) return false;
    if (row.contains("machine")) return row["machine"].is_object();
    if (row.contains("question"))
        return texts(row, {"question", "topic", "expect"}) && row.contains("one") && counts(row["one"], 0) &&
               row.contains("full") && counts(row["full"], 0);
    if (!texts(row, {"pair", "kind", "first", "second", "resource"}) || !row.contains("counts")) return false;
    return row["counts"].is_array() &&
           std::all_of(row["counts"].begin(), row["counts"].end(),
                       [](const Row& count) { return counts(count, 2) && count[1].is_number(); });
}

// The row has the table of the day it was measured.
int table_today(const WordBook& book, const Row& row) {
    Pair pair;
    pair.name = row.value("pair", "");
    pair.kind = row.value("kind", "") == "war"   ? DependenceKind::War
                : row.value("kind", "") == "waw" ? DependenceKind::Waw
                                                 : DependenceKind::Raw;
    pair.first = row.value("first", ""), pair.second = row.value("second", "");
    pair.resource = row.value("resource", "");
    if (auto today = table_distance(book, pair); today) return today->value_or(0);
    return row.contains("table") && row["table"].is_number() ? row["table"].get<int>() : 0;
}

}  // namespace

Result<std::vector<Row>> read_log(const std::filesystem::path& path) {
    auto text = read_text(path);
    if (!text) return fail(text.error());
    std::vector<Row> out;
    std::istringstream lines(*text);
    std::string line_text;
    std::size_t number = 0;
    while (std::getline(lines, line_text)) {
        ++number;
        if (line_text.empty()) continue;
        Row row = Row::parse(line_text, nullptr, false);
        const bool last = lines.peek() == std::char_traits<char>::eof();
        if (is_row(row)) {
            out.push_back(std::move(row));
        } else if (!last || (out.empty() && line_text.front() != '{')) {  // no row cut short by a kill
            return fail(ErrorCode::BadInput, "is not a row of a probe log; give another --log",
                        fmt::format("{} line {}", path.string(), number));
        }
    }
    return out;
}

Result<StudyResult> run_study(Bench& bench, const StudySettings& settings, std::stop_token stop) {
    return Study(bench, settings, std::move(stop)).run();
}

std::vector<ClassSummary> summarise(const WordBook& book, const std::vector<Row>& rows) {
    std::map<std::tuple<std::string, std::string, std::string, std::string>, ClassSummary> classes;
    for (const int pass : {0, 1})
        for (const Row& row : rows) {
            if (!row.contains("pair") || !row.contains("breaks_at") || !row["breaks_at"].is_number())
                continue;
            const std::string kind = row.value("kind", ""), resource = row.value("resource", "");
            const std::string file = resource.substr(0, resource.find_first_of("0123456789"));
            const std::string first = class_of(book, row.value("first", ""), resource, kind == "war");
            const std::string second = class_of(book, row.value("second", ""), resource, kind == "raw");
            const int need = row["breaks_at"].get<int>() + 1;
            const int table = table_today(book, row);
            ClassSummary& c = classes[{kind, file, first, second}];
            if (pass == 0) {
                c.kind = kind, c.file = file, c.first = first, c.second = second;
                c.table_low = c.pairs == 0 ? table : std::min(c.table_low, table);
                c.table_high = std::max(c.table_high, table);
                c.need_low = c.pairs == 0 ? need : std::min(c.need_low, need);
                if (need > c.need) c.need = need, c.hardest = row.value("pair", "");
                c.above_table = c.above_table || (table > 0 && need > table);
                ++c.pairs;
                continue;
            }
            for (const Row& count : row.value("counts", Row::array())) {
                if (!count.is_array() || count.size() < 4) continue;
                const int distance = count[1].get<int>();
                if (distance == c.need - 1) {
                    c.wrong_below += count[2].get<std::uint64_t>();
                    c.trials_below += count[3].get<std::uint64_t>();
                } else if (distance >= c.need) {
                    c.wrong_at += count[2].get<std::uint64_t>();
                    c.trials_at += count[3].get<std::uint64_t>();
                }
            }
        }
    std::vector<ClassSummary> out;
    for (auto& [key, c] : classes)
        out.push_back(std::move(c));
    return out;
}

}  // namespace cubinlab::probe
