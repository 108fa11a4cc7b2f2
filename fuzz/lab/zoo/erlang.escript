#!/usr/bin/env escript
%% SPDX-License-Identifier: Apache-2.0
%% Erlang's uri_string:parse/1, which httpc uses.
-mode(compile).

default_port(Scheme) ->
    Known = #{"http" => 80, "ws" => 80, "https" => 443, "wss" => 443, "ftp" => 21},
    maps:get(string:lowercase(binary_to_list(Scheme)), Known, none).

hex(Octet) -> io_lib:format("\\x~2.16.0B", [Octet]).

escaped(none) -> "\\N";
escaped(Number) when is_integer(Number) -> integer_to_list(Number);
escaped(Text) ->
    [if O > 16#20, O < 16#7f, O =/= $\\ -> O; true -> hex(O) end || <<O>> <= Text].

effective(_, Port) when is_integer(Port), Port =< 65535 -> Port;
effective(Scheme, none) when Scheme =/= none -> default_port(Scheme);
effective(_, _) -> none.

line(Record) ->
    Parts = uri_string:parse(Record),
    true = is_map(Parts),
    Get = fun(Key, Default) -> maps:get(Key, Parts, Default) end,
    Port = case Get(port, none) of undefined -> none; Number -> Number end,
    Host = Get(host, none),
    Columns = [Get(scheme, none), Get(userinfo, none), Host, Port, Get(path, <<>>), Get('query', none),
        Get(fragment, none), effective(Get(scheme, none), Port)],
    ["accept\t-", [["\t", escaped(C)] || C <- Columns], "\n"].

answer(Record) ->
    try line(Record) catch _:_ -> ["reject\t-", lists:duplicate(8, "\t\\N"), "\n"] end.

read_all(Sofar) ->
    case file:read(standard_io, 1 bsl 20) of
        {ok, Data} -> read_all([Sofar, Data]);
        eof -> iolist_to_binary(Sofar)
    end.

main(["--version"]) ->
    io:format("Erlang/OTP ~s~n", [erlang:system_info(otp_release)]);
main([]) ->
    ok = io:setopts(standard_io, [binary, {encoding, latin1}]),
    Records = binary:split(read_all([]), <<0>>, [global]),
    file:write(standard_io, [answer(R) || R <- lists:droplast(Records)]).
