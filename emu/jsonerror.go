package emu

import (
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// MisreadError says in words what is wrong with JSON that could not be read, on
// one line that is safe to show. The library's own words name types of this
// program, which no reader knows.
type MisreadError struct {
	At    string // the member, its names joined by dots; "" for the whole
	Wrong string
	Err   error // the library's
}

// Error implements error.
func (e *MisreadError) Error() string {
	if e.At == "" {
		return e.Wrong
	}
	return e.At + ": " + e.Wrong
}

// Unwrap returns the library's error.
func (e *MisreadError) Unwrap() error { return e.Err }

// misread puts an error of the JSON library into words. data is what was read.
func misread(data []byte, err error) error {
	var broken *jsontext.SyntacticError
	var wrong *json.SemanticError
	switch {
	case errors.As(err, &wrong):
		return misfit(wrong)
	case errors.As(err, &broken):
		return noJSON(data, broken)
	}
	return err
}

// noJSON is for text that is no JSON, or has a member twice.
func noJSON(data []byte, err *jsontext.SyntacticError) error {
	at := memberName(err.JSONPointer)
	switch {
	case errors.Is(err, jsontext.ErrDuplicateName):
		return &MisreadError{at, "is there twice", err}
	case len(data) == 0:
		return &MisreadError{"", "it is empty", err}
	case errors.Is(err, io.ErrUnexpectedEOF):
		wrong := "it breaks off after " + Count(len(data), "byte")
		if at != "" {
			wrong += ", in " + at
		}
		return &MisreadError{"", wrong, err}
	}
	return &MisreadError{"", fmt.Sprintf("it is no JSON from byte %d on: %v", err.ByteOffset, quoted(err.Err.Error())), err}
}

// misfit is for JSON that does not fit what it is read into.
func misfit(err *json.SemanticError) error {
	at := memberName(err.JSONPointer)
	var inner *MisreadError
	switch {
	case errors.Is(err, json.ErrUnknownName):
		return &MisreadError{at, "is not known", err}
	case errors.As(err.Err, &inner): // of a type that reads itself
		return &MisreadError{strings.TrimPrefix(at+"."+inner.At, "."), inner.Wrong, err}
	case err.Err != nil && !errors.Is(err, strconv.ErrSyntax) && !errors.Is(err, strconv.ErrRange):
		return &MisreadError{at, quoted(err.Err.Error()), err}
	}
	is := kindWords[err.JSONKind]
	if len(err.JSONValue) > 0 { // of the right kind, but not one that is taken
		is = quoted(string(err.JSONValue))
	}
	return &MisreadError{at, fmt.Sprintf("must be %s, not %s", typeWords(err.GoType), is), err}
}

// maxQuoted bounds what an error quotes of the JSON, in UTF-16 units.
const maxQuoted = 200

func quoted(s string) string { return Clip(Clean(s), maxQuoted) }

func memberName(p jsontext.Pointer) string {
	return quoted(strings.Join(slices.Collect(p.Tokens()), "."))
}

// kindWords are the kinds of JSON in words.
var kindWords = map[jsontext.Kind]string{
	'n': "null", 't': "true or false", 'f': "true or false", '"': "a text", '0': "a number", '{': "an object", '[': "a list",
}

// typeWords says in words what JSON a type is read from.
func typeWords(t reflect.Type) string {
	for t != nil && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t == nil {
		return "something else"
	}
	switch t.Kind() {
	case reflect.String:
		return kindWords['"']
	case reflect.Bool:
		return kindWords['t']
	case reflect.Slice, reflect.Array:
		return kindWords['[']
	case reflect.Struct, reflect.Map:
		return kindWords['{']
	case reflect.Float32, reflect.Float64:
		return kindWords['0']
	}
	return "a whole number" // nothing is read into any other
}
