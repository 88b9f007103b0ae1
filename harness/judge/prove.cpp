#include "harness/judge/prove.hpp"

#include <algorithm>
#include <iterator>

#include "harness/judge/check_cases.hpp"
#include "harness/judge/oracle_trial.hpp"
#include "harness/judge/proof_case.hpp"
#include "harness/judge/torch_agreement.hpp"
#include "util/clock.hpp"
#include "util/text.hpp"

namespace kgen::judge {

using core::Finding;

namespace {

constexpr std::size_t kQuickShapes = 3;
/// A quick look by torch takes the largest shapes of up to this work as well, and as many as it takes to
/// compare at three of them: at the smallest ones (one key, one element a group) hardly a term counts, or
/// torch refuses.
constexpr std::int64_t kQuickTorchWork = 1 << 18;
constexpr std::size_t kQuickTorchShapes = 2 * kQuickShapes;
/// Elements, or flops by 32, of the largest shape that a GPU proves: the host looks at each element some ten
/// times.
constexpr std::int64_t kMostWork = 1 << 22;

struct ProofShape {
  core::Task task;
  std::int64_t work = 0;
  bool has_results = false;  ///< outputs have elements
  bool for_torch = false;    ///< proven where torch was compared at too few shapes alone
};

Result<ProofShape> proof_shape(core::Task task) {
  KGEN_TRY(const auto tensors, core::tensors_of(task));
  KGEN_TRY(const core::Cost cost, core::cost_of(task));
  ProofShape out{std::move(task), cost.flops / 32};
  std::int64_t elements = 0;
  for (const auto& tensor : tensors) {
    elements += tensor.elements;
    out.has_results |= tensor.role != core::Role::input && tensor.elements > 0;
  }
  out.work = std::max(out.work, elements);
  return out;
}

/// The task's own shape and the op's check shapes that its attributes allow, the smallest first; `tally` is
/// told of others.
Result<std::vector<ProofShape>> all_shapes(const core::Task& task, ProofTally& tally) {
  std::vector<ProofShape> shapes;
  KGEN_TRY(auto own, proof_shape(task));
  shapes.push_back(std::move(own));
  std::vector<std::string> left_out;
  for (const auto& check : task.op->check_shapes) {
    auto at = core::at_shape(task, check.dims, check.attributes);
    if (!at) {
      left_out.push_back(at.error().message);
      continue;
    }
    if (at->dims == task.dims && at->attributes == task.attributes) continue;
    KGEN_TRY(auto shape, proof_shape(std::move(*at)));
    shapes.push_back(std::move(shape));
  }
  if (!left_out.empty())
    tally.skip("check shapes", "not shapes with the task's attributes: " + util::join(left_out, "; "));
  std::stable_sort(shapes.begin(), shapes.end(),
                   [](const ProofShape& a, const ProofShape& b) { return a.work < b.work; });
  return shapes;
}

/// A proof on its way.
class Prover {
 public:
  Prover(const Workplace& workplace, const core::ProofRequest& request)
      : workplace_(workplace),
        request_(request),
        op_(*request.task.op),
        limit_(static_cast<std::int64_t>(request.oracle_timeout_s * 1000)),
        torch_(op_, workplace.python_oracles, limit_) {}

  Result<core::ProofReply> run(const StageEvent& on_stage);

 private:
  bool is_emulated() const { return workplace_.facts.kind == core::DeviceKind::emulator; }
  std::string device_text() const { return is_emulated() ? "the emulator" : "a proof"; }
  /// Whether the first distribution alone is tried there.
  bool is_in_part(const ProofShape& shape) const { return is_emulated() && shape.work > kEmulatedWhole; }
  std::vector<ProofShape> chosen(std::vector<ProofShape> shapes);
  std::vector<ProofShape> quick_shapes(std::vector<ProofShape> shapes) const;
  Result<bool> prove_shape(const ProofShape& shape);
  Result<bool> prove_case(OracleTrial& trial, ProofCase& one);

