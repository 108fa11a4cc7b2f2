-- SPDX-License-Identifier: Apache-2.0
-- What each function answers: a firing case and a near miss, NULL, and what is no answer.
\set SHOW_CONTEXT never
CREATE EXTENSION urivet;
SELECT urivet_version() ~ '^\d+\.\d+\.\d+$' AS version;

-- verdicts
SELECT url, urivet_ok(url), urivet_findings(url), urivet_host(url), urivet_port(url), urivet_suggest(url)
FROM (VALUES ('http://example.com/'), ('http://example.com\@example.net/'), ('HTTP://example.com/'),
	('http://example.com:80/'), ('http://example.com:081/'), ('http://10.0.0.1/'), ('https://[2001:db8::1]/'),
	('http://a_b.example/'), ('javascript:alert(1)'), (''), (NULL)) AS v(url);
SELECT (urivet_check('http://example.com\@example.net/')).*;
SELECT (urivet_check('http://example.com/')).*;
SELECT urivet_check(NULL) IS NULL AS nothing;
SELECT urivet_ok('http://example.com/' || repeat('a', 8192 - 19)) AS longest,
	urivet_ok('http://example.com/' || repeat('a', 8192 - 18)) AS longer,
	urivet_findings('http://example.com/' || repeat('a', 8192 - 18));

-- by a policy
SELECT url, urivet_ok(url, urivet_policy('public')), urivet_findings(url, urivet_policy('public')),
	urivet_host(url, urivet_policy('public')), urivet_port(url, urivet_policy('public')),
	urivet_suggest(url, urivet_policy('public'))
FROM (VALUES ('http://example.com/'), ('http://10.0.0.1/'), ('http://www.debian.org/.'), (NULL)) AS v(url);
SELECT (urivet_check('http://10.0.0.1/', urivet_policy('public'))).refused_by;
SELECT urivet_ok('ws://example.com/', urivet_policy('any')) AS any, urivet_ok('ws://example.com/') AS strict;
SELECT name, urivet_policy(name) IS NOT NULL AS there FROM unnest('{strict,public,any,gateway}'::text[]) AS name;

-- nothing fails open
SELECT urivet_policy(NULL);
SELECT urivet_policy('nosuch');
SELECT urivet_ok('http://evil/', NULL);
SELECT urivet_ok(NULL, NULL);
SELECT urivet_findings('http://evil/', NULL);
SELECT urivet_check('http://evil/', NULL);
SELECT urivet_require('http://evil/', NULL);
SELECT urivet_host('http://evil/', NULL);
SELECT urivet_resolve('http://evil/', '/', NULL);
SELECT urivet_ok('http://evil/', '');
SELECT urivet_ok('http://evil/', '\x00');
SELECT urivet_ok('http://evil/', set_byte(urivet_policy('strict'), 60, 1));
SELECT urivet_ok('http://evil/', substr(urivet_policy('strict'), 1, 200));
CREATE TABLE unknown_policy (url text CHECK (urivet_ok(url, NULL)));
INSERT INTO unknown_policy VALUES ('http://evil/');
-- control: a function that is STRICT would let it in
CREATE FUNCTION strict_ok(url text, policy bytea) RETURNS boolean STRICT LANGUAGE plpgsql AS
	'BEGIN RETURN urivet_ok(url, policy); END';
CREATE TABLE fails_open (url text CHECK (strict_ok(url, NULL)));
INSERT INTO fails_open VALUES ('http://evil/') RETURNING url AS let_in_by_the_control;

-- a policy that changes from row to row is never that of the row before
SELECT name, urivet_ok('http://10.0.0.1/', p) FROM (VALUES (1, 'strict'), (2, 'public'), (3, 'strict'), (4, 'public')) AS v(n, name),
	LATERAL urivet_policy(name) AS p ORDER BY n;
-- nor in a loop of PL/pgSQL, which keeps what it has compiled from turn to turn
DO $$
DECLARE
	name text; policy bytea; told text := '';
