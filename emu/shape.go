package emu

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// UnmarshalComplete is UnmarshalStrict that also checks what the JSON library
// cannot: that required members are there and not null. options are added to
// the strict ones.
//
// Struct tags say what is required. A member is required unless its JSON tag
// has omitzero (it may be absent) or it is tagged strict:"default" (older
// writers left it out). It may be null when it is a pointer without omitzero.
// Types that read themselves check themselves.
func UnmarshalComplete(data []byte, v any, options ...json.Options) error {
	all := json.JoinOptions(append([]json.Options{json.RejectUnknownMembers(true)}, options...)...)
	if err := json.Unmarshal(data, v, all); err != nil {
		return err
	}
	return shapeCheck{all}.value(data, reflect.TypeOf(v).Elem())
}

// shapeCheck walks a value and the type it was read into side by side.
type shapeCheck struct{ options json.Options }

func (c shapeCheck) value(value jsontext.Value, t reflect.Type) error {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch {
	case reflect.PointerTo(t).Implements(ownShape):
		return nil // its own reading has checked it
	case t.Kind() == reflect.Struct:
		return c.object(value, t)
	case t.Kind() == reflect.Slice && elem(t.Elem()).Kind() == reflect.Struct:
		return c.list(value, t.Elem())
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

func (c shapeCheck) list(value jsontext.Value, t reflect.Type) error {
	var items []jsontext.Value
	if err := json.Unmarshal(value, &items, c.options); err != nil {
		return err
	}
	for i, item := range items {
		if item.Kind() == 'n' {
			return fmt.Errorf("[%d]: must not be null", i)
		}
		if err := c.value(item, t); err != nil {
			return fmt.Errorf("[%d].%w", i, err)
		}
	}
	return nil
}

func (c shapeCheck) object(value jsontext.Value, t reflect.Type) error {
	var found map[string]jsontext.Value
	if err := json.Unmarshal(value, &found, c.options); err != nil {
		return err
	}
	if found == nil {
		return fmt.Errorf("must not be null")
	}
	return c.members(found, t)
}

func (c shapeCheck) members(found map[string]jsontext.Value, t reflect.Type) error {
	for i := range t.NumField() {
		field := t.Field(i)
		if field.Anonymous && field.Type.Kind() == reflect.Struct {
			if err := c.members(found, field.Type); err != nil {
				return err
			}
			continue
		}
		if err := c.member(found, field); err != nil {
			return err
		}
	}
	return nil
}

func (c shapeCheck) member(found map[string]jsontext.Value, field reflect.StructField) error {
	name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
	if name == "-" || name == "" {
		return nil
	}
	optional := strings.Contains(options, "omitzero")
	value, there := found[name]
	switch {
	case !there && (optional || field.Tag.Get("strict") == "default"):
		return nil
	case !there:
		return fmt.Errorf("%s: missing", name)
	case value.Kind() == 'n' && (optional || field.Type.Kind() != reflect.Pointer):
		return fmt.Errorf("%s: must not be null", name)
	case value.Kind() == 'n':
		return nil
	}
	if err := c.value(value, field.Type); err != nil {
		return fmt.Errorf("%s.%w", name, err)
	}
	return nil
}
