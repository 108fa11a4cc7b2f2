-- SPDX-License-Identifier: Apache-2.0
-- What is wrong with the URLs that are refused, the most frequent finding first, with an example.
SELECT finding, count(*) AS urls, min(url COLLATE "C") AS example
FROM pages, unnest((urivet_check(url)).refused_by) AS finding
GROUP BY finding
ORDER BY urls DESC, finding;
