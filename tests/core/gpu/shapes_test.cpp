// SPDX-License-Identifier: GPL-3.0-or-later
// Workloads with several shapes: how they are read, and what a candidate must do in all of them.

#include "core/gpu/client/mean_outcome.h"
#include "core/gpu/client/shapes_comparison.h"
#include "tests/support/catch.h"

using namespace cubinlab;

namespace {

const std::string kBase = R"({"kernel": "k", "grid": [4], "block": [128], "params": [
  {"buffer": {"dtype": "f32", "shape": [1024], "output": true}},
  {"buffer": {"dtype": "f32", "shape": [1024], "init": {"normal": {"mean": 0, "std": 2}}}},
  {"scalar": {"type": "i32", "value": 1024}}], "shapes": SHAPES})";

Result<Workload> with(const std::string& shapes, const std::filesystem::path& beside = {}) {
    std::string text = kBase;
    return Workload::parse(text.replace(text.find("SHAPES"), 6, shapes), beside);
}

std::string error_of(const std::string& shapes) {
    auto workload = with(shapes);
    return workload ? std::string("accepted") : workload.error().message();
}

Outcome outcome(double log_speedup, double half, Verdict verdict) {
    Outcome out;
    out.kind = OutcomeKind::Ok;
    out.verdict = verdict;
    out.speedup.log = log_speedup;
    out.speedup.low = log_speedup - half;
    out.speedup.high = log_speedup + half;
    return out;
}

}  // namespace

TEST_CASE("A shape takes what it changes and keeps the rest") {
    auto workload =
        required(with(R"([{"name": "small", "grid": [1, 2], "params": {"0": {"buffer": {"shape": [256]}},
        "1": {"buffer": {"shape": [256]}}, "2": {"scalar": {"value": 256}}}},
        {"name": "wide", "block": [256], "dynamic_shared_bytes": 4096}])"));
    REQUIRE(workload->shapes.size() == 2);
    const Workload& small = workload->shapes[0];
    CHECK(small.name == "small");
    CHECK(small.grid == std::array<std::uint32_t, 3>{1, 2, 1});
    CHECK(small.block == workload->block);
    CHECK(std::get<BufferParam>(small.params[0]).elements() == 256);
    CHECK(std::get<BufferParam>(small.params[0]).output);
    CHECK(std::get<InitNormal>(std::get<BufferParam>(small.params[1]).init).std == 2);
    CHECK(std::get<ScalarParam>(small.params[2]).text == "256");
    CHECK(std::get<BufferParam>(workload->params[0]).elements() == 1024);
    CHECK(workload->shapes[1].dynamic_shared_bytes == 4096);
    // A shape's own text is a whole workload: that is what its worker gets.
    auto again = required(Workload::parse(small.json));
    CHECK(again->grid == small.grid);
    CHECK(again->shapes.empty());
    CHECK(workload->json.find("SHAPES") == std::string::npos);
    CHECK(with("[]")->shapes.empty());
}

TEST_CASE("What is wrong with a shape is named") {
    CHECK(error_of("3").find("shapes: must be a list") != std::string::npos);
    CHECK(error_of("[3]").find("shapes[0]: must be an object") != std::string::npos);
    CHECK(error_of(R"([{}])").find("shapes[0].name: is missing") != std::string::npos);
    CHECK(error_of(R"([{"name": "a"}, {"name": "a"}])").find("shapes[1].name") != std::string::npos);
    CHECK(error_of(R"([{"name": "a", "kernel": "j"}])").find("unknown field 'kernel'") != std::string::npos);
    CHECK(error_of(R"([{"name": "a", "params": []}])").find("object of parameter numbers") !=
          std::string::npos);
    CHECK(error_of(R"([{"name": "a", "params": {"3": {}}}])").find("'3' is not a parameter number") !=
          std::string::npos);
    CHECK(error_of(R"([{"name": "a", "params": {"x": {}}}])").find("'x' is not a parameter number") !=
          std::string::npos);
    CHECK(error_of(R"([{"name": "a", "params": {"0": {"buffer": {"dtype": "f15"}}}}])")
              .find("shapes[0], params[0].buffer.dtype: 'f15'") != std::string::npos);
    CHECK(error_of(R"([{"name": "a", "grid": [0]}])").find("shapes[0], grid[0]") != std::string::npos);
}

TEST_CASE("A shape that the kernel cannot be launched with is refused by its name") {
    auto workload = required(with(R"([{"name": "tall", "block": [1024, 2]}])"));
    KernelInfo kernel;
    kernel.name = "k";
    kernel.params = {{0, 0, 8}, {1, 8, 8}, {2, 16, 4}};
    auto status = workload->validate_against(kernel);
    REQUIRE_FALSE(status);
    CHECK(status.error().message().find("shape 'tall'") != std::string::npos);
    CHECK(status.error().message().find("block") != std::string::npos);
}

TEST_CASE("Input files of shapes are found from anywhere") {
    auto workload = required(
        with(R"([{"name": "a", "params": {"1": {"buffer": {"init": {"normal": null, "file": "in.bin"}}}}}])",
             "/some/folder/k.workload.json"));
    const auto& init = std::get<BufferParam>(workload->shapes[0].params[1]).init;
    CHECK(std::get<InitFile>(init).path == "/some/folder/in.bin");
    CHECK(workload->shapes[0].json.find("/some/folder/in.bin") != std::string::npos);
    CHECK(workload->json.find("/some/folder/in.bin") != std::string::npos);
    auto elsewhere = required(Workload::parse(workload->json));
    CHECK(std::get<InitFile>(std::get<BufferParam>(elsewhere->shapes[0].params[1]).init).path ==
          "/some/folder/in.bin");
}

