# SPDX-License-Identifier: Apache-2.0
# R's url(), and what it has of libcurl.
options(timeout = 3, warn = 2, HTTPUserAgent = "R")

next_url <- function(from) {
	octets <- raw()
	while (length(octet <- readBin(from, "raw", 1)) > 0) {
		if (octet == 0) return(rawToChar(octets))
		octets <- c(octets, octet)
	}
	NULL
}

fetch <- function(text) {
	connection <- url(text, "rb", method = "libcurl")
	on.exit(close(connection))
	readBin(connection, "raw", 100)
	"200"
}

if (identical(commandArgs(TRUE), "--version")) {
	cat(R.version.string, "\n")
} else {
	from <- file("stdin", "rb", raw = TRUE)
	while (!is.null(text <- next_url(from))) {
		answer <- tryCatch(fetch(text), error = function(e) paste("!", conditionMessage(e)))
		cat(substr(gsub("[^ -~]+", " ", answer), 1, 300), "\n", sep = "")
		flush(stdout())
	}
}
