module clankie

go 1.26.0

require (
	// File lock, so that two programs starting at once build the core once.
	github.com/gofrs/flock v0.13.2
	// Runs the core's WebAssembly module, in pure Go and sandboxed.
	github.com/tetratelabs/wazero v1.12.0
	// Strict JSON: refuses duplicate keys, other-case keys and bad UTF-8, which encoding/json accepts.
	github.com/go-json-experiment/json v1.27.2
	// Readable differences in tests.
	github.com/google/go-cmp v0.7.0
)

require (
	github.com/BurntSushi/toml v1.4.1-0.20240526193622-a339e1f7089c // indirect
	golang.org/x/exp/typeparams v0.0.0-20231108232855-2478ac86f678 // indirect
	golang.org/x/mod v0.41.0 // indirect
	golang.org/x/sync v0.23.0 // indirect
	golang.org/x/sys v0.49.0 // indirect
	golang.org/x/tools v0.51.0 // indirect
	honnef.co/go/tools v0.8.2 // indirect
	mvdan.cc/gofumpt v0.12.0 // indirect
)

tool (
	honnef.co/go/tools/cmd/staticcheck
	mvdan.cc/gofumpt
)
