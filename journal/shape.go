package journal

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// readOptions read a line's JSON: unknown members and duplicate keys are
// refused. Half characters are not: older writers cut texts between the two
// units of a character and wrote the half as an escape, and such a line is
// whole in every other way. The half reads as U+FFFD.
var readOptions = json.JoinOptions(json.RejectUnknownMembers(true), jsontext.AllowInvalidUTF8(true))

// decode reads one strict JSON value into v, a pointer to a struct, and
// checks what the JSON library cannot: that required members are there and
// not null.
//
// Struct tags say what is required. A member is required unless its JSON tag
// has omitzero (it may be absent) or it is tagged journal:"default" (older
// writers left it out). It may be null when it is a pointer without omitzero.
func decode(data []byte, v any) error {
	if err := json.Unmarshal(data, v, readOptions); err != nil {
		return err
	}
	return checkShape(data, reflect.TypeOf(v).Elem())
}

func checkShape(value jsontext.Value, t reflect.Type) error {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch {
	case reflect.PointerTo(t).Implements(ownShape):
		return nil // its own reading has checked it
	case t.Kind() == reflect.Struct:
		return checkStruct(value, t)
	case t.Kind() == reflect.Slice && elem(t.Elem()).Kind() == reflect.Struct:
		return checkSlice(value, t.Elem())
	}
	return nil
}

var ownShape = reflect.TypeFor[json.UnmarshalerFrom]()

func elem(t reflect.Type) reflect.Type {
	if t.Kind() == reflect.Pointer {
		return t.Elem()
	}
	return t
}

func checkSlice(value jsontext.Value, t reflect.Type) error {
	var items []jsontext.Value
	if err := json.Unmarshal(value, &items, readOptions); err != nil {
		return err
	}
	for i, item := range items {
		if item.Kind() == 'n' {
			return fmt.Errorf("[%d]: must not be null", i)
		}
		if err := checkShape(item, t); err != nil {
			return fmt.Errorf("[%d].%w", i, err)
		}
	}
	return nil
}

func checkStruct(value jsontext.Value, t reflect.Type) error {
	var found map[string]jsontext.Value
	if err := json.Unmarshal(value, &found, readOptions); err != nil {
		return err
	}
	if found == nil {
		return fmt.Errorf("must not be null")
	}
	for i := range t.NumField() {
		if err := checkField(found, t.Field(i)); err != nil {
			return err
		}
	}
	return nil
}

func checkField(found map[string]jsontext.Value, field reflect.StructField) error {
	name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
	if name == "-" || name == "" {
		return nil
	}
	optional := strings.Contains(options, "omitzero")
	value, there := found[name]
	switch {
	case !there && (optional || field.Tag.Get("journal") == "default"):
		return nil
	case !there:
		return fmt.Errorf("%s: missing", name)
	case value.Kind() == 'n' && (optional || field.Type.Kind() != reflect.Pointer):
		return fmt.Errorf("%s: must not be null", name)
	case value.Kind() == 'n':
		return nil
	}
	if err := checkShape(value, field.Type); err != nil {
		return fmt.Errorf("%s.%w", name, err)
	}
	return nil
}
