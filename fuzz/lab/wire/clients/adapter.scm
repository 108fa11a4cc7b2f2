;; SPDX-License-Identifier: Apache-2.0
;; What the Guile clients share: URLs in, a line each out.
(use-modules (ice-9 binary-ports) (ice-9 format) (ice-9 threads))

(define TIMEOUT 3) ; seconds

;; The next URL, its octets as characters; #f at the end.
(define (next-url port)
  (let loop ((octets '()))
    (let ((octet (get-u8 port)))
      (cond ((eof-object? octet) #f)
            ((zero? octet) (list->string (reverse octets)))
            (else (loop (cons (integer->char octet) octets)))))))

(define (one-line text)
  (string-map (lambda (c) (if (char<=? #\space c #\~) c #\space)) text))

(define (status-or-error fetch url)
  (catch #t
    (lambda () (number->string (fetch url)))
    (lambda (key . details) (one-line (format #f "! ~a ~s" key details)))))

;; In a thread of its own, because Guile's clients know of no timeout.
(define (answer fetch url)
  (let ((thread (call-with-new-thread (lambda () (status-or-error fetch url)))))
    (join-thread thread (+ TIMEOUT (current-time)) "! no answer in time")))

;; fetch gets a URL once and returns the status; what it throws is an error to report.
(define (serve version fetch)
  (if (equal? (cdr (command-line)) '("--version"))
      (format #t "~a~%" version)
      (begin
        (sigaction SIGPIPE SIG_IGN)
        (let loop ((url (next-url (current-input-port))))
          (when url
            (display (answer fetch url))
            (newline)
            (force-output)
            (loop (next-url (current-input-port))))))))
