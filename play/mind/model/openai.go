package model

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"net/http"

	openai "github.com/sashabaranov/go-openai"
)

// openaiEndpoint is the chat-completions protocol, at its originator or at
// anyone who speaks it.
type openaiEndpoint struct {
	client  *openai.Client
	request openai.ChatCompletionRequest // without the question
}

func newOpenAI(s Settings, name string, key Key, client *http.Client) *openaiEndpoint {
	config := openai.DefaultConfig(key.reveal())
	config.HTTPClient = client
	if s.BaseURL != "" {
		config.BaseURL = s.BaseURL
	}
	request := openai.ChatCompletionRequest{
		Model:           name,
		StreamOptions:   &openai.StreamOptions{IncludeUsage: true},
		ReasoningEffort: s.Effort,
		ResponseFormat:  responseFormat(s.structured()),
	}
	limitOutput(&request, s.BaseURL == "", s.outputTokens())
	return &openaiEndpoint{client: openai.NewClientWithConfig(config), request: request}
}

// limitOutput sets the most tokens of a reply. The originator has replaced
// max_tokens, and its newer models refuse it at any address; other servers
// often know nothing else.
func limitOutput(r *openai.ChatCompletionRequest, originator bool, most int) {
	//lint:ignore SA1019 see above
	r.MaxTokens = most
	if originator || errors.Is(openai.NewReasoningValidator().Validate(*r), openai.ErrReasoningModelMaxTokensDeprecated) {
		//lint:ignore SA1019 see above
		r.MaxTokens = 0
		r.MaxCompletionTokens = most
	}
}

// rawSchema hands the schema to the SDK as it stands.
type rawSchema map[string]any

func (s rawSchema) MarshalJSON() ([]byte, error) { return json.Marshal(map[string]any(s)) }

func responseFormat(how Structured) *openai.ChatCompletionResponseFormat {
	switch how {
	case StructuredSchema:
		return &openai.ChatCompletionResponseFormat{
			Type: openai.ChatCompletionResponseFormatTypeJSONSchema,
			JSONSchema: &openai.ChatCompletionResponseFormatJSONSchema{
				Name: "decision", Schema: rawSchema(Schema()), Strict: true,
			},
		}
	case StructuredObject:
		return &openai.ChatCompletionResponseFormat{Type: openai.ChatCompletionResponseFormatTypeJSONObject}
	}
	return nil
}

func (e *openaiEndpoint) ask(ctx context.Context, q question) (*reply, error) {
	request := e.request
	request.Messages = []openai.ChatCompletionMessage{
		{Role: openai.ChatMessageRoleSystem, Content: q.system},
		userMessage(q),
	}
	r := &reply{}
	stream, err := e.client.CreateChatCompletionStream(ctx, request)
	if err != nil {
		return r, err
	}
	defer stream.Close()
	for {
		chunk, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return r, nil
		}
		if err != nil {
			return r, err
		}
		if !takeOpenAI(r, chunk) {
			return r, errTooLong
		}
	}
}

func userMessage(q question) openai.ChatCompletionMessage {
	m := openai.ChatCompletionMessage{Role: openai.ChatMessageRoleUser}
	if q.picture == nil {
		m.Content = q.text
		return m
	}
	m.MultiContent = []openai.ChatMessagePart{
		{Type: openai.ChatMessagePartTypeText, Text: q.text},
		{Type: openai.ChatMessagePartTypeImageURL, ImageURL: &openai.ChatMessageImageURL{
			URL: "data:image/png;base64," + base64.StdEncoding.EncodeToString(q.picture),
		}},
	}
	return m
}

// takeOpenAI adds one chunk to the reply; false when it is too much. A reply
// is whole when a reason for its end was given: the end of the stream alone
// may be an accident.
func takeOpenAI(r *reply, chunk openai.ChatCompletionStreamResponse) bool {
	for _, c := range chunk.Choices {
		if c.Index != 0 {
			continue
		}
		if c.Delta.Refusal != "" || c.FinishReason == openai.FinishReasonContentFilter {
			r.refused = true
		}
		r.cut = r.cut || c.FinishReason == openai.FinishReasonLength
		r.whole = r.whole || c.FinishReason != "" && c.FinishReason != openai.FinishReasonNull
		r.unseen += len(c.Delta.ReasoningContent)
		if !r.add(c.Delta.Content) {
			return false
		}
	}
	if chunk.Usage != nil {
		countOpenAI(r, *chunk.Usage)
	}
	return true
}

// countOpenAI takes in what a chunk says was used. Some servers say it with
// every chunk: only what comes with the end of the reply, or behind it, is the
// bill. Some leave what was thought out of the tokens of the reply and have it
// in the total alone.
func countOpenAI(r *reply, u openai.Usage) {
	cached := 0
	if u.PromptTokensDetails != nil {
		cached = max(min(u.PromptTokensDetails.CachedTokens, u.PromptTokens), 0)
	}
	out := max(u.CompletionTokens, u.TotalTokens-u.PromptTokens)
	r.usage = Usage{Input: int64(u.PromptTokens - cached), CacheRead: int64(cached), Output: int64(out)}
	r.count(r.whole && (out > 0 || r.text.Len() == 0))
}
