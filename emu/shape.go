package emu

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"

	"github.com/go-json-experiment/json"
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
		return misread(data, err)
	}
	return (&shapeWalk{jsonWalk{data: data}}).value(reflect.TypeOf(v).Elem())
}

// shape is what an object or a list of objects must be like to be read into a
// type. The others are called plain: nothing is demanded of them.
type shape struct {
	members  []shapeMember // of an object
	required int           // how many of them
	item     reflect.Type  // of a list, else nil
}

// shapeMember is a member of an object.
type shapeMember struct {
	name     string
	required bool
	nullable bool
	of       reflect.Type // nil when it is plain; looked up late, for types may hold themselves
}

var shapes sync.Map // of reflect.Type to *shape

// shapeOf is the shape of a type that is not plain.
func shapeOf(t reflect.Type) *shape {
	if known, ok := shapes.Load(t); ok {
		return known.(*shape)
	}
	s := &shape{}
	if p := pointee(t); p.Kind() == reflect.Struct {
		s.add(p)
	} else {
		s.item = p.Elem()
	}
	shapes.Store(t, s)
	return s
}

var ownShape = reflect.TypeFor[json.UnmarshalerFrom]()

// plain reports whether nothing is demanded of a type: what reads itself has
// checked itself.
func plain(t reflect.Type) bool {
	t = pointee(t)
	if reflect.PointerTo(t).Implements(ownShape) {
		return true
	}
	return t.Kind() != reflect.Struct && (t.Kind() != reflect.Slice || pointee(t.Elem()).Kind() != reflect.Struct)
}

// pointee is the type behind pointers.
func pointee(t reflect.Type) reflect.Type {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t
}

// add adds the members of a struct, those of embedded ones in their place.
func (s *shape) add(t reflect.Type) {
	for field := range t.Fields() {
		if field.Anonymous && field.Type.Kind() == reflect.Struct {
			s.add(field.Type)
			continue
		}
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name == "-" || name == "" {
			continue
		}
		optional := strings.Contains(options, "omitzero")
		m := shapeMember{
			name:     name,
			required: !optional && field.Tag.Get("strict") != "default",
			nullable: !optional && field.Type.Kind() == reflect.Pointer,
		}
		if !plain(field.Type) {
			m.of = field.Type
		}
		if m.required {
			s.required++
		}
		s.members = append(s.members, m)
	}
}

var errNull = errors.New("must not be null")

// shapeWalk goes over JSON that was read before, and so is known to be sound
// and without doubled names, side by side with the type it was read into.
type shapeWalk struct{ jsonWalk }

// value checks the value that the walk stands at and steps over it.
func (w *shapeWalk) value(t reflect.Type) error {
	if plain(t) {
		w.skip()
		return nil
	}
	return w.shaped(shapeOf(t))
}

func (w *shapeWalk) shaped(s *shape) error {
	if s.item != nil {
		return w.list(s.item)
	}
	return w.object(s)
}

func (w *shapeWalk) list(item reflect.Type) error {
	for i := range w.items('[') {
		if w.null() {
			return fmt.Errorf("[%d]: %w", i, errNull)
		}
		if err := w.value(item); err != nil {
			return fmt.Errorf("[%d].%w", i, err)
		}
	}
	return nil
}

func (w *shapeWalk) object(s *shape) error {
	if w.null() {
		return errNull
	}
	start, found := w.at, 0
	for i := range w.items('{') {
		m := s.member(w.name(), i)
		if m == nil {
			w.skip() // what a type keeps without knowing it
			continue
		}
		if m.required {
			found++
		}
		if err := w.member(m); err != nil {
			return err
		}
	}
	if found < s.required {
		w.at = start
		return w.missing(s)
	}
	return nil
}

// member finds a member by its name. Writers mostly keep to the order of
// declaration, so that the i-th is looked at first.
func (s *shape) member(name []byte, i int) *shapeMember {
	for n := range s.members {
		if m := &s.members[(i+n)%len(s.members)]; m.name == string(name) {
			return m
		}
	}
	return nil
}

func (w *shapeWalk) member(m *shapeMember) error {
	if w.null() {
		if !m.nullable {
			return fmt.Errorf("%s: %w", m.name, errNull)
		}
		w.skip()
		return nil
	}
	if m.of == nil {
		w.skip()
		return nil
	}
	if err := w.shaped(shapeOf(m.of)); err != nil {
		return fmt.Errorf("%s.%w", m.name, err)
	}
	return nil
}

// missing names the first required member that the object lacks.
func (w *shapeWalk) missing(s *shape) error {
	there := map[string]bool{}
	for range w.items('{') {
		there[string(w.name())] = true
		w.skip()
	}
	for _, m := range s.members {
		if m.required && !there[m.name] {
			return fmt.Errorf("%s: missing", m.name)
		}
	}
	return nil
}
