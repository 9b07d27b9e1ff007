package emu

import (
	"fmt"
	"net/url"
)

func observeScene(in ObservationInput) SceneData {
	s := in.State.Scene
	mode := s.Mode
	if mode == "" {
		mode = ModeUnknown
	}
	return SceneData{Mode: mode, InputReady: s.InputReady, WaitingForDialogAdvance: s.WaitingForDialogAdvance}
}

// observeFrameReference refuses between a load without a kept picture and the
// first frame after it: there is no picture of that state to point to.
func observeFrameReference(in ObservationInput) (FrameReferenceData, *Error) {
	picture := in.Picture()
	if picture == "" {
		return FrameReferenceData{}, refuse(CodeSemanticUnavailable, "no picture of this state has been drawn yet")
	}
	return FrameReferenceData{
		ArtifactID:        fmt.Sprintf("%s:frame:%d", Clip(in.SessionID, maxID), in.Frame),
		URI:               fmt.Sprintf("artifact://%s/frame/%d", url.PathEscape(in.SessionID), in.Frame),
		FramebufferSHA256: picture,
		RAMStateSHA256:    in.RAM(),
		Summary:           fmt.Sprintf("frame %d, %s", in.Frame, observeScene(in).Mode),
	}, nil
}

func observeDanger(in ObservationInput) DangerData {
	if in.Uncertain {
		return DangerData{
			Severity: "high", Code: "uncertain_state",
			Summary: "the record of this session is broken; what is observed may not follow from what was done",
		}
	}
	return DangerData{
		Severity: "low", Code: "policy_boundary",
		Summary: "every action is bounded and recorded", StateCertain: true,
	}
}

func observeAction(in ObservationInput) (ActionData, *Error) {
	if in.ActionID == "" {
		return ActionData{}, refuse(CodeActionIDRequired, "say which action to look at")
	}
	if in.ActionOf == nil {
		return ActionData{}, refuse(CodeUnknownAction, "no action with that id")
	}
	data, ok := in.ActionOf(in.ActionID)
	if !ok {
		return ActionData{}, refuse(CodeUnknownAction, "no action with that id")
	}
	data.Summary = Clip(data.Summary, maxSummary)
	return data, nil
}
