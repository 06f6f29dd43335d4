// SPDX-License-Identifier: GPL-3.0-or-later
// Times, printed and never judged: run with the tag [bench] on a release build.
#include <chrono>
#include <iostream>

#include "core/schedule/cubin_writer.h"
#include "tests/core/schedule/test_kernels.h"

using namespace cubinlab;
using namespace cubinlab::test;

namespace {
template <class F>
double microseconds(int rounds, F&& f) {
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < rounds; ++i)
        f();
    return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count() /
           rounds;
}
}  // namespace

TEST_CASE("times of open, load, write and mutate", "[.bench]") {
    const auto path = sample("ff_swiglu_mma");  // 968 instructions, the largest sample
    const auto bytes = read_bytes(path);
    const KernelPtr kernel = load_kernel(path);
    const auto writer = required(CubinWriter::create(kernel));
    std::mt19937_64 random(1);
    const Schedule s = random_schedule(kernel, random, 200);
    const Mutation m = random_mutation(s, random, 1);
    std::size_t sum = 0;
    std::cout << "parse cubin              "
              << microseconds(200, [&] { sum += Cubin::parse(bytes, "x").has_value(); }) << " us\n"
              << "load kernel              "
              << microseconds(50, [&] { sum += (*Kernel::load(kernel->cubin_ptr()))->size(); }) << " us\n"
              << "schedule -> patches      " << microseconds(2000, [&] { sum += writer->patches(s).size(); })
              << " us\n"
              << "schedule -> image        " << microseconds(2000, [&] { sum += writer->image(s).size(); })
              << " us\n"
              << "schedule hash            " << microseconds(2000, [&] { sum += s.hash().lo; }) << " us\n"
              << "mutation on a copy       " << microseconds(2000, [&] { sum += m.applied(s).has_value(); })
              << " us\n"
              << "match                    "
              << microseconds(200, [&] { sum += Schedule::match(kernel, s.words()).has_value(); }) << " us\n"
              << "difference               "
              << microseconds(200, [&] { sum += difference(Schedule(kernel), s).edits.size(); }) << " us\n";
    CHECK(sum > 0);
}
