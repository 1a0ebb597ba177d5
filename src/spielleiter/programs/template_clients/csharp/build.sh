#!/bin/sh
cd "$(dirname "$0")" || exit 1
exec mcs -warn:4 -optimize -out:player.exe Client.cs Player.cs
