package control

import (
	"context"

	"wallboard/internal/words"
	"wallboard/model/resource"
)

// recordingObserver observes whether a recording starts when its call is connected.
type recordingObserver struct {
	calls            *Calls
	username, callID string     // user and ID of the call
	person           words.Text // display name of the user
	fileName         string     // expected file name; "": any name except earlierFile
	earlierFile      string     // file of an earlier recording of the call; "" for none

	wasListed bool // the call was among the user's calls at least once
}

// observe observes for at most half a minute whether a recording starts when its call is connected.
// It returns r with the final warning. If r does not wait for a recording, it returns r at once.
// observe only reads the user's calls and does not block other actions.
func (f *recordingObserver) observe(ctx context.Context, r words.ActionReport) words.ActionReport {
	if r.Outcome != resource.OutcomeConfirmed || !r.Warning.Equal(words.ControlNotYetRecorded()) || f.callID == "" || f.username == "" {
		return r
	}
	ctx, cancel := context.WithTimeout(ctx, resolveTimeout)
	defer cancel()
	warning := r.Warning
	check := func() (over bool) {
		warning, over = f.check(ctx, warning)
		return over
	}
	if !f.calls.executor.poll(ctx, check) {
		f.calls.executor.poll(ctx, check) // a phone may ring for longer than one call of poll lasts
	}
	r.Warning = warning
	if warning.IsZero() {
		r.Text, r.FileName = words.ControlConnectedRecordedTo(f.person, f.fileName), f.fileName
	}
	return cleanReport(r)
}

// check reads the state of the call once. open is the previous warning. check returns the new
// warning, the zero Text if the recording runs, and whether the warning is final.
func (f *recordingObserver) check(ctx context.Context, open words.Text) (warning words.Text, final bool) {
	calls, err := f.calls.currentCalls(ctx, f.username)
	if err != nil {
		return open, false
	}
	call := findCall(calls, f.callID)
	switch {
	case call == nil && f.wasListed:
		return words.ControlRecordingNotListed(), true
	case call == nil:
		return open, false
	}
	f.wasListed = true
	switch {
	case call.Answer.IsZero():
		return words.ControlNotYetRecorded(), false
	case call.RecFileName == "", f.fileName != "" && call.RecFileName != f.fileName, f.fileName == "" && call.RecFileName == f.earlierFile:
		return words.ControlRecordingNotSeen(), false
	}
	f.fileName = call.RecFileName
	return words.Text{}, true
}
