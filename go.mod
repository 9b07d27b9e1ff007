module clankie

go 1.26

require (
	// Strict JSON: refuses duplicate keys, other-case keys and bad UTF-8, which encoding/json accepts.
	github.com/go-json-experiment/json v1.27.2
	// Readable differences in tests.
	github.com/google/go-cmp v0.7.0
)
