#!/bin/sh
# Without cgo the program needs no library of the machine on which it runs.
cd "$(dirname "$0")" || exit 1
CGO_ENABLED=0 exec go build -o player client.go player.go
