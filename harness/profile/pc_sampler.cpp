#include "harness/profile/pc_sampler.hpp"

#include <cstdlib>
#include <filesystem>

namespace kgen::profile {
namespace {

constexpr std::size_t kMostPcs = 4096;  ///< instructions a reading; more are fetched by further readings
constexpr std::size_t kHardwareBufferBytes = std::size_t{128} << 20;
constexpr std::size_t kScratchBufferBytes = std::size_t{16} << 20;
constexpr int kMostReadings = 64;

}  // namespace

/// What CUPTI writes into. The buffer of the configuration is CUPTI's own store; readings go elsewhere.
struct PcSampler::Buffers {
  struct Records {
    std::vector<CUpti_PCSamplingPCData> pcs;
    std::vector<CUpti_PCSamplingStallReason> reasons;
    CUpti_PCSamplingData data{};

    void make(std::size_t most_reasons) {
      pcs.assign(kMostPcs, {});
      reasons.assign(kMostPcs * most_reasons, {});
      reset(most_reasons);
    }
    /// CUPTI leaves the number of reasons it wrote in each record, and takes it for their room the next time.
    void reset(std::size_t most_reasons) {
      for (std::size_t i = 0; i < pcs.size(); ++i) {
        pcs[i].size = sizeof(CUpti_PCSamplingPCData);
        pcs[i].stallReasonCount = most_reasons;
        pcs[i].stallReason = &reasons[i * most_reasons];
      }
      data.size = sizeof(CUpti_PCSamplingData);
      data.collectNumPcs = pcs.size();
      data.totalNumPcs = 0;
      data.pPcData = pcs.data();
    }
  };
  std::vector<std::uint32_t> indices;
  std::map<std::uint32_t, std::string> names;
  Records store, read;
};

PcSampler::PcSampler(Cupti& cupti, CUcontext context, std::unique_ptr<Buffers> buffers)
    : cupti_(&cupti), context_(context), buffers_(std::move(buffers)) {}
PcSampler::PcSampler(PcSampler&&) noexcept = default;
PcSampler& PcSampler::operator=(PcSampler&&) noexcept = default;
PcSampler::~PcSampler() = default;

Result<PcSampler> PcSampler::enable(Cupti& cupti, CUcontext context) {
  PcSampler out(cupti, context, std::make_unique<Buffers>());
  // Every other call is an invalid operation before this one.
  CUpti_PCSamplingEnableParams params{};
  params.size = CUpti_PCSamplingEnableParamsSize;
  params.ctx = context;
  KGEN_CHECK(KGEN_CUPTI(cupti, cuptiPCSamplingEnable, &params));
  KGEN_CHECK(out.read_reasons());
  KGEN_CHECK(out.configure());
  return out;
}

Status PcSampler::read_reasons() {
  std::size_t count = 0;
  CUpti_PCSamplingGetNumStallReasonsParams number{};
  number.size = CUpti_PCSamplingGetNumStallReasonsParamsSize;
  number.ctx = context_;
  number.numStallReasons = &count;
  KGEN_CHECK(KGEN_CUPTI(*cupti_, cuptiPCSamplingGetNumStallReasons, &number));
  buffers_->indices.assign(count, 0);
  std::vector<std::vector<char>> texts(count, std::vector<char>(CUPTI_STALL_REASON_STRING_SIZE, '\0'));
  std::vector<char*> pointers;
  for (auto& text : texts) pointers.push_back(text.data());
  CUpti_PCSamplingGetStallReasonsParams params{};
  params.size = CUpti_PCSamplingGetStallReasonsParamsSize;
  params.ctx = context_;
  params.numStallReasons = count;
  params.stallReasonIndex = buffers_->indices.data();
  params.stallReasons = pointers.data();
  KGEN_CHECK(KGEN_CUPTI(*cupti_, cuptiPCSamplingGetStallReasons, &params));
  std::string all;
  for (std::size_t i = 0; i < count; ++i) {
    buffers_->names[buffers_->indices[i]] = pointers[i];
    all += " " + std::string(pointers[i]);
  }
  cupti_->write("stall reasons:" + all);
  buffers_->store.make(count);
  buffers_->read.make(count);
  return {};
}

Status PcSampler::configure() {
  std::vector<CUpti_PCSamplingConfigurationInfo> list;
  const auto add = [&](CUpti_PCSamplingConfigurationAttributeType type) -> auto& {
    list.push_back({});
    list.back().attributeType = type;
    return list.back().attributeData;
  };
  add(CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_COLLECTION_MODE).collectionModeData.collectionMode =
      CUPTI_PC_SAMPLING_COLLECTION_MODE_CONTINUOUS;
  add(CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_SAMPLING_PERIOD).samplingPeriodData.samplingPeriod = kPeriod;
  auto& reasons = add(CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_STALL_REASON).stallReasonData;
  reasons.stallReasonCount = buffers_->indices.size();
  reasons.pStallReasonIndex = buffers_->indices.data();
  add(CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_SCRATCH_BUFFER_SIZE).scratchBufferSizeData.scratchBufferSize =
      kScratchBufferBytes;
  add(CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_HARDWARE_BUFFER_SIZE)
      .hardwareBufferSizeData.hardwareBufferSize = kHardwareBufferBytes;
  add(CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_ENABLE_START_STOP_CONTROL)
      .enableStartStopControlData.enableStartStopControl = 1;
  add(CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_SAMPLING_DATA_BUFFER)
      .samplingDataBufferData.samplingDataBuffer = &buffers_->store.data;
  CUpti_PCSamplingConfigurationInfoParams params{};
  params.size = CUpti_PCSamplingConfigurationInfoParamsSize;
  params.ctx = context_;
  params.numAttributes = list.size();
  params.pPCSamplingConfigurationInfo = list.data();
  const Status set = KGEN_CUPTI(*cupti_, cuptiPCSamplingSetConfigurationAttribute, &params);
  for (const auto& one : list) {
    if (one.attributeStatus != CUPTI_SUCCESS)
      cupti_->write("attribute " + std::to_string(one.attributeType) + ": " +
                    std::to_string(one.attributeStatus));
  }
  return set;
}

Status PcSampler::start() {
  CUpti_PCSamplingStartParams params{};
  params.size = CUpti_PCSamplingStartParamsSize;
  params.ctx = context_;
  return KGEN_CUPTI(*cupti_, cuptiPCSamplingStart, &params);
}

Status PcSampler::stop() {
  CUpti_PCSamplingStopParams params{};
  params.size = CUpti_PCSamplingStopParamsSize;
  params.ctx = context_;
  return KGEN_CUPTI(*cupti_, cuptiPCSamplingStop, &params);
}

Result<SampleReading> PcSampler::read() {
  SampleReading out;
  auto& records = buffers_->read;
  for (int reading = 0; reading < kMostReadings; ++reading) {
    records.reset(buffers_->indices.size());
    CUpti_PCSamplingGetDataParams params{};
    params.size = CUpti_PCSamplingGetDataParamsSize;
    params.ctx = context_;
    params.pcSamplingData = &records.data;
    KGEN_CHECK(KGEN_CUPTI(*cupti_, cuptiPCSamplingGetData, &params));
    const CUpti_PCSamplingData& data = records.data;
    cupti_->write(std::to_string(data.totalNumPcs) + " instructions, " + std::to_string(data.totalSamples) +
                  " samples, " + std::to_string(data.droppedSamples) + " dropped, " +
                  std::to_string(data.nonUsrKernelsTotalSamples) + " of others, " +
                  std::to_string(data.remainingNumPcs) + " instructions left");
    out.total += data.totalSamples;
    out.dropped += data.droppedSamples;
    out.of_others += data.nonUsrKernelsTotalSamples;
    for (std::size_t i = 0; i < data.totalNumPcs && i < records.pcs.size(); ++i) {
      const CUpti_PCSamplingPCData& pc = records.pcs[i];
      PcSamples samples;
      if (pc.functionName != nullptr) samples.function = pc.functionName;
      samples.offset = pc.pcOffset;
      for (std::size_t r = 0; r < pc.stallReasonCount; ++r) {
        const CUpti_PCSamplingStallReason reason = pc.stallReason[r];
        if (reason.samples > 0)
          samples.by_reason[buffers_->names[reason.pcSamplingStallReasonIndex]] += reason.samples;
      }
      out.instructions.push_back(std::move(samples));
    }
    if (data.totalNumPcs == 0 || data.remainingNumPcs == 0) break;
  }
  return out;
}

int line_of(Cupti& cupti, const std::string& cubin, const std::string& function, std::uint64_t offset,
            const std::string& file) {
  CUpti_GetSassToSourceCorrelationParams params{};
  params.size = CUpti_GetSassToSourceCorrelationParamsSize;
  params.cubin = cubin.data();
  params.cubinSize = cubin.size();
  params.functionName = function.c_str();
  params.pcOffset = offset;
  const CUptiResult code = cupti.table().cuptiGetSassToSourceCorrelation(&params);
  int line = 0;
  if (code == CUPTI_SUCCESS && params.fileName != nullptr &&
      std::filesystem::path(params.fileName).filename() == std::filesystem::path(file).filename())
    line = static_cast<int>(params.lineNumber);
  std::free(params.fileName);
  std::free(params.dirName);
  return line;
}

}  // namespace kgen::profile
