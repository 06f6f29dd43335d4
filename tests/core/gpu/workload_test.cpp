// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gpu/protocol/workload.h"

#include <cstring>
#include <filesystem>
#include <random>

#include "core/base/file.h"
#include "tests/support/catch.h"

using namespace cubinlab;

namespace {

const char* kGood = R"({
  "kernel": "k", "grid": [8, 2], "block": [128], "dynamic_shared_bytes": 1024,
  "params": [
    {"buffer": {"dtype": "f16", "shape": [4, 8], "init": {"normal": {"mean": 0, "std": 2}}}},   // input
    {"buffer": {"dtype": "f32", "shape": [32], "output": true}},
    {"scalar": {"type": "i32", "value": -5}},
    {"scalar": {"type": "u64", "value": 18446744073709551615}},
    {"raw": {"hex": "00ff10"}}
  ],
  "check": "bitwise"
})";

std::string message_of(const std::string& json) {
    auto workload = Workload::parse(json);
    return workload ? std::string("accepted") : workload.error().message();
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    const auto at = text.find(from);
    REQUIRE(at != std::string::npos);
    return text.replace(at, from.size(), to);
}

KernelInfo kernel_of_good() {
    KernelInfo out;
    out.name = "k";
    out.params = {{0, 0, 8}, {1, 8, 8}, {2, 16, 4}, {3, 24, 8}, {4, 32, 3}};
    return out;
}

}  // namespace

TEST_CASE("A workload is read with comments") {
    auto workload = required(Workload::parse(kGood));
    CHECK(workload->grid == std::array<std::uint32_t, 3>{8, 2, 1});
    CHECK(workload->threads() == 128);
    CHECK(std::get<BufferParam>(workload->params[0]).bytes() == 64);
    CHECK(std::get<InitNormal>(std::get<BufferParam>(workload->params[0]).init).std == 2);
    CHECK(std::get<BufferParam>(workload->params[1]).output);
    const auto& scalar = std::get<ScalarParam>(workload->params[2]);
    std::int32_t value = 0;
    std::memcpy(&value, scalar.bytes.data(), 4);
    CHECK(value == -5);
    CHECK(std::get<ScalarParam>(workload->params[3]).bytes == std::vector<std::byte>(8, std::byte{0xff}));
    CHECK(std::get<RawParam>(workload->params[4]).bytes[1] == std::byte{0xff});
    CHECK(workload->validate_against(kernel_of_good()));
}

TEST_CASE("Errors name the field and the expected form") {
    CHECK(message_of(replaced(kGood, "\"f16\"", "\"f15\"")) ==
          "params[0].buffer.dtype: 'f15' is not one of f16 bf16 f32 f64 i8 u8 i16 u16 i32 u32 i64 u64 f8e4m3 "
          "f8e5m2");
    CHECK(message_of(replaced(kGood, "[4, 8]", "[4, -8]")) ==
          "params[0].buffer.shape[1]: must be a whole number from 1 to 68719476736");
    CHECK(message_of(replaced(kGood, "[4, 8]", "[68719476736, 68719476736]"))
              .find("params[0].buffer.shape: asks for more than 64 GiB") == 0);
    CHECK(message_of(replaced(kGood, "\"value\": -5", "\"value\": 3000000000")) ==
          "params[2].scalar.value: 3000000000 does not fit in i32");
    CHECK(message_of(replaced(kGood, "\"value\": -5", "\"value\": 1.5")) ==
          "params[2].scalar.value: must be a whole number, as the type is i32");
    CHECK(message_of(replaced(kGood, "\"grid\": [8, 2]", "\"grid\": []")) ==
          "grid: must be a list of 1 to 3 whole numbers [x, y, z]");
    CHECK(message_of(replaced(kGood, "\"kernel\": \"k\", ", "")) == "kernel: is missing");
    CHECK(message_of(replaced(kGood, "\"bitwise\"", "\"roughly\"")).find("check: must be \"bitwise\"") == 0);
    CHECK(message_of(replaced(kGood, "\"std\"", "\"sd\"")) ==
          "params[0].buffer.init.normal: has an unknown field 'sd'; known fields: mean std");
    CHECK(message_of(replaced(kGood, "00ff10", "00ff1")).find("params[4].raw: must be") == 0);
    CHECK(message_of("{\"kernel\": ").find("workload: is not a workload file") == 0);
}

