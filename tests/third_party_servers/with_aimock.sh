#!/bin/sh
# with_aimock.sh FOLDER PROGRAM: installs aimock below FOLDER (once), starts it on a free loopback port, runs PROGRAM with
# its address in KGEN_AIMOCK_URL, and ends it. Exit code 77, with the reason, where it cannot be had.
set -eu
source_folder=$(cd "$(dirname "$0")" && pwd)
. "$source_folder/servers.sh"
install_packages "$source_folder" "$1/npm"
cd "$1/npm"
start_server aimock 'listening on \(http:[^ ]*\)' node node_modules/@copilotkit/aimock/dist/cli.js -p 0 -h 127.0.0.1 \
  -f "$source_folder/aimock_fixtures.json" --strict --validate-on-load
KGEN_AIMOCK_URL=$found "$2"
