;; SPDX-License-Identifier: Apache-2.0
;; Guile's (web client).
(load (string-append (dirname (car (command-line))) "/adapter.scm"))
(use-modules (web client) (web response))

(serve (string-append "Guile " (version))
       (lambda (url)
         (call-with-values (lambda () (http-get url))
           (lambda (response body) (response-code response)))))