TEST_CASE("A candidate is FASTER over shapes only if it is right in all and slower in none") {
    const std::vector<std::string> names = {"first", "small", "wide"};
    const Outcome a = outcome(0.03, 0.002, Verdict::Faster);
    Outcome all = over_shapes({a, outcome(0.00, 0.004, Verdict::Unclear), a}, names, 0.002);
    CHECK(all.ok());
    CHECK(all.speedup.log == Approx(0.02));
    CHECK(all.speedup.low == Approx(0.02 - 0.008 / 3));
    CHECK(all.verdict == Verdict::Faster);
    CHECK(all.detail.find("small +0.00 %") != std::string::npos);
    all = over_shapes({a, outcome(-0.01, 0.002, Verdict::Slower), a}, names, 0.002);
    CHECK(all.verdict == Verdict::Unclear);
    CHECK(all.detail.find("SLOWER in small (1 of 3 shapes), so not FASTER") != std::string::npos);
    Outcome wrong;
    wrong.kind = OutcomeKind::WrongResult;
    wrong.detail = "input set 0: output params[0] differs";
    all = over_shapes({a, wrong}, names, 0.002);
    CHECK(all.kind == OutcomeKind::WrongResult);
    CHECK(all.detail.find("shape 'small'") == 0);
    CHECK(all.speedup.log == 0);
}

TEST_CASE("A comparison over shapes has the figure that a search confirms by") {
    const auto compared = [](double mean, Verdict verdict) {
        Comparison c;
        c.outcome = outcome(mean, 0.002, verdict);
        c.details.outputs_equal = true;
        return c;
    };
    const Comparison a = compared(0.03, Verdict::Faster), b = compared(-0.01, Verdict::Slower);
    const ShapesComparison all({"first", "small"}, {a, b}, 0.002);
    CHECK(all.several());
    CHECK(all.outcome.speedup.log == Approx(0.01));
    CHECK(all.outcome.verdict == Verdict::Unclear);
    CHECK(all.outputs_equal());
    REQUIRE(all.figures().size() == 2);
    CHECK(all.figures()[1] == ShapeFigure{"small", Verdict::Slower, -0.01, -0.012, -0.008});
    const ShapesComparison one = a;
    CHECK_FALSE(one.several());
    CHECK(one.figures().empty());
    CHECK(one.outcome.detail.empty());
    Comparison wrong;
    wrong.outcome.kind = OutcomeKind::WrongResult;
    const ShapesComparison failed({"first", "small", "wide"}, {a, wrong, a}, 0.002);
    CHECK(failed.outcome.kind == OutcomeKind::WrongResult);
    CHECK_THAT(failed.outcome.detail, contains_text("shape 'small'"));
    CHECK_FALSE(failed.outputs_equal());
    CHECK(failed.figures().empty());
    CHECK(failed.without_figure() == "shape small (wrong-result)");
}

TEST_CASE("A shape that nobody could measure leaves the others their figures and all of them UNCLEAR") {
    const std::vector<std::string> names = {"first", "small", "wide", "tall"};
    const Outcome a = outcome(0.03, 0.002, Verdict::Faster);
    Outcome lost, hung;
    lost.kind = OutcomeKind::WorkerLost;
    lost.detail = "gone";
    hung.kind = OutcomeKind::Hang;
    hung.detail = "no end";
    const Outcome one = over_shapes({a, lost, a, a}, names, 0.002);
    CHECK(one.kind == OutcomeKind::WorkerLost);
    CHECK(one.verdict == Verdict::Unclear);
    CHECK(one.speedup.log == 0);
    CHECK(one.detail ==
          "shape 'small': gone; alone: first +3.05 % [+2.84, +3.25], wide +3.05 % [+2.84, +3.25], tall "
          "+3.05 % [+2.84, +3.25]");
    CHECK_FALSE(is_over_shapes(one));
    // What was seen to fail counts before what is not known.
    const Outcome two = over_shapes({a, lost, hung, a}, names, 0.002);
    CHECK(two.kind == OutcomeKind::Hang);
    CHECK_THAT(two.detail, contains_text("shape 'small': gone; shape 'wide': no end; alone: first"));
}

TEST_CASE("What shapes are called changes neither a verdict nor what is said of another outcome") {
    const std::string trap = "SLOWER in mean of shapes: ";
    const Outcome gain = outcome(0.03, 0.002, Verdict::Faster), loss = outcome(-0.01, 0.002, Verdict::Slower);
    const Outcome all = over_shapes({gain, gain}, {"first", trap}, 0.002);
    CHECK(all.verdict == Verdict::Faster);
    CHECK(is_over_shapes(all));
    CHECK(all.shape_count == 2);
    CHECK(all.slower_shapes == 0);
    CHECK_FALSE(slower_in_a_shape(all));
    CHECK(slower_in_a_shape(over_shapes({gain, loss}, {"first", "b"}, 0.002)));
    Outcome lost;
    lost.kind = OutcomeKind::WorkerLost;
    CHECK_FALSE(is_over_shapes(over_shapes({gain, lost}, {"first", trap}, 0.002)));
    CHECK_FALSE(is_over_shapes(gain));
}

TEST_CASE("The workload itself is called first, unless a shape is") {
    CHECK(shape_names(*with(R"([{"name": "wide"}])")) == std::vector<std::string>{"first", "wide"});
    CHECK(shape_names(*with(R"([{"name": "first"}])")) == std::vector<std::string>{"the workload", "first"});
    CHECK(launches_in_words(*with(R"([{"name": "wide", "grid": [2, 3]}])")) ==
          "first 4x1x1 of 128x1x1, wide 2x3x1 of 128x1x1");
}
