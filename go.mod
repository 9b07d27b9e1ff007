module clankie

go 1.26.0

require (
	// The terminal program: event loop, keys, and a renderer that writes only the cells that changed.
	charm.land/bubbletea/v2 v2.1.1
	// Colours of panes, for dark and light backgrounds.
	charm.land/lipgloss/v2 v2.1.1
	// The configuration file; it can name the keys that nobody reads.
	github.com/BurntSushi/toml v1.6.0
	// Anthropic's API, by its maker.
	github.com/anthropics/anthropic-sdk-go/v2 v2.15.0
	// Names what colours the terminal has.
	github.com/charmbracelet/colorprofile v0.4.3
	// The renderer under the terminal program, measured by its benchmarks.
	github.com/charmbracelet/ultraviolet v0.0.0-20261008173134-6b8d4baf91b4
	// Measures, cuts and wraps text by cells.
	github.com/charmbracelet/x/ansi v0.11.9
	// Tells whether a file is a terminal.
	github.com/charmbracelet/x/term v0.2.2
	// A terminal in memory, on which tests look at the screen.
	github.com/charmbracelet/x/vt v0.1.0
	// Pseudo-terminals for tests.
	github.com/creack/pty v1.1.24
	// Strict JSON: refuses duplicate keys, other-case keys and bad UTF-8, which encoding/json accepts.
	github.com/go-json-experiment/json v1.27.2
	// File lock, so that two programs starting at once build the core once.
	github.com/gofrs/flock v0.13.2
	// Readable differences in tests.
	github.com/google/go-cmp v0.7.0
	// The Model Context Protocol: the server that lets another program play.
	github.com/modelcontextprotocol/go-sdk v1.8.0
	// Scripts that test the command line and read like a manual.
	github.com/rogpeppe/go-internal v1.16.0
	// The chat-completions protocol, hosted or local; a ninth of the maker's own library.
	github.com/sashabaranov/go-openai v1.43.0
	// The command line: flags, help, completion.
	github.com/spf13/cobra v1.10.2
	// Runs the core's WebAssembly module, in pure Go and sandboxed.
	github.com/tetratelabs/wazero v1.12.0
	// Finds goroutines that tests leave behind.
	go.uber.org/goleak v1.3.0
	// Property tests over random key sequences.
	pgregory.net/rapid v1.3.0
)

require (
	github.com/bahlo/generic-list-go v0.2.0 // indirect
	github.com/buger/jsonparser v1.1.2 // indirect
	github.com/charmbracelet/x/exp/ordered v0.1.0 // indirect
	github.com/charmbracelet/x/termios v0.1.1 // indirect
	github.com/charmbracelet/x/windows v0.2.2 // indirect
	github.com/clipperhouse/displaywidth v0.11.0 // indirect
	github.com/clipperhouse/uax29/v2 v2.7.0 // indirect
	github.com/go-logr/logr v1.4.2 // indirect
	github.com/go-logr/stdr v1.2.2 // indirect
	github.com/google/jsonschema-go v0.4.3 // indirect
	github.com/inconshreveable/mousetrap v1.1.0 // indirect
	github.com/invopop/jsonschema v0.14.0 // indirect
	github.com/lucasb-eyer/go-colorful v1.4.1 // indirect
	github.com/mattn/go-runewidth v0.0.30 // indirect
	github.com/muesli/cancelreader v0.2.2 // indirect
	github.com/pb33f/ordered-map/v2 v2.3.1 // indirect
	github.com/rivo/uniseg v0.4.7 // indirect
	github.com/segmentio/asm v1.1.3 // indirect
	github.com/segmentio/encoding v0.5.4 // indirect
	github.com/spf13/pflag v1.0.9 // indirect
	github.com/standard-webhooks/standard-webhooks/libraries v0.0.1 // indirect
	github.com/tidwall/gjson v1.18.0 // indirect
	github.com/tidwall/match v1.1.1 // indirect
	github.com/tidwall/pretty v1.2.1 // indirect
	github.com/tidwall/sjson v1.2.5 // indirect
	github.com/xo/terminfo v1.0.0 // indirect
	github.com/yosida95/uritemplate/v3 v3.0.2 // indirect
	go.opentelemetry.io/auto/sdk v1.1.0 // indirect
	go.opentelemetry.io/otel v1.33.0 // indirect
	go.opentelemetry.io/otel/metric v1.33.0 // indirect
	go.opentelemetry.io/otel/trace v1.33.0 // indirect
	go.yaml.in/yaml/v4 v4.0.0-rc.2 // indirect
	golang.org/x/exp/typeparams v0.0.0-20231108232855-2478ac86f678 // indirect
	golang.org/x/mod v0.41.0 // indirect
	golang.org/x/oauth2 v0.35.0 // indirect
	golang.org/x/sync v0.23.0 // indirect
	golang.org/x/sys v0.50.0 // indirect
	golang.org/x/time v0.15.0 // indirect
	golang.org/x/tools v0.51.0 // indirect
	honnef.co/go/tools v0.8.2 // indirect
	mvdan.cc/gofumpt v0.12.0 // indirect
)

tool (
	honnef.co/go/tools/cmd/staticcheck
	mvdan.cc/gofumpt
)
