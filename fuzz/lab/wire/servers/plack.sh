#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Starman before Plack's file server, as Perl programs of PSGI have it.
. "$HERE/adapter.sh"
packaged libplack-perl
# shellcheck disable=SC2016
exec starman --listen "127.0.0.1:$PORT" --workers 16 -MPlack::App::File \
	-e 'Plack::App::File->new(root => $ENV{ROOT})->to_app'
