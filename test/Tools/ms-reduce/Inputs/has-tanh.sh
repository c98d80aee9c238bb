#!/bin/sh
# Interesting (exit status 1) is a module with a tanh.
if grep -q mindir.tanh "$1"; then exit 1; fi
