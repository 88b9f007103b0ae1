#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "llm/http_transport.hpp"

namespace kgen::llm {

struct CurlSettings {
  std::string ca_file;    ///< CURLOPT_CAINFO; empty: libcurl's default. libcurl itself ignores SSL_CERT_FILE.
  std::string ca_folder;  ///< CURLOPT_CAPATH
  std::size_t max_body_bytes = std::size_t{64} << 20;
};

/// libcurl. Honours HTTPS_PROXY, http_proxy and NO_PROXY; notices `cancelled` and the idle time-out within 50
/// ms.
std::unique_ptr<HttpTransport> make_curl_transport(CurlSettings settings);

}  // namespace kgen::llm
