/* SPDX-License-Identifier: Apache-2.0 */
/* Replaces the lock of slot.c by one that does not lock: ThreadSanitizer must report it. */
#include <pthread.h>

static inline int no_lock(pthread_mutex_t *lock)
{
	(void)lock;
	return 0;
}

#define pthread_mutex_lock   no_lock
#define pthread_mutex_unlock no_lock
