#!/bin/sh
# with_browser.sh FOLDER PROGRAM: lets PROGRAM write sample reports below FOLDER and opens them in Chromium, driven by a
# package from npm (installed below FOLDER once). Exit code 77, with the reason, where one of them cannot be had.
set -eu
source_folder=$(cd "$(dirname "$0")" && pwd)
. "$source_folder/../third_party_servers/servers.sh"
. "$source_folder/chromium.sh"
need_chromium
install_packages "$source_folder" "$1/npm"
mkdir -p "$1/reports"
"$2" "$1/reports"
NODE_PATH="$1/npm/node_modules" node "$source_folder/open_reports.js" "$chromium" "$1/reports"
