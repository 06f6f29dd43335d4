// SPDX-License-Identifier: GPL-3.0-or-later
// Training the policy that builds orders, on the SM model with real PTX and ptxas (skipped where there is none).
#include "app/lab/study/order_training.h"

#include "core/start/ptxas.h"
#include "tests/support/catch.h"

using namespace cubinlab;

TEST_CASE("training over kernels moves the weights once for each kernel, and the same seed gives the same weights") {
    if (installed_ptxas().empty()) {
        WARN("SKIPPED, no ptxas is installed");
        return;
    }
    const std::string file = std::string(CUBINLAB_SAMPLES) + "/rmsnorm.cubin";
    OrderTraining training;
    training.episodes = OrderLearner::kEpisodes;
    training.settings.on = true;
    training.settings.share = 1;
    const auto train = [&] {
        std::vector<OrderKernel> kernels = {*required(open_order_kernel(file, EvaluatorPolicy::Model, {}, "sm_90a", {}))};
        return *required(train_orders(std::move(kernels), training, [](const std::string&) {}, {}));
    };
    const OrderTrained trained = train();
    CHECK(trained.updates == 1);
    CHECK(trained.episodes >= OrderLearner::kEpisodes);
    CHECK(trained.weights != untrained_weights());
    CHECK(train().weights == trained.weights);

    CHECK(train_orders({}, training, [](const std::string&) {}, {}).error().code == ErrorCode::BadUse);
}
