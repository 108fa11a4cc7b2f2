;; SPDX-License-Identifier: Apache-2.0
;; newLISP's get-url.
(define (one-line text)
  (replace "[^ -~]+" text " " 0))

(define (fetch url)
  (let (found (get-url url "list" 3000))
    (if (and (list? found) (regex " ([0-9]+)" (found 2))) $1
        (string "! " (one-line (slice (string found) 0 300))))))

;; The next URL, octet by octet: so it is there as soon as it is whole; nil at the end.
(define (next-url , url octet)
  (set 'url "")
  (while (and (!= 0 (set 'octet (read-char 0))) octet)
    (extend url (pack "b" octet)))
  (if octet url))

(if (= (last (main-args)) "--version")
    (println "newLISP " (sys-info -2))
    (let (url nil)
      (while (set 'url (next-url))
        (println (fetch url)))))
(exit)
