package checkpoint

import (
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"clankie/emu"
)

// members reads the top level of a strict JSON object and checks that each
// name in required is there. The typed reading that follows cannot tell an
// absent member from an empty one.
func members(data []byte, required ...string) (map[string]jsontext.Value, error) {
	var found map[string]jsontext.Value
	if err := emu.UnmarshalStrict(data, &found); err != nil {
		return nil, err
	}
	if found == nil {
		return nil, fmt.Errorf("not a JSON object")
	}
	for _, name := range required {
		if _, ok := found[name]; !ok {
			return nil, fmt.Errorf("%s: missing", name)
		}
	}
	return found, nil
}

// notNull refuses null where the format has none.
func notNull(found map[string]jsontext.Value, names ...string) error {
	for _, name := range names {
		if found[name].Kind() == 'n' {
			return fmt.Errorf("%s: must not be null", name)
		}
	}
	return nil
}

// object checks a nested object that may be null or absent.
func object(found map[string]jsontext.Value, name string, nullable bool, required ...string) error {
	value, ok := found[name]
	if !ok || value.Kind() == 'n' {
		return nil
	}
	inner, err := members(value, required...)
	if err == nil && !nullable {
		err = notNull(inner, required...)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}
