#include "harness/judge/joint_shapes.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>

#include "harness/judge/value_features.hpp"

namespace kgen::judge {
namespace {

constexpr int kDraws = 24;               ///< to choose one shape from
constexpr int kDrawsInVain = 12;         ///< rounds of draws without anything new that end the search
constexpr std::int64_t kSmallValue = 7;  ///< values up to this one
constexpr std::int64_t kMostUsed = 3;
constexpr std::int64_t kSmallDim = 11;  ///< no listed extent of a dim that is as small is above

/// What has a small value: an attribute or a dim.
struct Parameter {
  std::string name;
  bool is_attribute = true, is_bool = false;
};

std::vector<Parameter> parameters_of(const ShapeSources& from) {
  std::vector<Parameter> out;
  for (const auto& attribute : from.task.op->attributes) {
    const bool is_bool = attribute.type == "bool";
    if (is_bool || (attribute.type == "int" && may_be_drawn(*from.task.op, attribute)))
      out.push_back({attribute.name, true, is_bool});
  }
  if (out.empty()) return out;
  for (const std::string& dim : from.task.op->dim_names) {
    if (from.listed.at(dim).back() <= kSmallDim && from.task.op->has_rule_for(dim))
      out.push_back({dim, false, false});
  }
  return out.size() < 2 ? std::vector<Parameter>{} : out;
}

/// Values of the parameters, in their order.
using Values = std::vector<std::int64_t>;

/// How the dims that are no parameters divide: kernels have paths of their own for rows of whole vectors.
enum class Room { odd, wide, aligned };
constexpr std::int64_t kRoomyCost = 8;     ///< times as much as others
constexpr std::int64_t kBeyond = 400'000;  ///< elements that are theirs where others took the emulator's room

/// Small ones more often, in wide and aligned shapes nearly always: those of most windows, steps and edges.
std::int64_t small_value(ShapeDraws& draws, Room room, bool is_bool) {
  const bool is_most_used = room == Room::odd ? draws.upto(2) == 0 : draws.upto(8) != 0;
  const U64 most = is_bool ? 1 : is_most_used ? kMostUsed : kSmallValue;
  return static_cast<std::int64_t>(draws.upto(most + 1));
}

/// Mostly odd, so that it divides by little.
std::int64_t odd_extent(ShapeDraws& draws, U64 most) {
  const auto extent = static_cast<std::int64_t>(draws.upto(most));
  return draws.upto(4) == 0 ? extent + 1 : extent | 1;
}

std::int64_t multiple_of(ShapeDraws& draws, std::int64_t factor) {
  return factor * static_cast<std::int64_t>(1 + draws.upto(2));
}

/// Extents of dims, those of parameters among them: all odd, one wide, or some or all multiples of eight.
core::Dims draw_extents(ShapeDraws& draws, Room room, const std::vector<std::string>& names) {
  constexpr U64 kMostOdd = 20, kMostBeside = 6;
  core::Dims dims;
  for (const std::string& name : names)
    dims[name] = odd_extent(draws, room == Room::odd ? kMostOdd : kMostBeside);
  if (room == Room::wide) dims[names[draws.upto(names.size())]] = multiple_of(draws, 32);
  if (room != Room::aligned) return dims;
  const bool all = draws.upto(3) == 0;
  for (const std::string& name : names)
    if (all || draws.upto(2) == 0) dims[name] = multiple_of(draws, 8);
  return dims;
}

/// Any; dims are mostly alike, as filters are square.
Values draw_any(ShapeDraws& draws, Room room, const std::vector<Parameter>& parameters) {
  const bool are_dims_alike = draws.upto(4) != 0;
  const std::int64_t of_dims = small_value(draws, room, false);
  Values out;
  for (const Parameter& parameter : parameters)
    out.push_back(!parameter.is_attribute && are_dims_alike ? of_dims
                                                            : small_value(draws, room, parameter.is_bool));
  return out;
}

/// All numbers the same but one, which is any, none, one or half of it.
Values draw_alike(ShapeDraws& draws, Room room, const std::vector<Parameter>& parameters) {
  const std::int64_t same = 1 + static_cast<std::int64_t>(draws.upto(kSmallValue));
  const std::size_t other = draws.upto(parameters.size());
  const std::int64_t others[] = {0, 1, same / 2, small_value(draws, room, false)};
  Values out;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const std::int64_t number = i == other ? others[draws.upto(std::size(others))] : same;
    out.push_back(parameters[i].is_bool ? small_value(draws, room, true) : number);
  }
  return out;
}

Values draw_values(ShapeDraws& draws, Room room, const std::vector<Parameter>& parameters) {
  return draws.upto(3) == 0 ? draw_alike(draws, room, parameters) : draw_any(draws, room, parameters);
}

/// A pair or triple is new until it was there so often: what is used most is met with several extents and
/// bools.
int times_of(const Feature& feature) {
  const auto& [a, b, c, first, second, third] = feature;
  const std::int64_t largest = std::max({first, second, third});
  return largest <= kMostUsed ? 5 : largest <= 5 ? 8 : 1;
}

class JointSearch {
 public:
  JointSearch(ShapeCollection& out, const ShapeSources& from, ShapeDraws& draws, const ShapeBudget& budget,
              Room room)
      : out_(out),
        from_(from),
        draws_(draws),
        budget_(budget),
        room_(room),
        parameters_(parameters_of(from)) {}