  const Workplace& workplace_;
  const core::ProofRequest& request_;
  const core::Op& op_;
  run::Milliseconds limit_;
  ProofTally tally_;
  TorchAgreement torch_;
  std::string python_place_;  ///< on a GPU: where reference.py computed
};

/// The smallest shapes that have results, and those without on the way; then, for torch, the others of up to
/// kQuickTorchWork, the largest first.
std::vector<ProofShape> Prover::quick_shapes(std::vector<ProofShape> shapes) const {
  std::vector<ProofShape> kept, further;
  std::size_t with_results = 0;
  for (ProofShape& shape : shapes) {
    if (with_results < kQuickShapes) {
      with_results += shape.has_results ? 1 : 0;
      kept.push_back(std::move(shape));
    } else if (request_.torch && shape.has_results && shape.work <= kQuickTorchWork) {
      shape.for_torch = true;
      further.push_back(std::move(shape));
    }
  }
  std::move(further.rbegin(), further.rend(), std::back_inserter(kept));
  return kept;
}

/// What the device can do in reasonable time; says what is left out.
std::vector<ProofShape> Prover::chosen(std::vector<ProofShape> shapes) {
  const std::int64_t most = is_emulated() ? kEmulatedInPart : kMostWork;
  std::vector<std::string> left_out, in_part;
  std::vector<ProofShape> kept;
  for (ProofShape& shape : shapes) {
    if (shape.work > most) {
      left_out.push_back(core::describe_dims(shape.task));
      continue;
    }
    if (is_in_part(shape)) in_part.push_back(core::describe_dims(shape.task));
    kept.push_back(std::move(shape));
  }
  if (request_.quick) return quick_shapes(std::move(kept));
  if (!left_out.empty())
    tally_.skip("large shapes", "too much work for " + device_text() + ": " + util::join(left_out, "; "));
  if (!in_part.empty() && op_.distributions.size() > 1)
    tally_.skip("distributions but the first",
                "too much work for the emulator: " + util::join(in_part, "; "));
  return kept;
}

Result<bool> Prover::prove_case(OracleTrial& trial, ProofCase& one) {
  const unsigned char poisons[] = {kNanPoison, finite_poison(one.input.seed)};
  for (const int run : {0, 1}) {
    auto made = trial.run(one.input, poisons[run]);
    if (!made && made.error().kind != ErrorKind::bad_input) return tl::unexpected(made.error());
    if (!made) {
      tally_.fail("oracle", one.where, made.error().message);
      return false;
    }
    (run == 0 ? one.first : one.second) = std::move(*made);
  }
  tally_.pass("oracle");
  const auto untouched = [&](std::size_t output, int run) { return trial.untouched(output, poisons[run]); };
  if (!check_written(one, untouched, tally_) || !check_repeatable(one, tally_)) return false;
  const bool readable = check_numbers(one, tally_);
  const auto linked = workplace_.references.find(op_.name);
  if (linked != workplace_.references.end() && linked->second == op_.hash) {
    KGEN_CHECK(check_agreement(one, tally_));
  }
  if (readable) KGEN_CHECK(check_tolerance(one, tally_));
  if (readable && request_.torch) KGEN_CHECK(torch_.meet(one));
  return true;
}

Result<bool> Prover::prove_shape(const ProofShape& shape) {
  auto trial = OracleTrial::open(workplace_, shape.task, limit_);
  if (!trial && trial.error().kind != ErrorKind::bad_input) return tl::unexpected(trial.error());
  if (!trial) {
    tally_.fail("oracle", core::describe(shape.task), trial.error().message);
    return false;
  }
  KGEN_TRY(const auto tensors, core::tensors_of(shape.task));
  const auto end_trial = [&] {
    if (workplace_.device->shares_with_oracles()) python_place_ = trial->python_place();
    trial->close();
  };
  for (const auto& distribution : op_.distributions) {
    if (is_in_part(shape) && &distribution != &op_.distributions.front()) break;
    ProofCase one{shape.task,
                  tensors,
                  input_case(request_.seed, shape.task, distribution, 0),
                  core::describe(shape.task) + ", " + distribution.name,
                  {},
                  {}};
    KGEN_TRY(const bool go_on, prove_case(*trial, one));
    if (go_on) continue;
    end_trial();
    return false;
  }
  end_trial();
  return true;
}

Result<core::ProofReply> Prover::run(const StageEvent& on_stage) {
  KGEN_TRY(auto all, all_shapes(request_.task, tally_));
  const auto shapes = chosen(std::move(all));
  if (std::ranges::none_of(shapes, &ProofShape::has_results))
    tally_.fail("oracle", "",
                "was run nowhere: every shape that has results is too much work for " + device_text() +
                    "; give a check shape of fewer elements");
  for (const ProofShape& shape : shapes) {
    if (shape.for_torch && !torch_.wants(kQuickTorchShapes)) break;
    const util::Stopwatch watch;
    auto go_on = prove_shape(shape);
    workplace_.device->drop_sets();
    if (!go_on) return tl::unexpected(go_on.error());
    on_stage({core::describe(shape.task), watch.elapsed_ms()});
    if (!*go_on) break;
  }
  core::ProofReply reply{tally_.findings()};
  if (!python_place_.empty())
    reply.findings.push_back({"reference.py", Finding::State::passed, "", "computed on " + python_place_});
  if (request_.torch) {
    for (auto& finding : torch_.findings()) reply.findings.push_back(std::move(finding));
  }
  return reply;
}

}  // namespace

Result<core::ProofReply> prove(const Workplace& workplace, const core::ProofRequest& request,
                               const StageEvent& on_stage) {
  if (!workplace.device)
    return fail(ErrorKind::missing, "an oracle cannot be tried without a device",
                "choose --device emulator, or a worker on a machine with a GPU");
  return Prover(workplace, request).run(on_stage);
}

}  // namespace kgen::judge