TEST_CASE("A workload that does not fit its kernel is refused before any launch") {
    const auto workload = *Workload::parse(kGood);
    auto refused = [&](KernelInfo kernel) {
        auto status = workload.validate_against(kernel);
        return status ? std::string("accepted") : status.error().message();
    };
    KernelInfo kernel = kernel_of_good();
    kernel.required_block = std::array<std::uint32_t, 3>{256, 1, 1};
    CHECK(refused(kernel) == "block: is [128, 1, 1], but the kernel requires exactly [256, 1, 1] (REQNTID)");
    kernel = kernel_of_good();
    kernel.max_threads = std::array<std::uint32_t, 3>{64, 1, 1};
    CHECK(refused(kernel) ==
          "block: has 128 threads, but the kernel was compiled for at most 64 (MAX_THREADS)");
    kernel = kernel_of_good();
    kernel.params.pop_back();
    CHECK(refused(kernel) == "params: lists 5 parameters, but kernel k takes 4");
    kernel = kernel_of_good();
    kernel.params[2].size = 8;
    CHECK(refused(kernel) == "params[2]: is a scalar of 4 bytes, but the kernel's parameter 2 has 8 bytes");
    kernel = kernel_of_good();
    kernel.name = "other";
    CHECK(refused(kernel) == "kernel: is 'k', but the kernel in the cubin is 'other'");
    auto huge = workload;
    huge.dynamic_shared_bytes = 232 * 1024;
    CHECK_FALSE(huge.validate_against(kernel_of_good()));
    auto tall = workload;
    tall.grid = {1, 70000, 1};
    CHECK_FALSE(tall.validate_against(kernel_of_good()));
    auto mute = workload;
    std::get<BufferParam>(mute.params[1]).output = false;
    CHECK_FALSE(mute.validate_against(kernel_of_good()));
}

TEST_CASE("Every sample's workload is read") {
    int count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(CUBINLAB_SAMPLES)) {
        if (entry.path().filename().string().find(".workload.json") == std::string::npos) continue;
        auto workload = Workload::load(entry.path());
        INFO(entry.path());
        CHECK(workload);
        if (workload) CHECK_FALSE(workload->params.empty());
        ++count;
    }
    CHECK(count >= 13);
}

TEST_CASE("Every sample's workload fits its kernel") {
    for (const auto& entry : std::filesystem::directory_iterator(CUBINLAB_SAMPLES)) {
        if (entry.path().extension() != ".cubin" ||
            !std::filesystem::exists(default_workload_path(entry.path())))
            continue;
        auto workload = Workload::load(default_workload_path(entry.path()));
        auto cubin = Cubin::open(entry.path());
        INFO(entry.path());
        REQUIRE(workload);
        REQUIRE(cubin);
        auto kernel = required((*cubin)->kernel(workload->kernel));
        auto status = workload->validate_against(**kernel);
        CHECK((status ? std::string() : status.error().message()) == "");
    }
}

TEST_CASE("The template of a kernel is itself a workload that fits it") {
    KernelInfo kernel = kernel_of_good();
    kernel.required_block = std::array<std::uint32_t, 3>{64, 2, 1};
    auto workload = required(Workload::parse(workload_template(kernel)));
    CHECK(workload->validate_against(kernel));
}

TEST_CASE("Damaged workload files give an error or a workload, never a crash") {
    std::mt19937 random(5);
    const std::string base = kGood;
    for (int i = 0; i < 3000; ++i) {
        std::string text = base;
        for (int edit = 0; edit < 3; ++edit) {
            const std::size_t at = random() % text.size();
            switch (random() % 3) {
                case 0:
                    text[at] = static_cast<char>(random() & 0xff);
                    break;
                case 1:
                    text.erase(at, random() % 20);
                    break;
                default:
                    text.insert(at, text.substr(random() % text.size(), random() % 20));
                    break;
            }
        }
        auto workload = Workload::parse(text);
        if (!workload) CHECK_FALSE(workload.error().what.empty());
    }
}

TEST_CASE("An alias must name an earlier, larger buffer") {
    const std::string second = "{\"buffer\": {\"dtype\": \"f32\", \"shape\": [32], \"output\": true}}";
    CHECK(message_of(replaced(kGood, "\"shape\": [32], \"output\"",
                              "\"shape\": [8], \"alias_of\": 0, \"output\"")) == "accepted");
    CHECK(message_of(
              replaced(kGood, "\"shape\": [32], \"output\"", "\"shape\": [32], \"alias_of\": 0, \"output\""))
              .find("is smaller") != std::string::npos);
    CHECK(message_of(
              replaced(kGood, "\"shape\": [32], \"output\"", "\"shape\": [8], \"alias_of\": 2, \"output\""))
              .find("earlier buffer") != std::string::npos);
}
