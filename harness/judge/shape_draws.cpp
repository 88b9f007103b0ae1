#include "harness/judge/shape_draws.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <set>

namespace kgen::judge {
namespace {

constexpr std::size_t kMostValues = 8;

/// Log-uniform in the attribute's range, one of its ends, or within a factor of four of a real of the file.
double draw_real(ShapeDraws& draws, const ShapeSources& from, const core::Attribute& attribute) {
  std::vector<double> near;
  for (const double real : from.numbers.reals) {
    if (real >= attribute.low / 4 && real <= attribute.high * 4) near.push_back(real);
  }
  double value = attribute.low * std::exp2(draws.unit() * std::log2(attribute.high / attribute.low));
  if (draws.upto(4) == 0)
    value = draws.upto(2) == 0 ? attribute.low : attribute.high;
  else if (!near.empty() && draws.upto(3) == 0)
    value = near[draws.upto(near.size())] * std::exp2(draws.unit() * 4 - 2);
  return static_cast<double>(static_cast<float>(std::clamp(value, attribute.low, attribute.high)));
}

double draw_whole(ShapeDraws& draws, const core::Attribute& attribute) {
  return attribute.low +
         static_cast<double>(draws.upto(static_cast<U64>(attribute.high - attribute.low) + 1));
}

}  // namespace

std::int64_t ShapeDraws::spread(std::int64_t most) {
  const double exponent = unit() * std::log2(static_cast<double>(most));
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(std::exp2(exponent)));
}

ShapeSources::ShapeSources(std::string_view source, const core::Task& of)
    : task(of), numbers(source_numbers(source)), constants(numbers.all()) {
  attributes.push_back({});
  for (const auto& [name, extent] : of.dims) listed[name].push_back(extent);
  for (const auto& shape : of.op->check_shapes) {
    for (const auto& [name, extent] : shape.dims) listed[name].push_back(extent);
    if (!shape.attributes.empty()) attributes.push_back(shape.attributes);
  }
  for (auto& [name, extents] : listed) {
    std::sort(extents.begin(), extents.end());
    extents.erase(std::unique(extents.begin(), extents.end()), extents.end());
  }
}

std::vector<core::Attributes> attributes_once(const ShapeSources& from) {
  std::vector<core::Attributes> out;
  for (const core::Attributes& one : from.attributes)
    if (std::ranges::find(out, one) == out.end()) out.push_back(one);
  return out;
}

std::vector<std::int64_t> telling_numbers(const ShapeSources& from, ShapeDraws& draws) {
  std::vector<std::pair<U64, std::int64_t>> order;
  const auto add = [&](const std::vector<std::int64_t>& numbers, U64 odd_rank, U64 power_rank) {
    for (const std::int64_t number : numbers) {
      if (number < 8) continue;  // small extents are met by chance
      const U64 rank = std::has_single_bit(static_cast<U64>(number)) ? power_rank : odd_rank;
      order.emplace_back((rank << 32) + draws.upto(1u << 31), number);
    }
  };
  add(from.numbers.code, 0, 2);
  add(from.numbers.plan, 1, 3);
  add(from.numbers.comments, 4, 5);
  std::sort(order.begin(), order.end());
  std::vector<std::int64_t> out;
  for (const auto& [rank, constant] : order) out.push_back(constant);
  return out;
}

std::int64_t draw_multiple(ShapeDraws& draws, const ShapeSources& from) {
  std::int64_t factor = std::int64_t{1} << draws.upto(9);
  if (!from.constants.empty() && draws.upto(2) == 0) factor = draws.of(from.constants);
  return factor * draws.spread(512);
}

std::int64_t draw_companion(ShapeDraws& draws, const ShapeSources& from, const std::string& dim) {
  switch (draws.upto(4)) {
    case 0:
      return draws.of(from.listed.at(dim));
    case 1:
      return draw_multiple(draws, from);
    case 2:
      return from.task.dims.at(dim);
    default:
      return draws.spread(256);
  }
}

std::int64_t draw_small_companion(ShapeDraws& draws, const ShapeSources& from, const std::string& dim) {
  const auto& listed = from.listed.at(dim);
  const auto least =
      std::find_if(listed.begin(), listed.end(), [](std::int64_t extent) { return extent > 0; });
  return least != listed.end() && draws.upto(2) == 0 ? *least : draws.spread(8);
}

core::Attributes draw_attributes(ShapeDraws& draws, const ShapeSources& from) {
  core::Attributes out = from.attributes[draws.upto(from.attributes.size())];
  for (const auto& attribute : from.task.op->attributes) {
    if (draws.upto(4) == 0) continue;
    if (attribute.type == "bool") out[attribute.name] = static_cast<double>(draws.upto(2));
    if (!attribute.has_range()) continue;
    if (attribute.type == "int") out[attribute.name] = draw_whole(draws, attribute);
    if (attribute.type == "float") out[attribute.name] = draw_real(draws, from, attribute);
  }
  return out;
}

bool may_be_drawn(const core::Op& op, const core::Attribute& attribute) {
  return attribute.has_range() || op.has_rule_for(attribute.name);
}

std::vector<core::Attributes> other_attributes(ShapeDraws& draws, const ShapeSources& from) {
  std::vector<core::Attributes> out;
  for (const auto& attribute : from.task.op->attributes) {
    std::set<double> values;
    if (attribute.type == "bool") values = {0, 1};
    for (const auto& listed : from.attributes) {
      const auto found = listed.find(attribute.name);
      if (found != listed.end() && attribute.type == "int") values.insert(found->second);
    }
    for (int i = 0; i < 4 && attribute.has_range() && attribute.type == "int"; ++i)
      values.insert(draw_whole(draws, attribute));
    if (attribute.type == "float" && attribute.has_range()) values.insert(draw_real(draws, from, attribute));
    values.erase(from.task.attributes.at(attribute.name));
    while (values.size() > kMostValues) values.erase(std::prev(values.end()));
    for (const double value : values) out.push_back({{attribute.name, value}});
  }
  return out;
}

}  // namespace kgen::judge
