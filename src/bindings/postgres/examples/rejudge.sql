-- SPDX-License-Identifier: Apache-2.0
-- Every night: judges again what another release has judged, some thousand rows at a time so that
-- nobody waits for long, and notes each verdict that changed. Ends at once where there is nothing to do.
CREATE TABLE IF NOT EXISTS changed_verdicts (
	id bigint, url text, was boolean, is_now boolean, findings text[], release text, noted timestamptz DEFAULT now()
);
CREATE OR REPLACE PROCEDURE rejudge(batch integer DEFAULT 10000) LANGUAGE plpgsql AS $$
DECLARE
	release text := urivet_version();
	rows bigint;
BEGIN
	LOOP
		WITH old AS (
			SELECT id, accepted FROM judged
			WHERE judged_by IS DISTINCT FROM release
			LIMIT batch FOR UPDATE SKIP LOCKED
		), renewed AS (
			UPDATE judged AS j SET accepted = urivet_ok(j.url), judged_by = release
			FROM old WHERE j.id = old.id
			RETURNING j.id, j.url, old.accepted AS was, j.accepted AS is_now
		), noted AS (
			INSERT INTO changed_verdicts (id, url, was, is_now, findings, release)
			SELECT id, url, was, is_now, urivet_findings(url), release FROM renewed
			WHERE was IS DISTINCT FROM is_now
		)
		SELECT count(*) INTO rows FROM renewed;
		COMMIT;
		EXIT WHEN rows = 0;
	END LOOP;
END
$$;
CALL rejudge();
