// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/agent/ppo_learner.h"

#include <dlfcn.h>

#include <algorithm>
#include <cmath>

#include "core/agent/advantage.h"
#include "core/agent/policy_network.h"

namespace cubinlab {

// Adam (Kingma and Ba, arXiv 1412.6980) with bias correction.
class Adam {
  public:
    explicit Adam(std::vector<torch::Tensor> parameters);
    void step(double learning_rate);  // uses and keeps the gradients
    void zero_grad();
    double clip_gradients(double largest_norm);  // returns the norm before clipping

  private:
    std::vector<torch::Tensor> parameters_;
    std::vector<torch::Tensor> mean_, square_;  // first and second moments, by parameter
    std::int64_t steps_ = 0;
};

Adam::Adam(std::vector<torch::Tensor> parameters) : parameters_(std::move(parameters)) {
    for (const torch::Tensor& parameter : parameters_) {
        mean_.push_back(torch::zeros_like(parameter));
        square_.push_back(torch::zeros_like(parameter));
    }
}

void Adam::zero_grad() {
    for (torch::Tensor& parameter : parameters_)
        if (parameter.grad().defined()) parameter.mutable_grad().zero_();
}

double Adam::clip_gradients(double largest_norm) {
    const torch::NoGradGuard guard;
    double sum = 0;
    for (const torch::Tensor& parameter : parameters_)
        if (parameter.grad().defined()) sum += std::pow(parameter.grad().norm().item<double>(), 2);
    const double norm = std::sqrt(sum);
    if (norm > largest_norm) {
        for (torch::Tensor& parameter : parameters_)
            if (parameter.grad().defined()) parameter.mutable_grad().mul_(largest_norm / (norm + 1e-6));
    }
    return norm;
}

void Adam::step(double learning_rate) {
    constexpr double kBeta1 = 0.9;
    constexpr double kBeta2 = 0.999;
    constexpr double kEpsilon = 1e-5;  // as in the paper's code
    const torch::NoGradGuard guard;
    ++steps_;
    const double correct1 = 1 - std::pow(kBeta1, static_cast<double>(steps_));
    const double correct2 = 1 - std::pow(kBeta2, static_cast<double>(steps_));
    for (std::size_t i = 0; i < parameters_.size(); ++i) {
        const torch::Tensor& gradient = parameters_[i].grad();
        if (!gradient.defined()) continue;
        mean_[i].mul_(kBeta1).add_(gradient, 1 - kBeta1);
        square_[i].mul_(kBeta2).addcmul_(gradient, gradient, 1 - kBeta2);
        const torch::Tensor scale = (square_[i].sqrt() / std::sqrt(correct2)).add_(kEpsilon);
        parameters_[i].addcdiv_(mean_[i], scale, -learning_rate / correct1);
    }
}

struct PpoLearner::Impl {
    Impl(NetworkShape shape, PpoSettings chosen, std::uint64_t seed)
        : settings(chosen), random(seed), network(make_network(shape, random)), adam(network->parameters()) {}

