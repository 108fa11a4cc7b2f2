// SPDX-License-Identifier: Apache-2.0

// Judges URLs by cgo, with pointers and lengths alone: verdict, reasons, and where to connect.
package main

// #include <stdlib.h>
// #include <urivet.h>
import "C"

import (
	"fmt"
	"os"
	"unsafe"
)

func main() {
	var policy C.struct_urivet_policy
	var report C.struct_urivet_report
	var endpoint C.struct_urivet_endpoint
	C.urivet_policy_init(&policy, C.sizeof_struct_urivet_policy, C.URIVET_PUBLIC)
	for _, url := range os.Args[2:] {
		text, length := C.CString(url), C.size_t(len(url))
		names := (*C.char)(C.malloc(1024))
		if C.urivet_check(&report, unsafe.Pointer(text), length, &policy) != C.URIVET_ACCEPT {
			C.urivet_format_ids(names, 1024, &report, &policy)
			fmt.Println("reject", C.GoString(names))
			continue
		}
		var octets C.size_t
		host := C.urivet_component_at(&report, C.URIVET_HOST, unsafe.Pointer(text), length, &octets)
		capacity := C.urivet_size_of(C.URIVET_CAPACITY_ENDPOINT, length)
		needed := C.urivet_endpoint(&endpoint, (*C.char)(C.malloc(capacity)), capacity, &report, unsafe.Pointer(text), length)
		fmt.Println("accept", C.GoStringN(host, C.int(octets)), map[bool]string{true: "True", false: "False"}[needed > 0])
	}
}
