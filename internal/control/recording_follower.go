package control

import (
	"context"
	"strings"

	"wallboard/model/resource"
)

// Warnings about a recording that should start when its call is connected.
const (
	notYetRecorded = "Recording is not confirmed yet; check it when the call is connected."
	notListed      = "The call has left the list; it is unclear whether it was recorded."
	notSeen        = "The call is connected, but no recording is seen; check it again."
)

// recordingFollower observes whether a recording starts when its call is connected.
type recordingFollower struct {
	calls            *Calls
	username, callID string // user and ID of the call
	person           string // display name of the user
	fileName         string // expected file name; "": any name except earlierFile
	earlierFile      string // file of an earlier recording of the call; "" for none

	wasListed bool // the call was among the user's calls at least once
}

// follow observes for at most half a minute whether a recording starts when its call is connected.
// It returns r with the final warning. If r does not wait for a recording, it returns r at once.
// follow only reads the user's calls and does not block other actions.
func (f *recordingFollower) follow(ctx context.Context, r resource.Report) resource.Report {
	if r.Outcome != resource.Confirmed || !strings.Contains(r.Warning, notYetRecorded) || f.callID == "" || f.username == "" {
		return r
	}
	f.calls.executor.running.Add(1)
	defer f.calls.executor.running.Done()
	ctx, cancel := context.WithTimeout(ctx, resolveWithin)
	defer cancel()
	open := notYetRecorded
	look := func() (over bool) {
		open, over = f.check(ctx, open)
		return over
	}
	if !f.calls.executor.poll(ctx, look) {
		f.calls.executor.poll(ctx, look) // a phone may ring for longer than one call of poll lasts
	}
	// The warning may also contain text about the audit file.
	r.Warning = strings.TrimSpace(strings.Replace(r.Warning, notYetRecorded, open, 1))
	if open == "" {
		r.Text = "The call of " + f.person + " is connected and is being recorded to " + f.fileName + "."
		r.FileName = f.fileName
	}
	return cleanReport(r)
}

// check reads the state of the call once. open is the previous warning. check returns the new
// warning, "" if the recording runs, and whether the warning is final.
func (f *recordingFollower) check(ctx context.Context, open string) (warning string, final bool) {
	calls, err := f.calls.currentCalls(ctx, f.username)
	if err != nil {
		return open, false
	}
	call := findCall(calls, f.callID)
	switch {
	case call == nil && f.wasListed:
		return notListed, true
	case call == nil:
		return open, false
	}
	f.wasListed = true
	switch {
	case call.Answer.IsZero():
		return notYetRecorded, false
	case call.RecFileName == "", f.fileName != "" && call.RecFileName != f.fileName, f.fileName == "" && call.RecFileName == f.earlierFile:
		return notSeen, false
	}
	f.fileName = call.RecFileName
	return "", true
}
