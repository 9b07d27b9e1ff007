package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime/debug"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"clankie/emu"
)

// maxMessage bounds the message of a tool's error, in UTF-16 code units.
const maxMessage = 500

// CodeInternal marks an error that is this program's own fault.
const CodeInternal = "internal_error"

// tool executes one call. Its error becomes a result that says so.
type tool func(ctx context.Context, g *game, c call) (*sdk.CallToolResult, error)

// tools are the tools by name; the catalogue describes them.
var tools = map[string]tool{
	toolObserve: observe,
	toolAct:     act,
	toolPause:   pause,
	toolResume:  resume,
	toolSave:    save,
	toolLoad:    load,
	toolRecall:  recall,
}

// call is one call under way.
type call struct {
	arguments []byte
	progress  *progress
}

// handler takes a call's place in the line, waits for its turn and for the
// game, and executes it. Whatever goes wrong is told as a result: an error of
// the protocol would hide it from whoever decides.
func (s *server) handler(name string, run tool) sdk.ToolHandler {
	return func(ctx context.Context, q *sdk.CallToolRequest) (result *sdk.CallToolResult, _ error) {
		place := s.queue.enter()
		s.wire.enters()
		defer place.leave()
		defer func() {
			if p := recover(); p != nil {
				s.note("%s broke: %v\n%s", name, p, debug.Stack())
				result = failure(&emu.Error{Code: CodeInternal, Message: emu.Clean(fmt.Sprint(name, " broke: ", p))})
			}
		}()
		result, err := s.serve(ctx, place, q, run)
		if err != nil {
			result = failure(err)
		}
		return result, nil
	}
}

func (s *server) serve(ctx context.Context, place *turn, q *sdk.CallToolRequest, run tool) (*sdk.CallToolResult, error) {
	c := call{arguments: q.Params.Arguments, progress: newProgress(ctx, q)}
	defer c.progress.end()
	if len(c.arguments) == 0 || string(c.arguments) == "null" {
		c.arguments = []byte("{}")
	}
	if err := place.wait(ctx); err != nil {
		return nil, fmt.Errorf("cancelled while waiting for its turn: %w", err)
	}
	if err := s.untilBooted(ctx, c.progress); err != nil {
		return nil, err
	}
	return run(ctx, s.game, c)
}

// untilBooted waits for the game and tells what is done meanwhile.
func (s *server) untilBooted(ctx context.Context, p *progress) error {
	p.say(s.booting)
	defer p.say(nil)
	select {
	case <-s.ready:
	case <-ctx.Done():
		return fmt.Errorf("cancelled while the game was booted: %w", context.Cause(ctx))
	}
	if s.bootErr != nil {
		return fmt.Errorf("there is no game: %w", s.bootErr)
	}
	return nil
}

// failure is the result of a call that failed. Its text begins with a code
// where there is one.
func failure(err error) *sdk.CallToolResult {
	message := err.Error()
	if code := emu.CodeOf(err); code != "" && !strings.HasPrefix(message, code) {
		message = code + ": " + message
	}
	return &sdk.CallToolResult{IsError: true, Content: []sdk.Content{&sdk.TextContent{Text: clipped(message)}}}
}

func clipped(s string) string { return emu.Clip(emu.Clean(s), maxMessage) }

// answer is a result with words for people and the same as data.
func answer(words string, data any, more ...sdk.Content) (*sdk.CallToolResult, error) {
	structured, err := emu.MarshalIndent(data)
	if err != nil {
		return nil, err
	}
	return &sdk.CallToolResult{
		Content:           append([]sdk.Content{&sdk.TextContent{Text: words}}, more...),
		StructuredContent: json.RawMessage(structured),
	}, nil
}