BEGIN
	FOREACH name IN ARRAY '{strict,public,strict,public}'::text[] LOOP
		policy := urivet_policy(name);
		told := told || ' ' || name || ' ' || urivet_ok('http://10.0.0.1/', policy);
	END LOOP;
	RAISE NOTICE '%', told;
END
$$;

-- the domain
CREATE TABLE links (url safe_url);
INSERT INTO links VALUES ('https://example.com/'), (NULL);
INSERT INTO links VALUES ('https://Example.com:0443/%7euser/./index.html');
INSERT INTO links VALUES ('http://user:secret@example.com/');
SELECT 'http://example.com/'::safe_url, NULL::safe_url IS NULL AS nothing;
SELECT 'http://example.com?x'::safe_url;
SELECT url FROM links ORDER BY url;

-- a function that gives NULL for what is refused is no check by itself: NULL passes
CREATE TABLE by_host_alone (url text CHECK (urivet_host(url) IN ('example.com')));
INSERT INTO by_host_alone VALUES ('http://a@evil.example/') RETURNING url AS let_in_by_the_control;
CREATE TABLE by_verdict_and_host (url text CHECK (urivet_ok(url) AND urivet_host(url) IN ('example.com')));
INSERT INTO by_verdict_and_host VALUES ('http://example.com/x');
INSERT INTO by_verdict_and_host VALUES ('http://a@evil.example/');

-- pieces
SELECT component, urivet_part('http://u:p@example.com:8080/a?b#c', component), urivet_part('//h', component) AS of_reference
FROM unnest('{scheme,authority,userinfo,host,port,path,query,fragment}'::text[]) AS component;
SELECT urivet_part('http://h/?', 'query') = '' AS empty, urivet_part('http://h/', 'query') IS NULL AS absent,
	urivet_part('http://[::1', 'host') IS NULL AS unreadable;
SELECT urivet_part('http://h/', 'hosts');
SELECT (urivet_endpoint(url)).* FROM (VALUES ('https://example.com/a?b#c'), ('http://127.0.0.1/'), ('https://[2001:db8::1]'), ('http://a@b/')) AS v(url);

-- spellings
SELECT urivet_normalise('HTTP://EXAMPLE.com/%7e/../a/./b?%2f'), urivet_normalise(''), urivet_normalise('http://[') IS NULL AS unreadable;
SELECT reference, urivet_resolve('http://a/b/c/d;p?q', reference),
	urivet_resolve('http://a.example/b', reference, urivet_policy('strict')) AS judged
FROM (VALUES ('g'), ('../../../g'), ('?y'), ('//evil.example\@x'), ('//g'), ('http:g'), ('')) AS v(reference);
SELECT urivet_resolve('mailto', 'x') IS NULL AS no_base;

