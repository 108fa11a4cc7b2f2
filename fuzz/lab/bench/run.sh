#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Measures: run.sh FOLDER contestants.so... The sets of urls.py, lengths, odd shapes; or with
# DATA=FILE the lines of that file alone. PASSES=N passes. What comes out lies in FOLDER as well:
# SET.md and SET.csv, lengths.md, shapes.md.
set -eu
folder=$1
shift
passes=--passes=${PASSES:-25}

measure() { # name, arguments of bench
	name=$1
	shift
	printf '\n## %s\n\n' "$name"
	"$folder/bench" "$passes" "$@" >"$folder/$name.md"
	cat "$folder/$name.md"
}

set_of() { # name, contestants
	of=$1
	shift
	measure "$of" --null --csv="$folder/$of.csv" "$folder/$of" "$@"
}

if [ -n "${DATA:-}" ]; then
	measure data --csv="$folder/data.csv" "$DATA" "$@"
	exit
fi

# all contestants
for set in mixed homepages; do
	set_of $set "$@"
done

# those that the aims speak of
beside=
for contestant; do
	case ${contestant##*/} in
	floors.so | urivet.so | rules.so | ada* | uriparser*) beside="$beside $contestant" ;;
	esac
done
classes=$(cd "$folder" && printf '%s\n' class-* | sed '/\./d')
for set in hostile ipv4 ipv6 long-query long-pairs long-percent long-escapes long-utf8 long-mixed $classes; do
	# shellcheck disable=SC2086 # names without blanks
	set_of "$set" $beside
done

measure lengths --lengths "$folder/urivet.so" "$folder/urivet-sse2.so" "$folder/urivet-no.so" "$folder/floors.so"
measure shapes --shapes=8000 "$folder/urivet.so" "$folder/urivet-no.so"
