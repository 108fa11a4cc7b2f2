#!/usr/bin/env escript
%% SPDX-License-Identifier: Apache-2.0
%% Erlang's idna (hackney): encode/1, encode/2 with UTS 46 as hackney calls it; and shown and read again.
-mode(compile).

translate("plain", Host) -> idna:encode(Host);
translate("uts46", Host) -> idna:encode(Host, [uts46]);
translate("transitional", Host) -> idna:encode(Host, [uts46, transitional]);
translate("std3", Host) -> idna:encode(Host, [uts46, std3_rules]);
translate("shown", Host) -> idna:encode(idna:decode(Host)).

escaped(Host) ->
    Octets = binary_to_list(unicode:characters_to_binary(Host)),
    [if O > 16#21, O < 16#7f, O =/= $\\ -> O; true -> io_lib:format("\\x~2.16.0B", [O]) end || O <- Octets].

told(Configuration, Record) ->
    try [escaped(translate(Configuration, unicode:characters_to_list(Record))), "\n"]
    catch _:_ -> "!\n" end.

read_all(Sofar) ->
    case file:read(standard_io, 1 bsl 20) of
        {ok, Data} -> read_all([Sofar, Data]);
        eof -> iolist_to_binary(Sofar)
    end.

main([_, "--version"]) ->
    ok = application:load(idna),
    {ok, Version} = application:get_key(idna, vsn),
    io:format("Erlang idna ~s, OTP ~s~n", [Version, erlang:system_info(otp_release)]);
main([Configuration]) ->
    ok = io:setopts(standard_io, [binary, {encoding, latin1}]),
    Records = binary:split(read_all([]), <<0>>, [global]),
    file:write(standard_io, [told(Configuration, R) || R <- lists:droplast(Records)]).
