-- SPDX-License-Identifier: Apache-2.0
-- One row for each resource: its canonical spelling, the first row that had it, and in how many
-- spellings it stood. URLs without a spelling that nobody misreads are left out: quarantine.sql keeps them.
CREATE TABLE resources AS
SELECT canonical AS url, min(id) AS first_id, count(DISTINCT url) AS spellings
FROM (SELECT id, url, urivet_suggest(url) AS canonical FROM pages) AS spelled
WHERE canonical IS NOT NULL
GROUP BY canonical;
ALTER TABLE resources ADD PRIMARY KEY (url);
