#!/bin/sh
# The programs that some tests need beside Python: Chromium for the pages, bubblewrap for the strongest sandbox.
# Says what is missing, what for, and what it is going to do; then root installs it where apt-get is.
# Never fails: without them the tests that need them are skipped.
set -u

missing=""
need() { # PACKAGE PURPOSE PROGRAM...
    package=$1 purpose=$2
    shift 2
    for program; do
        if [ -n "$program" ] && command -v "$program" >/dev/null 2>&1; then return; fi
    done
    echo "$package is not installed: $purpose."
    missing="$missing $package"
}

SHELL_PACKAGE=chromium-headless-shell # Chromium without windows needs a third less of the processor.
need $SHELL_PACKAGE "the tests of the pages in a browser need Chromium (or CHROMIUM set to its path)" \
    "${CHROMIUM:-}" chromium-headless-shell chromium chromium-browser
need bubblewrap "the tests of the sandbox that untrusted programs run in need it" bwrap

if [ -z "$missing" ]; then exit 0; fi
install="apt-get install -y$missing"
if ! command -v apt-get >/dev/null 2>&1; then
    echo "Without them these tests are skipped."
elif [ "$(id -u)" != 0 ]; then
    echo "Without them these tests are skipped. To install: sudo $install"
else
    echo "Installing system packages: $install"
    whole=$install # Where there is no headless shell, the whole browser.
    case $install in *$SHELL_PACKAGE*) whole="${install%%"$SHELL_PACKAGE"*}chromium${install#*"$SHELL_PACKAGE"}" ;; esac
    if { $install || { apt-get update && $install; } || { [ "$whole" != "$install" ] && $whole; }; } >/dev/null 2>&1; then
        echo "Installed."
    else
        echo "That did not work: these tests are skipped. Try it yourself: $install"
    fi
fi
exit 0
