// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/outcome_row.h"

#include <bit>
#include <cmath>
#include <cstring>

namespace cubinlab {
namespace {

static_assert(std::endian::native == std::endian::little);

// SQLite keeps no NaN (it becomes NULL); a figure that is none is stored as 0 and the outcome says why.
template <class T>
T storable(T value) {
    if constexpr (std::is_floating_point_v<T>)
        return std::isfinite(value) ? value : 0;
    else
        return value;
}

std::vector<float> floats_of(std::span<const std::byte> blob) {
    std::vector<float> out(blob.size() / sizeof(float));
    if (!out.empty()) std::memcpy(out.data(), blob.data(), out.size() * sizeof(float));
    return out;
}

// Texts, hashes and lists may be empty: NULL.
template <class T>
constexpr bool kMayBeEmpty = !std::is_enum_v<T> && !std::is_arithmetic_v<T>;

template <class T>
constexpr const char* type_of() {
    if constexpr (std::is_enum_v<T> || std::is_same_v<T, std::string> || std::is_same_v<T, Hash128>)
        return "TEXT";
    if constexpr (std::is_integral_v<T>) return "INTEGER";
    if constexpr (std::is_floating_point_v<T>) return "REAL";
    return "BLOB";
}

// Puts one field after the other into the parameters of a statement.
class Binder {
  public:
    Binder(sqlite::Statement& statement, int first) : statement_(statement), at_(first) {}
    Status status;

    template <class T>
    void operator()(const char*, const T& value) {
        if constexpr (std::is_enum_v<T>)
            set(to_string(value));
        else if constexpr (std::is_arithmetic_v<T>)
            set(storable(value));
        else
            put(value);
    }

  private:
    void put(const std::string& text) { text.empty() ? set(std::nullopt) : set(text); }
    void put(const Hash128& hash) { put(hash == Hash128{} ? std::string() : hash.hex()); }
    void put(const std::vector<float>& numbers) {
        numbers.empty() ? set(std::nullopt) : set(std::as_bytes(std::span(numbers)));
    }
    void put(const std::vector<GpuReading>& readings) { put(flat(readings)); }
    template <class T>
    void set(const T& value) {
        if (status) status = statement_.set(at_, value);
        ++at_;
    }
    void set(std::uint16_t value) { set(std::uint32_t{value}); }

    sqlite::Statement& statement_;
    int at_;
};

class Taker {
  public:
    Taker(const sqlite::Statement& row, int first) : row_(row), at_(first) {}
    std::string wrong;  // why the row holds no outcome

    template <class T>
    void operator()(const char* field, T& value) {
        take(field, value);
        ++at_;
    }

  private:
    void take(const char* field, OutcomeKind& kind) { word(field, kind, parse_outcome(row_.text(at_))); }
    void take(const char* field, Verdict& verdict) { word(field, verdict, parse_verdict(row_.text(at_))); }
    void take(const char* field, double& number) {
        number = row_.real(at_);
        if (!std::isfinite(number)) wrong = std::string("its ") + field + " is not a number";
    }
    void take(const char*, std::string& text) { text = row_.text(at_); }
    void take(const char* field, Hash128& hash) {
        if (row_.null(at_)) return;
        const auto read = Hash128::from_hex(row_.text(at_));
        if (!read) wrong = std::string("its ") + field + " is not a hash";
        hash = read.value_or(Hash128{});
    }
    void take(const char*, std::vector<float>& numbers) { numbers = floats_of(row_.blob(at_)); }
    // Numbers that are not whole readings are unlike anything that this program writes: as if not stored.
    void take(const char*, std::vector<GpuReading>& readings) {
        readings = readings_from(floats_of(row_.blob(at_))).value_or(std::vector<GpuReading>{});
    }
    template <class T>
    void take(const char*, T& number) {
        static_assert(std::is_integral_v<T>);
        number = static_cast<T>(row_.integer(at_));
    }
    template <class T>
    void word(const char* field, T& value, std::optional<T> parsed) {
        if (!parsed) wrong = std::string("its ") + field + " is not a known word";
        value = parsed.value_or(value);
    }

    const sqlite::Statement& row_;
    int at_;
};

void add(std::string& list, const std::string& item) {
    list += (list.empty() ? "" : ", ") + item;
}

template <class Visit>
void each_field(Visit visit) {
    const Outcome any;
    visit_fields(any, visit);
}

}  // namespace

int outcome_column_count() {
    int count = 0;
    each_field([&](const char*, const auto&) { ++count; });
    return count;
}

const std::string& outcome_columns() {
    static const std::string columns = [] {
        std::string out;
        each_field([&](const char* field, const auto&) { add(out, field); });
        return out;
    }();
    return columns;
}

std::string outcome_parameters(int others) {
    std::string out = "?";
    for (int i = 1; i < others + outcome_column_count(); ++i)
        out += ",?";
    return out;
}

Status bind_outcome(sqlite::Statement& statement, int first, const Outcome& outcome) {
    Binder binder(statement, first);
    visit_fields(outcome, binder);
    return std::move(binder.status);
}

Result<Outcome> read_outcome(const sqlite::Statement& row, int first, const std::string& where) {
    Outcome out;
    Taker taker(row, first);
    visit_fields(out, taker);
    if (!taker.wrong.empty()) return fail(ErrorCode::Corrupt, "the row is unreadable: " + taker.wrong, where);
    return out;
}

std::string outcome_definitions() {
    std::string out;
    each_field([&](const char* field, const auto& value) {
        using Value = std::remove_cvref_t<decltype(value)>;
        add(out, std::string(field) + " " + type_of<Value>() + (kMayBeEmpty<Value> ? "" : " NOT NULL"));
    });
    return out;
}

std::string outcome_columns_of_8() {
    std::string out;
    each_field([&](const char* field, const auto& value) {
        using Value = std::remove_cvref_t<decltype(value)>;
        const std::string name = field;
        add(out, std::is_arithmetic_v<Value> ? "coalesce(" + name + ", 0)" : name);
    });
    return out;
}

}  // namespace cubinlab
