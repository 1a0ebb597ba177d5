#!/bin/sh
# Sees to it that the browser tests find Chromium: installs Debian's where that is possible, and never fails.
set -u
for name in chromium chromium-browser; do
    if command -v "$name" >/dev/null 2>&1; then exit 0; fi
done
if [ -n "${CHROMIUM:-}" ] && [ -x "$CHROMIUM" ]; then exit 0; fi
if ! command -v apt-get >/dev/null 2>&1; then
    echo "Chromium is not installed: the browser tests will be skipped. Install it, or set CHROMIUM to its path."
elif [ "$(id -u)" != 0 ]; then
    echo "Chromium is not installed: the browser tests will be skipped. Install it with: sudo apt-get install chromium"
else
    echo "Chromium is not installed; installing it for the browser tests: apt-get install -y chromium"
    if { apt-get install -y -qq chromium || { apt-get update -qq && apt-get install -y -qq chromium; }; } >/dev/null 2>&1
    then
        echo "Chromium is installed."
    else
        echo "That did not work: the browser tests will be skipped. Try it yourself with: apt-get install chromium"
    fi
fi
exit 0
