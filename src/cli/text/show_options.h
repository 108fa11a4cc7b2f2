/* SPDX-License-Identifier: Apache-2.0 */
/* How results are written. */
#ifndef CLI_SHOW_OPTIONS_H
#define CLI_SHOW_OPTIONS_H

#include "cli/text/paint.h"

enum format { FORMAT_DEFAULT = 0, FORMAT_HUMAN, FORMAT_TSV, FORMAT_JSON, FORMAT_SARIF };

struct show_options {
	enum format format;
	enum colour colour;
	bool quiet;
};

#endif
