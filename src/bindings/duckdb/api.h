/* SPDX-License-Identifier: Apache-2.0 */
/* Our declaration of the part of DuckDB's C extension API that is used here, so that no DuckDB
 * header is needed. The engine passes a table of functions to the extension. Indices in the table
 * are stable since version v1.2.0 of the API. A test verifies each index with a real engine. */
#ifndef DUCKDB_API_H
#define DUCKDB_API_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define API_VERSION "v1.2.0"

typedef struct api_database *database;
typedef struct api_connection *connection;
typedef struct api_type *logical_type;
typedef struct api_chunk *data_chunk;
typedef struct api_vector *vector;
typedef struct api_function *scalar_function;
typedef struct api_function_set *scalar_function_set;
typedef struct api_function_info *function_info;
typedef struct api_extension_info *extension_info;
typedef void scalar_rows(function_info info, data_chunk in, vector out);

/* The engine's interface for loading an extension. */
struct extension_access {
	void (*set_error)(extension_info info, const char *error);
	database *(*get_database)(extension_info info);
	void *const *(*get_api)(extension_info info, const char *version);
};

/* Type identifiers of DuckDB. */
enum type_id { TYPE_BOOLEAN = 1, TYPE_INTEGER = 4, TYPE_VARCHAR = 17, TYPE_BLOB = 18 };

/* A VARCHAR or BLOB: up to 12 octets are stored inline, longer values elsewhere. */
#define INLINE_MOST 12
union api_string {
	struct {
		uint32_t length;
		char in_place[INLINE_MOST];
	};
	struct {
		uint32_t same_length;
		char prefix[4];
		const char *octets;
	};
};
_Static_assert(sizeof(union api_string) == 16, "a value of VARCHAR has 16 octets");

/* The position of a row's list elements in the child vector. */
struct list_entry {
	uint64_t offset;
	uint64_t length;
};

/* Index in the engine's table, return type, name without "duckdb_", parameters. */
#define API_CALLS(CALL)                                                                            \
	CALL(3, int, connect, (database, connection *))                                            \
	CALL(6, void, disconnect, (connection *))                                                  \
	CALL(156, logical_type, create_logical_type, (int))                                        \
	CALL(159, logical_type, create_list_type, (logical_type))                                  \
	CALL(163, logical_type, create_struct_type, (logical_type *, const char **, uint64_t))     \
	CALL(184, void, destroy_logical_type, (logical_type *))                                    \
	CALL(189, uint64_t, data_chunk_get_column_count, (data_chunk))                             \
	CALL(190, vector, data_chunk_get_vector, (data_chunk, uint64_t))                           \
	CALL(191, uint64_t, data_chunk_get_size, (data_chunk))                                     \
	CALL(194, void *, vector_get_data, (vector))                                               \
	CALL(195, uint64_t *, vector_get_validity, (vector))                                       \
	CALL(196, void, vector_ensure_validity_writable, (vector))                                 \
	CALL(198, void, vector_assign_string_element_len,                                          \
	     (vector, uint64_t, const char *, uint64_t))                                           \
	CALL(199, vector, list_vector_get_child, (vector))                                         \
	CALL(200, uint64_t, list_vector_get_size, (vector))                                        \
	CALL(201, int, list_vector_set_size, (vector, uint64_t))                                   \
	CALL(202, int, list_vector_reserve, (vector, uint64_t))                                    \
	CALL(203, vector, struct_vector_get_child, (vector, uint64_t))                             \
	CALL(209, scalar_function, create_scalar_function, (void))                                 \
	CALL(210, void, destroy_scalar_function, (scalar_function *))                              \
	CALL(211, void, scalar_function_set_name, (scalar_function, const char *))                 \
	CALL(213, void, scalar_function_set_special_handling, (scalar_function))                   \
	CALL(215, void, scalar_function_add_parameter, (scalar_function, logical_type))            \
	CALL(216, void, scalar_function_set_return_type, (scalar_function, logical_type))          \
	CALL(217, void, scalar_function_set_extra_info,                                            \
	     (scalar_function, void *, void (*)(void *)))                                          \
	CALL(218, void, scalar_function_set_function, (scalar_function, scalar_rows *))            \
	CALL(220, void *, scalar_function_get_extra_info, (function_info))                         \
	CALL(221, void, scalar_function_set_error, (function_info, const char *))                  \
	CALL(222, scalar_function_set, create_scalar_function_set, (const char *))                 \
	CALL(223, void, destroy_scalar_function_set, (scalar_function_set *))                      \
	CALL(224, int, add_scalar_function_to_set, (scalar_function_set, scalar_function))         \
	CALL(225, int, register_scalar_function_set, (connection, scalar_function_set))

struct api {
#define CALL(place, returns, name, given) returns(*name) given;
	API_CALLS(CALL)
#undef CALL
};

/* The engine's functions. Set once, when the extension is loaded. */
extern struct api api;

#endif
