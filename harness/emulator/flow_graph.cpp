#include "harness/emulator/flow_graph.hpp"

#include <algorithm>
#include <vector>

namespace kgen::emulator {
namespace {

constexpr int kNone = -1;

bool ends_block(Flow flow) {
  return flow == Flow::branch || flow == Flow::branch_indexed || flow == Flow::ret || flow == Flow::exit;
}

/// A function's basic blocks; the one past the last is the end that all ways lead to.
struct Graph {
  std::vector<U32> begins;  ///< first instruction of each block, ascending
  std::vector<std::vector<int>> successors;
  int exit = 0;

  int block_at(U32 pc) const {
    const auto found = std::upper_bound(begins.begin(), begins.end(), pc);
    return static_cast<int>(found - begins.begin()) - 1;
  }
};

Graph make_graph(const Program& program, U32 begin, U32 end) {
  const auto& code = program.code;
  std::vector<bool> leads(end - begin + 1, false);
  leads[0] = true;
  const auto mark = [&](U32 pc) { leads[pc - begin] = true; };
  for (U32 pc = begin; pc < end; ++pc) {
    if (code[pc].flow == Flow::branch) mark(code[pc].target);
    for (I64 i = 0; code[pc].flow == Flow::branch_indexed && i < code[pc].imm; ++i)
      mark(program.slots[code[pc].list + static_cast<U32>(i)]);
    if (ends_block(code[pc].flow)) mark(pc + 1);
  }
  Graph graph;
  for (U32 pc = begin; pc < end; ++pc) {
    if (leads[pc - begin]) graph.begins.push_back(pc);
  }
  graph.exit = static_cast<int>(graph.begins.size());
  graph.successors.resize(graph.begins.size() + 1);
  for (std::size_t block = 0; block < graph.begins.size(); ++block) {
    const U32 next = block + 1 < graph.begins.size() ? graph.begins[block + 1] : end;
    const Instr& last = code[next - 1];
    auto& to = graph.successors[block];
    if (last.flow == Flow::branch) to.push_back(graph.block_at(last.target));
    for (I64 i = 0; last.flow == Flow::branch_indexed && i < last.imm; ++i)
      to.push_back(graph.block_at(program.slots[last.list + static_cast<U32>(i)]));
    if (last.flow == Flow::ret || last.flow == Flow::exit) to.push_back(graph.exit);
    if (!ends_block(last.flow) || last.guard != kNoSlot)
      to.push_back(next < end ? static_cast<int>(block) + 1 : graph.exit);
  }
  return graph;
}

/// Blocks in post-order of the reversed graph, from the exit.
std::vector<int> reverse_post_order(const std::vector<std::vector<int>>& predecessors, int exit) {
  std::vector<int> order;
  std::vector<U8> state(predecessors.size(), 0);
  std::vector<std::pair<int, std::size_t>> stack{{exit, 0}};
  state[static_cast<std::size_t>(exit)] = 1;
  while (!stack.empty()) {
    auto& [block, next] = stack.back();
    const auto& from = predecessors[static_cast<std::size_t>(block)];
    if (next == from.size()) {
      order.push_back(block);
      stack.pop_back();
      continue;
    }
    const int other = from[next++];
    if (state[static_cast<std::size_t>(other)] != 0) continue;
    state[static_cast<std::size_t>(other)] = 1;
    stack.emplace_back(other, 0);
  }
  std::reverse(order.begin(), order.end());
  return order;
}

/// Immediate post-dominators (Cooper, Harvey, Kennedy: A Simple, Fast Dominance Algorithm, on the reversed
/// graph). kNone for blocks from which no way leads out.
std::vector<int> post_dominators(const Graph& graph) {
  const std::size_t count = graph.successors.size();
  std::vector<std::vector<int>> predecessors(count);
  for (std::size_t block = 0; block < count; ++block) {
    for (const int to : graph.successors[block])
      predecessors[static_cast<std::size_t>(to)].push_back(static_cast<int>(block));
  }
  const std::vector<int> order = reverse_post_order(predecessors, graph.exit);
  std::vector<int> position(count, kNone), dominator(count, kNone);
  for (std::size_t i = 0; i < order.size(); ++i)
    position[static_cast<std::size_t>(order[i])] = static_cast<int>(i);
  dominator[static_cast<std::size_t>(graph.exit)] = graph.exit;
  const auto meet = [&](int a, int b) {
    while (a != b) {
      int& later = position[static_cast<std::size_t>(a)] > position[static_cast<std::size_t>(b)] ? a : b;
      later = dominator[static_cast<std::size_t>(later)];
    }
    return a;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (const int block : order) {
      if (block == graph.exit) continue;
      int found = kNone;
      for (const int to : graph.successors[static_cast<std::size_t>(block)]) {
        if (dominator[static_cast<std::size_t>(to)] == kNone) continue;
        found = found == kNone ? to : meet(found, to);
      }
      int& known = dominator[static_cast<std::size_t>(block)];
      changed = changed || known != found;
      known = found;
    }
  }
  return dominator;
}

}  // namespace

void find_reconvergence(Program& program, U32 begin, U32 end) {
  const Graph graph = make_graph(program, begin, end);
  const std::vector<int> dominator = post_dominators(graph);
  for (std::size_t block = 0; block < graph.begins.size(); ++block) {
    const U32 next = block + 1 < graph.begins.size() ? graph.begins[block + 1] : end;
    Instr& last = program.code[next - 1];
    if (last.flow != Flow::branch && last.flow != Flow::branch_indexed) continue;
    const int to = dominator[block];
    last.reconverge = to == kNone || to == graph.exit ? kNever : graph.begins[static_cast<std::size_t>(to)];
    // To wait for others in order to end together would keep them from barriers that the ended need not
    // reach.
    const Flow at = last.reconverge == kNever ? Flow::plain : program.code[last.reconverge].flow;
    if (at == Flow::ret || at == Flow::exit) last.reconverge = kNever;
  }
}

}  // namespace kgen::emulator
