-- SPDX-License-Identifier: Apache-2.0
-- The refused ones at once, however many rows there are: a partial index has them alone.
CREATE INDEX pages_refused ON pages (id) WHERE NOT urivet_ok(url);
-- All pages of a host at once, whatever the spelling: an index over what the function says.
CREATE INDEX pages_by_host ON pages (urivet_host(url));