    PpoSettings settings;
    Rng random;
    std::shared_ptr<PolicyNetwork> network;
    Adam adam;
};

namespace {

constexpr double kMasked = -1e8;  // logit of an illegal action

torch::Tensor as_input(const std::vector<float>& observation, const NetworkShape& shape) {
    // from_blob does not copy; the network only reads.
    return torch::from_blob(const_cast<float*>(observation.data()), {1, 1, shape.rows, shape.columns},
                            torch::kFloat);
}

struct Batch {
    torch::Tensor observation, mask, action, log_probability, value, advantage, target;
};

void use_one_core() {
    at::set_num_threads(1);
    // OpenBLAS has its own setting.
    using SetThreads = void (*)(int);
    if (const auto set = reinterpret_cast<SetThreads>(dlsym(RTLD_DEFAULT, "openblas_set_num_threads")))
        set(1);
}

// Samples in double from our own generator: the same with every LibTorch, except for the logits.
void draw(const float* logit, const std::vector<std::uint8_t>& mask, Rng& random, Decision& decision) {
    decision.action = PpoLearner::kNoAction;
    double largest = -1e300;
    for (std::size_t a = 0; a < mask.size(); ++a)
        if (mask[a] != 0) largest = std::max(largest, static_cast<double>(logit[a]));
    double sum = 0;
    for (std::size_t a = 0; a < mask.size(); ++a)
        if (mask[a] != 0) sum += std::exp(static_cast<double>(logit[a]) - largest);
    double left = random.unit() * sum;
    for (std::size_t a = 0; a < mask.size(); ++a) {
        if (mask[a] == 0) continue;
        const double weight = std::exp(static_cast<double>(logit[a]) - largest);
        decision.action = static_cast<std::int64_t>(a);
        decision.log_probability = std::log(weight / sum);
        left -= weight;
        if (left < 0) break;
    }
}

Batch make_batch(const std::vector<Trajectory>& rollout, const NetworkShape& shape,
                 const PpoSettings& settings);
void learn_from(PpoLearner::Impl& learner, const Batch& batch, const torch::Tensor& indices,
                double learning_rate, UpdateReport& report);

}  // namespace

PpoLearner::PpoLearner(NetworkShape shape, PpoSettings settings, std::uint64_t seed) {
    use_one_core();
    impl_ = std::make_unique<Impl>(shape, settings, seed);
}

PpoLearner::~PpoLearner() = default;

Decision PpoLearner::decide(const std::vector<float>& observation, const std::vector<std::uint8_t>& mask) {
    const torch::NoGradGuard guard;
    const PolicyOutput out = impl_->network->forward(as_input(observation, impl_->network->shape()));
    const torch::Tensor logits = out.logits.contiguous();
    Decision decision;
    decision.value = out.value.item<double>();
    draw(logits.data_ptr<float>(), mask, impl_->random, decision);
    return decision;
}

double PpoLearner::value_of(const std::vector<float>& observation) {
    const torch::NoGradGuard guard;
    return impl_->network->forward(as_input(observation, impl_->network->shape())).value.item<double>();
}

UpdateReport PpoLearner::update(const std::vector<Trajectory>& rollout, double learning_rate) {
    const Batch batch = make_batch(rollout, impl_->network->shape(), impl_->settings);
    UpdateReport report;
    int updates = 0;
    std::vector<std::int64_t> order(static_cast<std::size_t>(batch.action.size(0)));
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = static_cast<std::int64_t>(i);
    for (int epoch = 0; epoch < impl_->settings.epochs; ++epoch) {
        for (std::size_t i = order.size(); i-- > 1;)
            std::swap(order[i], order[impl_->random.below(static_cast<std::uint32_t>(i + 1))]);
        for (std::size_t first = 0; first < order.size();
             first += static_cast<std::size_t>(impl_->settings.minibatch)) {
            const std::size_t size =
                std::min(static_cast<std::size_t>(impl_->settings.minibatch), order.size() - first);
            if (size < 2) continue;  // a single advantage cannot be normalised
            learn_from(*impl_, batch,
                       torch::tensor(std::vector<std::int64_t>(
                           order.begin() + static_cast<std::ptrdiff_t>(first),
                           order.begin() + static_cast<std::ptrdiff_t>(first + size))),
                       learning_rate, report);
            ++updates;
        }
    }
    const double scale = updates > 0 ? 1.0 / updates : 0.0;
    for (double* figure : {&report.policy_loss, &report.value_loss, &report.entropy, &report.approx_kl,
                           &report.clip_fraction, &report.gradient_norm})
        *figure *= scale;
    return report;
}

namespace {

void put(Batch& batch, std::int64_t i, const Transition& t, double advantage, double target) {
    const std::int64_t inputs = batch.observation[0].numel();
    const std::int64_t actions = batch.mask.size(1);
    std::copy(t.observation.begin(), t.observation.end(), batch.observation.data_ptr<float>() + i * inputs);
    for (std::int64_t a = 0; a < actions; ++a)
        batch.mask.data_ptr<bool>()[i * actions + a] = t.mask[static_cast<std::size_t>(a)] != 0;
    batch.action.data_ptr<std::int64_t>()[i] = t.action;
    batch.log_probability.data_ptr<float>()[i] = static_cast<float>(t.log_probability);
    batch.value.data_ptr<float>()[i] = static_cast<float>(t.value);
    batch.advantage.data_ptr<float>()[i] = static_cast<float>(advantage);
    batch.target.data_ptr<float>()[i] = static_cast<float>(target);
}

Batch make_batch(const std::vector<Trajectory>& rollout, const NetworkShape& shape,
                 const PpoSettings& settings) {
    std::int64_t count = 0;
    for (const Trajectory& one : rollout)
        count += static_cast<std::int64_t>(one.transitions.size());
    Batch batch;
    batch.observation = torch::empty({count, 1, shape.rows, shape.columns});
    batch.mask = torch::empty({count, shape.actions}, torch::kBool);
    batch.action = torch::empty({count, 1}, torch::kLong);
    batch.log_probability = torch::empty({count});
    batch.value = torch::empty({count});
    batch.advantage = torch::empty({count});
    batch.target = torch::empty({count});
    std::int64_t i = 0;
    for (const Trajectory& one : rollout) {
        std::vector<double> rewards;
        std::vector<double> values;
        std::vector<bool> ends;
        for (const Transition& t : one.transitions) {
            rewards.push_back(t.reward);
            values.push_back(t.value);
            ends.push_back(t.ends);
        }
        const Advantages estimate =
            estimate_advantages(rewards, values, ends, one.value_after, settings.gamma, settings.gae_lambda);
        for (std::size_t t = 0; t < one.transitions.size(); ++t)
            put(batch, i++, one.transitions[t], estimate.advantage[t], estimate.target[t]);
    }
    return batch;
}

void learn_from(PpoLearner::Impl& learner, const Batch& batch, const torch::Tensor& indices,
                double learning_rate, UpdateReport& report) {
    const PolicyOutput out = learner.network->forward(batch.observation.index_select(0, indices));
    const torch::Tensor mask = batch.mask.index_select(0, indices);
    const torch::Tensor all =
        torch::log_softmax(torch::where(mask, out.logits, torch::full_like(out.logits, kMasked)), 1);
    const torch::Tensor now = all.gather(1, batch.action.index_select(0, indices)).squeeze(1);
    const torch::Tensor entropy = -torch::where(mask, all * all.exp(), torch::zeros_like(all)).sum(1).mean();

    const torch::Tensor log_ratio = now - batch.log_probability.index_select(0, indices);
    const torch::Tensor ratio = log_ratio.exp();
    torch::Tensor advantage = batch.advantage.index_select(0, indices);
    advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-8);
    const torch::Tensor policy_loss =
        torch::max(-advantage * ratio,
                   -advantage * ratio.clamp(1 - learner.settings.clip, 1 + learner.settings.clip))
            .mean();

    const torch::Tensor old_value = batch.value.index_select(0, indices);
    const torch::Tensor target = batch.target.index_select(0, indices);
    const torch::Tensor clipped =
        old_value + (out.value - old_value).clamp(-learner.settings.clip, learner.settings.clip);
    const torch::Tensor value_loss =
        0.5 * torch::max((out.value - target).square(), (clipped - target).square()).mean();

    const torch::Tensor loss =
        policy_loss - learner.settings.entropy * entropy + learner.settings.value * value_loss;
    learner.adam.zero_grad();
    loss.backward();
    report.gradient_norm += learner.adam.clip_gradients(learner.settings.max_grad_norm);
    learner.adam.step(learning_rate);

    report.policy_loss += policy_loss.item<double>();
    report.value_loss += value_loss.item<double>();
    report.entropy += entropy.item<double>();
    report.approx_kl += ((ratio - 1) - log_ratio).mean().item<double>();
    report.clip_fraction +=
        ((ratio - 1).abs() > learner.settings.clip).to(torch::kFloat).mean().item<double>();
}

}  // namespace
}  // namespace cubinlab
