// A worker that does as a script says: fake_worker SCRIPT. Each line of the script is "METHOD ACTION [REST]"
// and belongs to the requests of that method. Actions:
//   result JSON   answer, and go on to the method's next request   error JSON   the same with an error
//   event JSON    one event of the request in hand                 raw TEXT     TEXT as it is ($ID is the
//   request's number) stderr TEXT   one line to stderr                               huge BYTES   a line of
//   so many bytes exit CODE | signal NUMBER | hang                               silent       no answer: wait
//   for the next request
// A method's requests use up its lines up to each result, error or silent; the last group is used again and
// again.
#include <signal.h>
#include <unistd.h>

#include <fstream>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <vector>

namespace {

using Group = std::vector<std::string>;  // lines "ACTION REST" of one request

std::map<std::string, std::vector<Group>> read_script(const char* path) {
  std::map<std::string, std::vector<Group>> script;
  std::map<std::string, bool> closed;
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) {
    const auto space = line.find(' ');
    if (space == std::string::npos || line[0] == '#') continue;
    const std::string method = line.substr(0, space), action = line.substr(space + 1);
    auto& groups = script[method];
    if (groups.empty() || closed[method]) groups.emplace_back();
    groups.back().push_back(action);
    const std::string word = action.substr(0, action.find(' '));
    closed[method] = word == "result" || word == "error" || word == "silent";
  }
  return script;
}

void say(const std::string& line) {
  std::cout << line << '\n' << std::flush;
}

void perform(const std::string& line, const nlohmann::json& id) {
  const auto space = line.find(' ');
  const std::string action = line.substr(0, space);
  std::string rest = space == std::string::npos ? "" : line.substr(space + 1);
  if (action == "result" || action == "error") {
    say(nlohmann::json{{"id", id}, {action, nlohmann::json::parse(rest)}}.dump());
  } else if (action == "event") {
    nlohmann::json event = nlohmann::json::parse(rest);
    event["id"] = id;
    say(event.dump());
  } else if (action == "raw") {
    if (const auto at = rest.find("$ID"); at != std::string::npos) rest.replace(at, 3, id.dump());
    say(rest);
  } else if (action == "stderr") {
    std::cerr << rest << std::endl;
  } else if (action == "huge") {
    say(std::string(std::stoul(rest), 'x'));
  } else if (action == "exit") {
    std::exit(std::stoi(rest));
  } else if (action == "signal") {
    signal(std::stoi(rest), SIG_DFL);
    raise(std::stoi(rest));
  } else if (action == "hang") {
    while (true) pause();
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const auto script = read_script(argv[1]);
  std::map<std::string, std::size_t> used;
  for (std::string line; std::getline(std::cin, line);) {
    const nlohmann::json request = nlohmann::json::parse(line);
    const std::string method = request.at("method");
    if (method == "shutdown") return 0;
    const auto found = script.find(method);
    if (found == script.end()) continue;
    const std::size_t turn = std::min(used[method]++, found->second.size() - 1);
    for (const std::string& action : found->second[turn]) perform(action, request.at("id"));
  }
  return 0;
}
