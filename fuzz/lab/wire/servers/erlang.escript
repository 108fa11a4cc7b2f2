#!/usr/bin/env escript
%% SPDX-License-Identifier: Apache-2.0
%% Erlang's httpd of inets, serving files.
main(["--version"]) ->
    application:load(inets),
    {ok, Version} = application:get_key(inets, vsn),
    io:format("inets ~s~n", [Version]);
main([]) ->
    application:ensure_all_started(inets),
    {ok, _} = inets:start(httpd, [{port, list_to_integer(os:getenv("PORT"))}, {bind_address, {127, 0, 0, 1}},
                                  {server_name, "wire"}, {server_root, os:getenv("DIR")},
                                  {document_root, os:getenv("ROOT")}]),
    receive stop -> ok end.
