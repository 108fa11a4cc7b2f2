#!/usr/bin/env escript
%% SPDX-License-Identifier: Apache-2.0
%% Erlang's httpc.
-mode(compile).
-define(TIMEOUT, 3000).

fetch(Url) ->
    Options = [{timeout, ?TIMEOUT}, {connect_timeout, ?TIMEOUT}, {autoredirect, false}],
    case httpc:request(get, {binary_to_list(Url), []}, Options, []) of
        {ok, {{_, Status, _}, _, _}} -> integer_to_list(Status);
        {error, Reason} -> throw(Reason)
    end.

answer(Url) ->
    try fetch(Url)
    catch _:Reason ->
        Text = lists:flatten(io_lib:format("~0p", [Reason])),
        "! " ++ lists:sublist([C || C <- Text, C >= 32, C < 127], 300)
    end.

%% The next URL, octet by octet: so it is there as soon as it is whole.
serve(Octets) ->
    case file:read(standard_io, 1) of
        {ok, <<0>>} -> io:put_chars(answer(iolist_to_binary(lists:reverse(Octets))) ++ "\n"), serve([]);
        {ok, Octet} -> serve([Octet | Octets]);
        eof -> ok
    end.

main(["--version"]) ->
    ok = application:load(inets),
    {ok, Version} = application:get_key(inets, vsn),
    io:format("inets ~s, Erlang/OTP ~s~n", [Version, erlang:system_info(otp_release)]);
main([]) ->
    logger:set_primary_config(level, none),
    ok = io:setopts(standard_io, [binary, {encoding, latin1}]),
    {ok, _} = application:ensure_all_started(inets),
    ok = httpc:set_options([{ipfamily, inet6fb4}, {keep_alive_timeout, 0}]),
    serve([]).
