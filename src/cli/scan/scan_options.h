/* SPDX-License-Identifier: Apache-2.0 */
/* The options of urivet scan. */
#ifndef CLI_SCAN_OPTIONS_H
#define CLI_SCAN_OPTIONS_H

#include <stdbool.h>

struct scan_options {
	bool html;  /* the files are HTML */
	bool mail;  /* the files are messages and mailboxes */
	int markup; /* enum markup of the files */
};

#endif
