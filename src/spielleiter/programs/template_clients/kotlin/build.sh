#!/bin/sh
cd "$(dirname "$0")" || exit 1
exec kotlinc Client.kt Player.kt -include-runtime -d player.jar
