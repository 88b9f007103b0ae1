#include "core/build.hpp"

#include <array>
#include <cstring>

#include "core/json_fields.hpp"
#include "util/hex.hpp"

namespace kgen::core {
namespace {

using nlohmann::json;

constexpr std::array<std::string_view, 5> kKinds = {"pointer", "integer", "floating", "tensor_map", "other"};

[[noreturn]] void reject(const char* what, const json& in) {
  throw json::other_error::create(501, what, &in);
}

std::string bytes_from(const json& in, const char* field) {
  auto bytes = util::from_hex(in.at(field).get<std::string>());
  if (!bytes) reject("a field of hexadecimal digits holds something else", in);
  return std::move(*bytes);
}

/// Doubles travel bit for bit: NaN and infinities are among them.
std::string hex_of(const std::vector<double>& values) {
  std::string bytes(values.size() * sizeof(double), '\0');
  if (!values.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return util::to_hex(bytes);
}

std::vector<double> doubles_from(const json& in, const char* field) {
  const std::string bytes = bytes_from(in, field);
  if (bytes.size() % sizeof(double) != 0) reject("a field of doubles is cut", in);
  std::vector<double> values(bytes.size() / sizeof(double));
  if (!values.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

json write(const ParameterType& p) {
  return {{"kind", kKinds.at(static_cast<std::size_t>(p.kind))},
          {"bytes", p.bytes},
          {"is_signed", p.is_signed},
          {"pointee", p.pointee},
          {"text", p.text}};
}

ParameterType read_parameter(const json& in) {
  ParameterType p;
  const auto kind = in.at("kind").get<std::string>();
  for (std::size_t i = 0; i < kKinds.size(); ++i) {
    if (kind == kKinds[i]) p.kind = static_cast<ParameterType::Kind>(i);
  }
  in.at("bytes").get_to(p.bytes);
  in.at("is_signed").get_to(p.is_signed);
  in.at("pointee").get_to(p.pointee);
  in.at("text").get_to(p.text);
  return p;
}

}  // namespace

json to_json(const BuildRequest& r) {
  json out = {{"source", r.source},      {"macros", r.macros}, {"type_aliases", r.type_aliases},
              {"kernels", r.kernels},    {"arch", r.arch},     {"std", r.std},
              {"fast_math", r.fast_math}};
  if (r.max_registers) out["max_registers"] = *r.max_registers;
  return out;
}

Result<BuildRequest> build_request_from_json(const json& in) {
  return read_json("build", [&] {
    BuildRequest r;
    in.at("source").get_to(r.source);
    in.at("macros").get_to(r.macros);
    in.at("type_aliases").get_to(r.type_aliases);
    in.at("kernels").get_to(r.kernels);
    in.at("arch").get_to(r.arch);
    in.at("std").get_to(r.std);
    in.at("fast_math").get_to(r.fast_math);
    if (in.contains("max_registers")) r.max_registers = in.at("max_registers").get<int>();
    return r;
  });
}

json to_json(const BuildReply& reply) {
  json kernels = json::array();
  for (const BuiltKernel& kernel : reply.kernels) {
    json parameters = json::array();
    for (const ParameterType& parameter : kernel.parameters) parameters.push_back(write(parameter));
    kernels.push_back({{"expression", kernel.expression},
                       {"lowered_name", kernel.lowered_name},
                       {"parameters", parameters}});
  }
  return {{"ok", reply.ok},
          {"message", reply.message},
          {"cubin", util::to_hex(reply.cubin)},
          {"ptx", reply.ptx},
          {"kernels", kernels}};
}

Result<BuildReply> build_reply_from_json(const json& in) {
  return read_json("build reply", [&] {
    BuildReply reply;
    in.at("ok").get_to(reply.ok);
    in.at("message").get_to(reply.message);
    reply.cubin = bytes_from(in, "cubin");
    in.at("ptx").get_to(reply.ptx);
    for (const json& kernel : in.at("kernels")) {
      BuiltKernel& built = reply.kernels.emplace_back();
      kernel.at("expression").get_to(built.expression);
      kernel.at("lowered_name").get_to(built.lowered_name);
      for (const json& parameter : kernel.at("parameters"))
        built.parameters.push_back(read_parameter(parameter));
    }
    return reply;
  });
}

json to_json(const SampleRequest& r) {
  return {{"task", to_json(r.task)}, {"seed", r.seed}};
}

Result<SampleRequest> sample_request_from_json(const json& in) {
  KGEN_TRY(Task task, read_json("sample", [&] { return in.at("task"); }).and_then(task_from_json));
  return read_json("sample", [&] { return SampleRequest{task, in.at("seed").get<std::uint64_t>()}; });
}

json to_json(const SampleReply& reply) {
  json tensors = json::array();
  for (const SampleTensor& tensor : reply.tensors) {
    tensors.push_back({{"name", tensor.name},
                       {"data", util::to_hex(tensor.data)},
                       {"expected", hex_of(tensor.expected)},
                       {"allowed", hex_of(tensor.allowed)}});
  }
  return {{"distribution", reply.distribution}, {"tensors", tensors}};
}

Result<SampleReply> sample_reply_from_json(const json& in) {
  return read_json("sample reply", [&] {
    SampleReply reply;
    in.at("distribution").get_to(reply.distribution);
    for (const json& tensor : in.at("tensors")) {
      reply.tensors.push_back({tensor.at("name").get<std::string>(), bytes_from(tensor, "data"),
                               doubles_from(tensor, "expected"), doubles_from(tensor, "allowed")});
    }
    return reply;
  });
}

}  // namespace kgen::core
