#!/bin/sh
cd "$(dirname "$0")" || exit 1
exec javac -Xlint:all -encoding UTF-8 -d classes *.java
