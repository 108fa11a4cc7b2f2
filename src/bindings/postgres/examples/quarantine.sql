-- SPDX-License-Identifier: Apache-2.0
-- What is refused is kept apart, with the reasons and the spelling to write instead, and the rest of
-- the load goes on.
CREATE TABLE quarantine (
	id bigint,
	url text,
	findings text[],
	suggestion text,
	judged_by text DEFAULT urivet_version(),
	came timestamptz DEFAULT now()
);
CREATE FUNCTION to_quarantine() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	-- no URL is nothing to judge; the column says NOT NULL if there has to be one
	IF urivet_ok(NEW.url) OR NEW.url IS NULL THEN
		RETURN NEW;
	END IF;
	INSERT INTO quarantine (id, url, findings, suggestion)
	VALUES (NEW.id, NEW.url, urivet_findings(NEW.url), urivet_suggest(NEW.url));
	RETURN NULL;
END
$$;
CREATE TRIGGER quarantine BEFORE INSERT OR UPDATE OF url ON incoming
FOR EACH ROW EXECUTE FUNCTION to_quarantine();
