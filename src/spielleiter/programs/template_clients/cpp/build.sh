#!/bin/sh
cd "$(dirname "$0")" || exit 1
exec g++ -std=c++17 -O2 -Wall -Wextra -o player client.cpp player.cpp
