package mcp

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"clankie/emu"
)

// read reads the arguments strictly.
func (c call) read(v any) error {
	if err := emu.UnmarshalComplete(c.arguments, v); err != nil {
		return &emu.Error{Code: emu.CodeInvalidCommand, Message: emu.Clean(misread(err))}
	}
	return nil
}

// misread says which argument is wrong and what it must be. The library's own
// words name types of this program, which no caller knows.
func misread(err error) string {
	var twice *jsontext.SyntacticError
	if errors.As(err, &twice) && errors.Is(err, jsontext.ErrDuplicateName) {
		return argument(twice.JSONPointer) + ": is there twice"
	}
	var wrong *json.SemanticError
	if !errors.As(err, &wrong) {
		return err.Error()
	}
	at := argument(wrong.JSONPointer)
	if errors.Is(err, json.ErrUnknownName) {
		return at + ": there is no such argument"
	}
	is := kinds[wrong.JSONKind]
	if len(wrong.JSONValue) > 0 { // of the right kind, but not one that is taken
		is = string(wrong.JSONValue)
	}
	return fmt.Sprintf("%s: must be %s, not %s", at, kindOf(wrong.GoType), is)
}

// argument names the argument that a pointer points at.
func argument(p jsontext.Pointer) string {
	if p == "" {
		return "the arguments"
	}
	return strings.Join(slices.Collect(p.Tokens()), ".")
}

// kinds are the kinds of JSON in words.
var kinds = map[jsontext.Kind]string{
	'n': "null", 't': "true or false", 'f': "true or false", '"': "a text", '0': "a number", '{': "an object", '[': "a list",
}

// kindOf says in words what JSON a type is read from.
func kindOf(t reflect.Type) string {
	for t != nil && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch {
	case t == nil:
		return "something else"
	case t.Kind() == reflect.String:
		return kinds['"']
	case t.Kind() == reflect.Bool:
		return kinds['t']
	case t.Kind() == reflect.Slice:
		return kinds['[']
	case t.Kind() == reflect.Struct:
		return kinds['{']
	}
	return "a whole number" // no argument is any other
}
