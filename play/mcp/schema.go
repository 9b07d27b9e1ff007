package mcp

// schema is the part of JSON Schema that the catalogue is written in: plain
// objects. Some clients refuse anything that combines schemas.
type schema struct {
	Type        string            `json:"type"`
	Description string            `json:"description,omitempty"`
	Enum        []string          `json:"enum,omitempty"`
	Pattern     string            `json:"pattern,omitempty"`
	Minimum     *int              `json:"minimum,omitempty"`
	Maximum     *int              `json:"maximum,omitempty"`
	MinLength   *int              `json:"minLength,omitempty"`
	MaxLength   *int              `json:"maxLength,omitempty"`
	Items       *schema           `json:"items,omitempty"`
	Properties  map[string]schema `json:"properties,omitempty"`
	Required    []string          `json:"required,omitempty"`
	// Closed is false for objects that have no other members than these, and
	// absent for objects that may have.
	Closed *bool `json:"additionalProperties,omitempty"`
}

// members are the members of an object.
type members map[string]schema

// object is an object with these members and no others.
func object(m members, required ...string) schema {
	others := false
	return schema{Type: "object", Properties: m, Required: required, Closed: &others}
}

// openObject is an object that may have further members.
func openObject(m members, required ...string) schema {
	return schema{Type: "object", Properties: m, Required: required}
}

func list(of schema) schema { return schema{Type: "array", Items: &of} }

func text(description string) schema { return schema{Type: "string", Description: description} }

func boundedText(least, most int, description string) schema {
	return schema{Type: "string", MinLength: &least, MaxLength: &most, Description: description}
}

func oneOf[T ~string](values []T, description string) schema {
	s := text(description)
	for _, v := range values {
		s.Enum = append(s.Enum, string(v))
	}
	return s
}

func whole(least, most int, description string) schema {
	return schema{Type: "integer", Minimum: &least, Maximum: &most, Description: description}
}

func number(description string) schema { return schema{Type: "integer", Description: description} }

func truth(description string) schema { return schema{Type: "boolean", Description: description} }
