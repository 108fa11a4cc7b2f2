-- SPDX-License-Identifier: Apache-2.0
-- Judges a column once, by all processors that the server may use, and keeps what came of it and
-- which release said so.
CREATE TABLE judged AS
SELECT id, url, urivet_ok(url) AS accepted, urivet_version() AS judged_by
FROM pages;
ALTER TABLE judged ADD PRIMARY KEY (id);
