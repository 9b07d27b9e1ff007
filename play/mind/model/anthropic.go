package model

import (
	"context"
	"encoding/base64"
	"net/http"

	anthropic "github.com/anthropics/anthropic-sdk-go/v2"
	"github.com/anthropics/anthropic-sdk-go/v2/option"
)

// anthropicEndpoint is Anthropic's Messages API.
type anthropicEndpoint struct {
	client anthropic.Client
	params anthropic.MessageNewParams // without the question
}

func newAnthropic(s Settings, name string, key Key, client *http.Client) *anthropicEndpoint {
	options := []option.RequestOption{
		option.WithoutEnvironmentDefaults(), // which key goes where is decided in one place
		option.WithMaxRetries(0),            // and so are retries
		option.WithHTTPClient(client),
	}
	if !key.Empty() {
		options = append(options, option.WithAPIKey(key.reveal()))
	}
	if s.BaseURL != "" {
		options = append(options, option.WithBaseURL(s.BaseURL))
	}
	params := anthropic.MessageNewParams{
		Model:     anthropic.Model(name),
		MaxTokens: int64(s.outputTokens()),
	}
	if s.structured() == StructuredSchema {
		params.OutputConfig.Format = anthropic.JSONOutputFormatParam{Schema: Schema()}
	}
	if s.Effort != "" {
		params.OutputConfig.Effort = anthropic.OutputConfigEffort(s.Effort)
	}
	return &anthropicEndpoint{client: anthropic.NewClient(options...), params: params}
}

func (e *anthropicEndpoint) ask(ctx context.Context, q question) (*reply, error) {
	params := e.params
	params.System = []anthropic.TextBlockParam{{
		Text: q.system, CacheControl: anthropic.NewCacheControlEphemeralParam(),
	}}
	blocks := []anthropic.ContentBlockParamUnion{anthropic.NewTextBlock(q.text)}
	if q.picture != nil {
		blocks = append(blocks, anthropic.NewImageBlockBase64("image/png", base64.StdEncoding.EncodeToString(q.picture)))
	}
	params.Messages = []anthropic.MessageParam{anthropic.NewUserMessage(blocks...)}
	stream := e.client.Messages.NewStreaming(ctx, params)
	defer stream.Close()
	r := &reply{}
	for stream.Next() {
		if event := stream.Current(); !takeAnthropic(r, event) {
			return r, errTooLong
		}
	}
	return r, stream.Err()
}

// takeAnthropic adds one event to the reply; false when it is too much.
func takeAnthropic(r *reply, event anthropic.MessageStreamEventUnion) bool {
	switch event.Type {
	case "message_start":
		u := event.Message.Usage
		r.usage = Usage{u.InputTokens, u.CacheReadInputTokens, u.CacheCreationInputTokens, u.OutputTokens}
	case "content_block_delta":
		if event.Delta.Type == "text_delta" {
			return r.add(event.Delta.Text)
		}
		r.unseen += len(event.Delta.Thinking)
	case "message_delta":
		u := event.Usage
		r.usage = Usage{
			Input:      max(r.usage.Input, u.InputTokens),
			CacheRead:  max(r.usage.CacheRead, u.CacheReadInputTokens),
			CacheWrite: max(r.usage.CacheWrite, u.CacheCreationInputTokens),
			Output:     max(r.usage.Output, u.OutputTokens),
		}
		r.count(u.OutputTokens > 0)
		r.cut = event.Delta.StopReason == anthropic.StopReasonMaxTokens ||
			event.Delta.StopReason == anthropic.StopReasonModelContextWindowExceeded
		r.refused = event.Delta.StopReason == anthropic.StopReasonRefusal
	case "message_stop":
		r.whole = true
	}
	return true
}
