// kgen ops check: proves specifications, built-in ones and the user's own.
#include "cli/ops_check.hpp"

#include <CLI/CLI.hpp>

#include "cli/number_text.hpp"
#include "cli/proof_text.hpp"
#include "cli/setting_flags.hpp"
#include "cli/status_line.hpp"
#include "util/clock.hpp"
#include "util/interrupt.hpp"
#include "util/json.hpp"
#include "util/terminal.hpp"

namespace kgen::cli {
namespace {

struct CheckFlags {
  std::shared_ptr<FlagValues> settings;
  std::vector<std::string> names;
  bool all = false, quick = false, torch = false;
  std::string dtype;
  std::optional<std::uint64_t> seed;
};

Result<std::vector<CatalogueEntry>> chosen_ops(const CheckFlags& flags, const std::string& ops_folder) {
  if (flags.all) {
    KGEN_TRY(Catalogue catalogue, op_catalogue(ops_folder));
    if (!catalogue.left_out.empty()) return tl::unexpected(std::move(catalogue.left_out.front()));
    return std::move(catalogue.entries);
  }
  if (flags.names.empty())
    return fail(ErrorKind::bad_input, "no op is named",
                "name some, ./my_op for a folder of your own, or give --all");
  std::vector<CatalogueEntry> entries;
  for (const std::string& name : flags.names) {
    KGEN_TRY(CatalogueEntry entry, find_entry(name, ops_folder));
    entries.push_back(std::move(entry));
  }
  return entries;
}

Result<CommandResult> check_ops(const CheckFlags& flags, bool color) {
  KGEN_TRY(config::LoadedConfig loaded, load_settings(*flags.settings));
  KGEN_TRY(const auto entries, chosen_ops(flags, loaded.config.ops));
  ProofOptions options{flags.dtype, flags.seed.value_or(util::random_seed()), loaded.config.kernel_timeout_s,
                       flags.quick, flags.torch};
  KGEN_TRY(RunningWorker worker, start_worker(loaded.config));
  ProofReport report{worker.hello.device, options.seed, {}};
  if (report.device.kind == core::DeviceKind::none)
    return fail(ErrorKind::missing, "an oracle cannot be tried without a device",
                "choose --device emulator, or a worker on a machine with a GPU");
  StatusLine status(util::is_terminal(stderr));
  for (const CatalogueEntry& entry : entries) {
    status.show(entry.op->name + " ...");
    const auto on_stage = [&](const core::Stage& stage) {
      status.show(entry.op->name + ": " + stage.name + " " + significant(stage.ms) + " ms ...");
    };
    KGEN_TRY(OpProof proof, prove_op(entry, options, worker, {util::interrupted, on_stage}));
    report.proofs.push_back(std::move(proof));
  }
  return CommandResult{exit_code_of(report), proof_text(report, color),
                       document("ops check", proof_json(report))};
}

}  // namespace

void add_ops_check(CLI::App& ops, Invocation& invocation) {
  CLI::App* const command =
      add_command(ops, invocation, "check", "Prove specifications: oracle, tolerance, costs, mutants",
                  "  kgen ops check ./my_op --device emulator\n"
                  "  kgen ops check softmax --dtype bf16\n"
                  "  kgen ops check --all --quick --torch --json check.json");
  auto flags = std::make_shared<CheckFlags>();
  command->add_option("OP", flags->names, "operations by name, or folders of your own (./my_op)");
  command->add_flag("--all", flags->all, "every operation that `kgen ops list` shows");
  command->add_flag("--quick", flags->quick,
                    "the smallest shapes alone, and no mutants or kernels of the op's own");
  command->add_flag("--torch", flags->torch,
                    "also compare the oracle with the op's torch baselines (needs --python)");
  command->add_option("--dtype", flags->dtype, "this element type alone")->type_name("TYPE");
  add_seed_flag(*command, flags->seed, "repeats the inputs of an earlier check");
  flags->settings = add_setting_flags(*command, together({kWorkerSettings, {"ops"}}));
  command->callback([flags, &invocation] {
    invocation.run = [flags] { return check_ops(*flags, util::use_color(stdout)); };
  });
}

}  // namespace kgen::cli