-- a refusal as an error: every reason and its place, a spelling up to its path, and nothing of the URL that may be a secret
SELECT urivet_require('http://example.com/') AS accepted, urivet_require(NULL) IS NULL AS nothing;
SELECT urivet_require('http://Example.com:080/a/./b%7e;SECRET');
SELECT urivet_require('HTTP://example.com/a?SECRET');
SELECT urivet_require('HTTP://example.com/a#SECRET');
SELECT urivet_require('http://10.0.0.1/%7e', urivet_policy('public'));
SELECT urivet_require('http://b' || U&'\00fc' || 'cher.de/');
SELECT urivet_require('HTTP://example.com/' || repeat('a', 8192 - 18));
SELECT urivet_suggest('http://b' || U&'\00fc' || 'cher.de/') AS of_an_iri, urivet_suggest('HTTP://user@example.com/') IS NULL AS none, length(urivet_suggest('HTTP://example.com/' || repeat('a', 8192 - 19))) AS longest, urivet_suggest('HTTP://example.com/' || repeat('a', 8192 - 18)) IS NULL AS longer;
-- findings that have no room are counted
SELECT cardinality(findings) AS findings, cardinality(offsets) AS offsets, cardinality(lengths) AS lengths, dropped, reason FROM urivet_check('HTTP://a.b;%2F:@1.2.3.4-A_-.10-0-0-1.127-0-0-1.169-254-169-254.100-64-0-1.0-0-0-1.192-0-0-8.192-88-99-1.198-18-0-1.224-0-0-1.240-0-0-1.255-255-255-255.198-51-100-1.%61..localhost.1x.:080/../%2e/a..%2f.;/b//c%5cd/x%3fy%23/%2523:%00%0a%e9%c0%ae%21?', urivet_policy('public'));
-- the longest texts of functions that have no policy
SELECT more, length(urivet_part('http://h/' || repeat('a', 1048567 + more), 'path')) AS part, length(urivet_normalise('http://h/' || repeat('a', 1048567 + more))) AS normal, length(urivet_resolve('http://h/', repeat('a', 1048576 + more))) AS reference, urivet_resolve('http://h/' || repeat('a', 1048567 + more), 'x') AS base FROM generate_series(0, 1) AS more;
-- policies kept by name
INSERT INTO urivet_policies VALUES ('mine', urivet_policy('public'));
SELECT urivet_ok('http://10.0.0.1/', urivet_policy('mine'));
\set VERBOSITY terse
INSERT INTO urivet_policies VALUES ('strict', urivet_policy('public'));
\set VERBOSITY default
INSERT INTO urivet_policies VALUES ('broken', '\x1234');
UPDATE urivet_policies SET compiled = urivet_policy('strict') WHERE name = 'mine';
SELECT urivet_ok('http://10.0.0.1/', urivet_policy('mine'));

-- indexes
CREATE TABLE pages (url text NOT NULL);
INSERT INTO pages SELECT 'http://host' || i || '.example/' FROM generate_series(1, 1000) AS i;
INSERT INTO pages VALUES ('http://a@b/'), ('x');
CREATE INDEX refused ON pages (url) WHERE NOT urivet_ok(url);
CREATE INDEX by_host ON pages (urivet_host(url));
ANALYZE pages;
SET enable_seqscan = off;
SELECT url FROM pages WHERE NOT urivet_ok(url) ORDER BY url;
SET enable_bitmapscan = off;
SELECT url FROM pages WHERE urivet_host(url) = 'host7.example';
SELECT * FROM urivet_indexes ORDER BY 1;

-- who may do what
CREATE ROLE anybody;
SET ROLE anybody;
SELECT urivet_ok('http://example.com/'), urivet_ok('http://10.0.0.1/', urivet_policy('mine'));
SELECT * FROM urivet_policies;
INSERT INTO urivet_policies VALUES ('x', urivet_policy('public'));
SET search_path = pg_temp;
CREATE TEMP TABLE urivet_policies (name text, compiled bytea);
INSERT INTO pg_temp.urivet_policies VALUES ('mine2', public.urivet_policy('any'));
SELECT public.urivet_policy('mine2');
RESET search_path;
RESET ROLE;
DROP OWNED BY anybody;
DROP ROLE anybody;

-- what the functions are declared as
SELECT p.oid::regprocedure AS function, provolatile AS volatile, proisstrict AS strict, proparallel AS parallel, prosecdef AS definer
FROM pg_depend AS d JOIN pg_proc AS p ON p.oid = d.objid AND d.classid = 'pg_proc'::regclass
WHERE d.refobjid = (SELECT oid FROM pg_extension WHERE extname = 'urivet') AND proname NOT LIKE 'urivet_at%' ORDER BY 1::text;
SELECT count(*) AS functions_with_a_policy_that_are_strict
FROM pg_depend AS d JOIN pg_proc AS p ON p.oid = d.objid AND d.classid = 'pg_proc'::regclass
WHERE d.refobjid = (SELECT oid FROM pg_extension WHERE extname = 'urivet') AND proisstrict AND 'bytea'::regtype = ANY (proargtypes);
SELECT length(urivet_host('https://' || repeat(repeat('A', 60) || '.', 3) || 'example/')) AS octets;
