/* SPDX-License-Identifier: Apache-2.0 */
/* What is known of a request beside its target. */
#ifndef URIVET_REQUEST_H
#define URIVET_REQUEST_H

#include "text/text.h"

/* The size of the smallest request, that of version 0.2: see text/sized.h. */
#define REQUEST_LEAST sizeof(struct urivet_request)

/*@ predicate is_possible(struct urivet_text text) =
      text.data == \null || text.length <= URIVET_MAX_LENGTH; */
/*@ requires request == \null || \valid_read(request);
    assigns \nothing;
    ensures \result ==> request != \null && is_possible(request->method); */
bool urivet_request_valid(const struct urivet_request *request);

/* Returns true if the method allows a target of this form: RFC 9112, 3.2. */
/*@ requires is_possible(method);
    assigns \nothing; */
bool urivet_method_allows(struct urivet_text method, enum urivet_target_form form);

#endif
