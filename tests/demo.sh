#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Shows the main use in two steps: judge the sample, explain one refusal.
urivet=${1:-build/urivet}
sample=corpus/sample.txt
echo "urivet check --format=tsv < $sample     (verdict, findings, input)"
echo
"$urivet" check --format=tsv --input=$sample | cut -f1,2 | paste - $sample |
	awk -F '\t' '{ printf "%s  %s\n        %s\n", $1, $3, $2 }'
bad='http://www.example.com&story=breaking_news@10.0.0.1/top_story.htm'
echo
echo "urivet explain '$bad'"
echo
"$urivet" explain "$bad"
[ $? = 1 ] || { echo "expected a refusal" >&2; exit 1; }
"$urivet" check -q --input=$sample
[ $? = 1 ]
