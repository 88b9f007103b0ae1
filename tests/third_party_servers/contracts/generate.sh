#!/bin/sh
# generate.sh FOLDER PROGRAM: installs the official SDKs below FOLDER (once), generates JSON Schemas from their types (once
# for each lock file), and runs PROGRAM with their folder in KGEN_CONTRACTS. Exit code 77, with the reason, without Node or npm.
set -eu
source_folder=$(cd "$(dirname "$0")" && pwd)
. "$source_folder/../servers.sh"
install_packages "$source_folder" "$1/sdks"
cd "$1/sdks"
cp "$source_folder/contracts.ts" "$source_folder/tsconfig.json" .
for type in MessageCreateParamsStreaming ResponseCreateParamsStreaming ChatCompletionCreateParamsStreaming; do
  if [ ! -s "$type.json" ] || [ installed-lock.json -nt "$type.json" ]; then
    node node_modules/ts-json-schema-generator/bin/ts-json-schema-generator.js --path contracts.ts --tsconfig tsconfig.json \
      --type "$type" --no-type-check --out "$type.json"
  fi
done
KGEN_CONTRACTS=$1/sdks "$2"
