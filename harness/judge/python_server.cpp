#include "harness/judge/python_server.hpp"

#include "util/json.hpp"

namespace kgen::judge {

using nlohmann::json;
using std::chrono::milliseconds;

json keyword_attributes(const core::Task& task) {
  json out = json::object();
  for (const auto& attribute : task.op->attributes) {
    const double value = task.attributes.at(attribute.name);
    if (attribute.type == "int") {
      out[attribute.name] = static_cast<std::int64_t>(value);
    } else if (attribute.type == "bool") {
      out[attribute.name] = value != 0;
    } else {
      out[attribute.name] = value;
    }
  }
  return out;
}

PythonServer::PythonServer(util::Process process, util::LineChannel channel, util::TemporaryFolder folder,
                           std::string what)
    : process_(std::move(process)),
      channel_(std::move(channel)),
      folder_(std::move(folder)),
      what_(std::move(what)) {}

Result<PythonServer> PythonServer::start(const std::string& python, const PythonProgram& program) {
  KGEN_TRY(auto folder, util::TemporaryFolder::create("kgen-python"));
  const auto script = folder.path() / program.file;
  KGEN_CHECK(util::write_file_atomic(script, program.text));
  for (const auto& module : program.modules)
    KGEN_CHECK(util::write_file_atomic(folder.path() / module.name, module.text));
  KGEN_TRY(const auto pair, util::socket_pair());
  util::FileDescriptor ours(pair.first), theirs(pair.second);
  util::SpawnOptions options;
  options.argv = {python, "-u", script.string(), std::to_string(kMessageFd)};
  options.argv.insert(options.argv.end(), program.arguments.begin(), program.arguments.end());
  options.extra_env = {{"PYTHONDONTWRITEBYTECODE", "1"}};
  options.fds = program.fds;
  options.fds[kMessageFd] = theirs.get();
  options.folder = folder.path().string();
  KGEN_TRY(auto process, util::Process::spawn(options));
  const int fd = ours.release();
  return PythonServer(std::move(process), util::LineChannel(fd, fd), std::move(folder), program.what);
}

tl::unexpected<Error> PythonServer::give_up(std::string why) {
  failure_ = std::move(why);
  process_.kill_group(9);
  return fail(ErrorKind::missing, failure_);
}

Result<json> PythonServer::read_answer(milliseconds limit) {
  std::string line;
  const auto status = channel_.read_line(line, limit);
  if (status == util::LineChannel::ReadStatus::timeout)
    return give_up(what_ + " did not answer within " + std::to_string(limit.count() / 1000) + " s");
  if (status != util::LineChannel::ReadStatus::line) return give_up("the " + what_ + " process ended");
  json answer = json::parse(line, nullptr, false);
  if (!answer.is_object()) return fail(ErrorKind::missing, "the " + what_ + " process answered nonsense");
  if (!answer.contains("error")) return answer;
  const json& error = answer["error"];
  return fail(ErrorKind::bad_input,
              what_ + ": " + (error.is_string() ? error.get<std::string>() : error.dump()));
}

Result<json> PythonServer::ask(const json& request, milliseconds limit) {
  if (!failure_.empty()) return fail(ErrorKind::missing, failure_);
  if (!channel_.write_line(request.dump())) return give_up("the " + what_ + " process ended");
  return read_answer(limit);
}

}  // namespace kgen::judge
