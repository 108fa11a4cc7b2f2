#lang racket/base
;; SPDX-License-Identifier: Apache-2.0
;; Racket's net/url.
(require net/url racket/port racket/string)

(define timeout 3) ; seconds

;; The next URL, octet by octet: so it is there as soon as it is whole; #f at the end.
(define (next-url)
  (let loop ([octets '()])
    (define octet (read-byte))
    (cond [(eof-object? octet) #f]
          [(zero? octet) (bytes->string/utf-8 (apply bytes (reverse octets)) #\uFFFD)]
          [else (loop (cons octet octets))])))

(define (status url)
  (define port (get-impure-port (string->url url)))
  (define line (read-line port 'any))
  (close-input-port port)
  (cadr (string-split line)))

(define (one-line text)
  (regexp-replace* #rx"[^ -~]+" text " "))

(define (answer url)
  (define found #f)
  (define thread-of-its-own
    (thread (lambda ()
              (set! found (with-handlers ([void (lambda (e) (one-line (format "! ~a" (exn-message e))))])
                            (status url))))))
  (unless (sync/timeout timeout thread-of-its-own)
    (kill-thread thread-of-its-own))
  (or found "! no answer in time"))

(if (equal? (current-command-line-arguments) #("--version"))
    (printf "Racket ~a\n" (version))
    (for ([url (in-producer next-url #f)])
      (write-string (answer url))
      (newline)
      (flush-output)))
