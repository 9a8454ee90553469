# No provision.conf: an image is being made, and must leave nothing open.
# shellcheck shell=sh disable=SC2154
