package scenario

import (
	"context"
	"fmt"
)

// Replay plays the plan again and compares every file with evidence that was
// verified: the one proof that nobody made it up.
func (p Plan) Replay(ctx context.Context, boot Boot, root string, was Evidence) error {
	again, err := p.Play(ctx, boot, root, was.Report.Network)
	if err != nil {
		return err
	}
	if err := same(was.Files, again.Files); err != nil {
		return fmt.Errorf("scenario: played again, %s comes to something else: %w", p.ID(), err)
	}
	return nil
}
