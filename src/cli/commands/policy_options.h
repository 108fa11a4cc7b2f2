/* SPDX-License-Identifier: Apache-2.0 */
/* The options of the subcommands of urivet policy. */
#ifndef CLI_POLICY_OPTIONS_H
#define CLI_POLICY_OPTIONS_H

struct action_options {
	int source;         /* policy import: the kind of list, from 1; 0: not given */
	const char *accept; /* policy learn: the share to accept; NULL: 99.9 */
};

#endif
