// SPDX-License-Identifier: GPL-3.0-or-later
// The fields of a searcher's state, listed once: the same list is written and read.
//
//   template <class S, class F>              // S: const where it is written
//   static void fields(S& s, F& f) {
//       f.form(kState);
//       f.rng(s.rng_);
//       f.estimated(s.here_);
//       f.number(s.walked_, s.walk_ - 1);    // bounds hold for what is read
//   }
//
// What is made of the fields afterwards stands behind `if constexpr (F::kReads)`.
#pragma once

#include "core/search/search_state.h"

namespace cubinlab {

class FieldWriter {
  public:
    static constexpr bool kReads = false;
    explicit FieldWriter(StateWriter& to) : out(to) {}

    void form(std::uint64_t value) { out.number(value); }
    void rng(const Rng& value) { out.rng(value); }
    void standing(const Standing& value) { out.standing(value); }
    void estimated(const Standing& value) { out.estimated(value); }
    void mutation(const Mutation& value) { out.mutation(value); }
    void flag(bool value) { out.flag(value); }
    template <class N>
    void number(const N& value, std::uint64_t) {
        out.number(static_cast<std::uint64_t>(value));
    }
    void real(double value) { out.real(value); }
    void real(double value, double, double) { out.real(value); }
    void count(std::size_t value, std::size_t, std::size_t) { out.number(value); }
    template <class T>
    void part(const T& value) {
        value.write(out);
    }
    template <class V, class Make, class Visit>
    void each(const V& values, std::size_t, std::size_t, Make, Visit visit) {
        out.number(values.size());
        for (const auto& value : values)
            visit(value);
    }

    StateWriter& out;
};

class FieldReader {
  public:
    static constexpr bool kReads = true;
    explicit FieldReader(StateReader& from) : in(from) {}

    void form(std::uint64_t value) { in.same(value); }
    void rng(Rng& value) { value = in.rng(); }
    void standing(Standing& value) { value = in.standing(); }
    void estimated(Standing& value) { value = in.estimated(); }
    void mutation(Mutation& value) { value = in.mutation(); }
    void flag(bool& value) { value = in.flag(); }
    template <class N>
    void number(N& value, std::uint64_t most) {
        value = static_cast<N>(in.number(most));
    }
    void real(double& value) { value = in.real(); }
    void real(double& value, double least, double most) { value = in.real(least, most); }
    // Of things that take at least so many bytes each.
    void count(std::size_t& value, std::size_t least_bytes, std::size_t most) {
        value = in.count(least_bytes, most);
    }
    template <class T>
    void part(T& value) {
        value.read(in);
    }
    // `make` gives what the fields of one are read into.
    template <class V, class Make, class Visit>
    void each(V& values, std::size_t least_bytes, std::size_t most, Make make, Visit visit) {
        values.clear();
        for (std::size_t left = in.count(least_bytes, most); left > 0 && in.good(); --left) {
            values.push_back(make());
            visit(values.back());
        }
    }

    StateReader& in;
};

template <class S>
void write_fields(const S& of, StateWriter& out) {
    FieldWriter writer(out);
    S::fields(of, writer);
}

template <class S>
void read_fields(S& of, StateReader& in) {
    FieldReader reader(in);
    S::fields(of, reader);
}

// All of a state or none of it: the searcher is as before where something is wrong.
template <class S>
Status restore_whole(S& searcher, S read_back, StateReader& in) {
    read_fields(read_back, in);
    TRY(in.done());
    searcher = std::move(read_back);
    return {};
}

// A searcher whose state is its fields.
template <class S>
class StoredSearcher : public Searcher {
  public:
    bool save_state(StateWriter& out) const override {
        write_fields(static_cast<const S&>(*this), out);
        return true;
    }
    Status restore_state(StateReader& in) override {
        S& searcher = static_cast<S&>(*this);
        return restore_whole(searcher, searcher, in);
    }
};

}  // namespace cubinlab
