#include "prompt/template.hpp"

#include <kainjow/mustache.hpp>
#include <set>

namespace kgen::prompt {
namespace {

using kainjow::mustache::data;

/// Looks names up as mustache does, and remembers those that are not there: mustache itself renders them
/// empty.
class StrictContext : public kainjow::mustache::context<std::string> {
 public:
  using context::context;

  const data* get(const std::string& name) const override {
    const data* found = context::get(name);
    if (found == nullptr) unknown_.insert(name);
    return found;
  }
  const data* get_partial(const std::string& name) const override {
    unknown_.insert("> " + name);
    return nullptr;
  }
  const std::set<std::string>& unknown() const { return unknown_; }

 private:
  mutable std::set<std::string> unknown_;
};

data to_data(const Values& values) {
  data out{data::type::object};
  for (const auto& [name, text] : values.texts) out.set(name, data{text});
  for (const auto& [name, flag] : values.flags) out.set(name, data{flag});
  for (const auto& [name, items] : values.lists) {
    data list{data::type::list};
    for (const Values& item : items) list.push_back(to_data(item));
    out.set(name, list);
  }
  return out;
}

}  // namespace

Result<std::string> render(std::string_view name, const std::string& text, const Values& values) {
  kainjow::mustache::mustache parsed(text);
  const std::string where = "prompt template " + std::string(name);
  if (!parsed.is_valid()) return fail(ErrorKind::bad_input, where + ": " + parsed.error_message());
  parsed.set_custom_escape([](const std::string& plain) { return plain; });
  const data root = to_data(values);
  StrictContext context(&root);
  std::string out = parsed.render(context);
  if (!context.unknown().empty()) {
    return fail(ErrorKind::bad_input, where + ": unknown name '" + *context.unknown().begin() + "'",
                "docs/run-directory.md lists the templates; the built-in ones show every name");
  }
  return out;
}

}  // namespace kgen::prompt
