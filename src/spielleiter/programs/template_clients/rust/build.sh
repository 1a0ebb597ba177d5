#!/bin/sh
cd "$(dirname "$0")" || exit 1
exec rustc --edition 2021 -O -o player client.rs