  void run(int budget) {
    if (parameters_.empty()) return;
    const bool dear = std::ranges::any_of(
        parameters_, [&](const Parameter& parameter) { return out_.is_compiled_in(parameter.name); });
    add_up_to(dear ? budget / 4 : budget, kDrawsInVain,
              [&] { return (room_ == Room::odd || out_.has_room(kBeyond)) && add_best(); });
  }

 private:
  std::optional<core::Task> shape_with(const Values& values) {
    core::Attributes attributes;
    core::Dims dims = draw_extents(draws_, room_, from_.task.op->dim_names);
    for (std::size_t i = 0; i < parameters_.size(); ++i) {
      if (parameters_[i].is_attribute)
        attributes[parameters_[i].name] = static_cast<double>(values[i]);
      else
        dims[parameters_[i].name] = values[i];
    }
    return out_.accept(dims, attributes, budget_.joint_cost * (room_ == Room::odd ? 1 : kRoomyCost));
  }

  bool is_new(const Feature& feature) const {
    const auto found = seen_.find(feature);
    return found == seen_.end() || found->second < times_of(feature);
  }

  /// How many are new; in wide shapes, of which there are fewer, those of small values count more.
  std::size_t worth_of(const std::set<Feature>& features) const {
    std::size_t worth = 0;
    for (const Feature& feature : features)
      if (is_new(feature)) worth += room_ == Room::odd ? 1 : static_cast<std::size_t>(times_of(feature));
    return worth;
  }

  bool add_best() {
    std::optional<core::Task> best;
    std::set<Feature> best_features;
    std::size_t most_new = 0;
    for (int draw = 0; draw < kDraws; ++draw) {
      const Values values = draw_values(draws_, room_, parameters_);
      std::set<Feature> own = features_of(values, values.size());
      const std::size_t fresh = worth_of(own);
      if (fresh <= most_new) continue;
      auto shape = shape_with(values);
      if (!shape) continue;
      best = std::move(shape);
      best_features = std::move(own);
      most_new = fresh;
    }
    if (!best) return false;
    for (const Feature& feature : best_features) ++seen_[feature];
    out_.add(std::move(*best), "with several small attributes", budget_.joint_distributions);
    return true;
  }

  ShapeCollection& out_;
  const ShapeSources& from_;
  ShapeDraws& draws_;
  const ShapeBudget& budget_;
  Room room_;
  std::vector<Parameter> parameters_;
  std::map<Feature, int> seen_;
};

}  // namespace

void add_joint_attributes(ShapeCollection& out, const ShapeSources& from, ShapeDraws& draws,
                          const ShapeBudget& budget) {
  JointSearch(out, from, draws, budget, Room::odd).run(budget.joint);
}

void add_roomy_attributes(ShapeCollection& out, const ShapeSources& from, ShapeDraws& draws,
                          const ShapeBudget& budget) {
  for (const Room room : {Room::wide, Room::aligned})
    JointSearch(out, from, draws, budget, room).run(budget.roomy);
}

}  // namespace kgen::judge
