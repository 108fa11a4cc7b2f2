// SPDX-License-Identifier: Apache-2.0

//go:build cgo

package urivet

import (
	"database/sql/driver"
	"fmt"
	"reflect"
)

// By names the policy of a URL type: URL[hooks], if hooks has a method Policy that returns what Load returned.
type By interface{ Policy() *Policy }

// ByStrict and ByPublic are the built-in policies as types.
type (
	ByStrict struct{}
	ByPublic struct{}
)

// Policy returns Strict.
func (ByStrict) Policy() *Policy { return Strict }

// Policy returns Public.
func (ByPublic) Policy() *Policy { return Public }

// A URL is text that a policy accepts, for fields of JSON and other text, and columns of databases: what is
// refused is an error when it is read, and when it is written. The empty one stands for NULL, and is written as "", which
// is refused where text is read: omitempty leaves it out. Conversions, fmt.Sscan and keys of maps that are written are not judged: call Err.
type URL[P By] string

// StrictURL and PublicURL are URLs by built-in policies.
type (
	StrictURL = URL[ByStrict]
	PublicURL = URL[ByPublic]
)

// Err returns nil if the policy accepts the URL, else a *Refused.
func (u URL[P]) Err() error {
	return recovered(func() error {
		var by P
		return by.Policy().Check(string(u)).Err()
	})
}

// Validation returns a function for github.com/go-playground/validator that calls OK for fields of text:
//
//	validate.RegisterValidation("public_url", urivet.Validation[validator.FieldLevel](urivet.Public))
func Validation[F interface{ Field() reflect.Value }](p *Policy) func(F) bool {
	return func(field F) bool {
		value := field.Field()
		return value.Kind() == reflect.String && p.OK(value.String())
	}
}

// UnmarshalText implements encoding.TextUnmarshaler.
func (u *URL[P]) UnmarshalText(text []byte) error { return u.Scan(string(text)) }

// MarshalText implements encoding.TextMarshaler.
func (u URL[P]) MarshalText() ([]byte, error) {
	if u == "" {
		return []byte{}, nil
	}
	return []byte(u), u.Err()
}

// UnmarshalBinary implements encoding.BinaryUnmarshaler, which gob and stores of keys and values read by.
func (u *URL[P]) UnmarshalBinary(data []byte) error { return u.Scan(string(data)) }

// MarshalBinary implements encoding.BinaryMarshaler.
func (u URL[P]) MarshalBinary() ([]byte, error) { return u.MarshalText() }

// UnmarshalParam is for the forms and queries of gin and echo.
func (u *URL[P]) UnmarshalParam(text string) error { return u.Scan(text) }

// Scan implements sql.Scanner.
func (u *URL[P]) Scan(source any) error {
	var err error
	switch text := source.(type) {
	case nil:
		*u = ""
	case string:
		if err = URL[P](text).Err(); err == nil {
			*u = URL[P](text)
		}
	case []byte:
		err = u.Scan(string(text))
	default:
		err = fmt.Errorf("urivet: a URL is text, not %T", source)
	}
	return err
}

// Value implements driver.Valuer.
func (u URL[P]) Value() (driver.Value, error) {
	if u == "" {
		return nil, nil
	}
	return string(u), u.Err()
}
