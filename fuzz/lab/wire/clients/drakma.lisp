;; SPDX-License-Identifier: Apache-2.0
;; Drakma of Common Lisp.
(require :asdf)
(let ((*standard-output* (make-broadcast-stream)) (*error-output* (make-broadcast-stream)))
  (asdf:load-system :drakma))

(defconstant +timeout+ 3) ; seconds

(defun one-line (text)
  (substitute-if #\space (lambda (c) (not (char<= #\space c #\~))) text))

(defun answer (url)
  (handler-case
      (sb-ext:with-timeout +timeout+
        (multiple-value-bind (body status) (drakma:http-request url :redirect nil :preserve-uri t :force-binary t)
          (declare (ignore body))
          (princ-to-string status)))
    (sb-ext:timeout () "! no answer in time")
    (error (trouble) (concatenate 'string "! " (one-line (princ-to-string trouble))))))

;; The next URL, octet by octet: so it is there as soon as it is whole; nil at the end.
(defun next-url (from)
  (loop for octet = (read-byte from nil)
        while octet
        until (zerop octet) collect octet into octets
        finally (return (and octet (sb-ext:octets-to-string
                                    (coerce octets '(vector (unsigned-byte 8)))
                                    :external-format '(:utf-8 :replacement #\?))))))

(defun main ()
  (if (equal (rest sb-ext:*posix-argv*) '("--version"))
      (format t "Drakma ~a, SBCL ~a~%"
              (asdf:component-version (asdf:find-system :drakma)) (lisp-implementation-version))
      (loop with from = (sb-sys:make-fd-stream 0 :element-type '(unsigned-byte 8) :buffering :none)
            for url = (next-url from)
            while url
            do (format t "~a~%" (answer url))
               (finish-output))))
