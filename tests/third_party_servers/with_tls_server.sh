#!/bin/sh
# with_tls_server.sh FOLDER PROGRAM: makes a certificate of its own, starts an https server with it on a free loopback port
# (node's), runs PROGRAM with KGEN_TLS_URL and KGEN_TLS_CA, and ends it. Exit code 77, with the reason, without node or
# openssl. Where proxy-chain can be had from npm, KGEN_PROXY is the address of such a forward proxy and KGEN_PROXY_LOG what
# it has printed; else KGEN_NO_PROXY_WHY says why not.
set -eu
source_folder=$(cd "$(dirname "$0")" && pwd)
. "$source_folder/servers.sh"
need_node
command -v openssl >/dev/null || skip "openssl is not installed"

mkdir -p "$1/tls"
cd "$1/tls"
openssl req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out ca.pem -days 2 -subj /CN=127.0.0.1 \
  -addext subjectAltName=IP:127.0.0.1 2>openssl.log || { cat openssl.log; exit 1; }
start_server https 'port \([0-9]*\) ' node "$source_folder/https_server.js" key.pem ca.pem
export KGEN_TLS_URL="https://127.0.0.1:$found" KGEN_TLS_CA="$1/tls/ca.pem"

if why=$(install_packages "$source_folder" "$1/npm"); then
  cd "$1/npm"
  start_server proxy 'port \([0-9]*\) ' node "$source_folder/forward_proxy.js"
  export KGEN_PROXY="127.0.0.1:$found" KGEN_PROXY_LOG="$1/npm/proxy.log"
else
  export KGEN_NO_PROXY_WHY="$why"
fi
"$2"
