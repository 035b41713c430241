package control

import (
	"context"

	"wallboard/model/resource"
	"wallboard/restclient"
)

// notConfirmed is the warning for sites where calls must be recorded.
const notConfirmed = "The recording is NOT confirmed."

// StartRecording starts to record a call of a user. The request is never sent twice,
// because a second start may create a second file. A recording that starts when the call is
// connected is followed for at most half a minute.
func (d *Calls) StartRecording(ctx context.Context, r resource.Recording) resource.Report {
	c := d.recording(r)
	c.action = action{
		operation: resource.OpRecordingStart, kind: "recording", target: "call " + r.CallID,
		params: setParams("username", r.Username, "recFileName", r.FileName, "recordOnConnect", yesNo(r.OnConnect)),
		phrases: phrase("the recording of the call of "+c.person, "was started", "look at the call's recording again",
			c.reasons("the platform could not start it; it may be recorded already")),
		read: c.read, send: c.start, resolve: c.resolveStart,
	}
	c.phrases.warning = notConfirmed
	report := d.executor.run(ctx, &c.action)
	f := recordingFollower{calls: d, username: c.request.Username, call: r.CallID, person: c.person, file: report.FileName, earlier: c.file}
	if f.file == "" && !c.listed {
		return report // without an ID, the recording may belong to an earlier call
	}
	return f.follow(ctx, report)
}

// StopRecording ends the recording of a call of a user. If the outcome is unknown and the
// call is still being recorded, the request is sent once more.
func (d *Calls) StopRecording(ctx context.Context, r resource.Recording) resource.Report {
	c := d.recording(r)
	c.action = action{
		operation: resource.OpRecordingStop, kind: "recording", target: "call " + r.CallID,
		params: setParams("username", r.Username),
		phrases: phrase("the recording of the call of "+c.person, "was stopped", "look at the call's recording again",
			c.reasons("the platform could not stop it; it may not be recorded at all")),
		read: c.read, send: c.stop, resolve: c.resolveStop,
	}
	return d.executor.run(ctx, &c.action)
}

// recordingAction is the action of starting or stopping a recording.
type recordingAction struct {
	action

	calls   *Calls
	request resource.Recording
	person  string
	listed  bool   // the call was among the user's calls before the request
	ringing bool   // the call was not yet answered then
	file    string // file of an earlier recording of the call
}

func (d *Calls) recording(r resource.Recording) *recordingAction {
	if r.Username == "" {
		r.Username = d.executor.status.username()
	}
	return &recordingAction{calls: d, request: r, person: d.feed.person(r.Username)}
}

func (c *recordingAction) reasons(problem string) map[error]string {
	return map[error]string{
		restclient.ErrRecording: problem,
		restclient.ErrNotFound:  "the platform does not know " + c.person + " or the call",
		restclient.ErrRequired:  "the platform does not know which call is meant",
	}
}

// read finds the call among the user's calls.
func (c *recordingAction) read(ctx context.Context) *resource.Report {
	calls, err := c.calls.calls(ctx, c.request.Username)
	if err != nil {
		if isRefused(err) {
			return nil // the ID is sufficient
		}
		return c.calls.executor.unreachable(err, c.phrases.notDone)
	}
	call := find(calls, c.request.CallID)
	if call != nil {
		c.listed, c.file, c.ringing = true, call.RecFileName, call.Answer.IsZero()
	} else if len(calls) > 0 {
		r := c.phrases.rejected(replacedText(c.person, calls))
		return &r
	}
	return nil
}

func (c *recordingAction) start(ctx context.Context) (resource.Report, error) {
	file, err := c.calls.service.StartRecording(ctx, c.request)
	if err != nil {
		return resource.Report{}, err
	}
	return c.started(file), nil
}

func (c *recordingAction) started(file string) resource.Report {
	r := confirmed("The call of %s is being recorded.", c.person)
	if file != "" {
		r = confirmed("The call of %s is being recorded to %s.", c.person, file)
	}
	if c.request.OnConnect != nil && *c.request.OnConnect && (c.ringing || !c.listed) {
		r = confirmed("The call of %s will be recorded once it is connected.", c.person)
		r.Warning = notYetRecorded
	}
	r.FileName = file
	return r
}

func (c *recordingAction) stop(ctx context.Context) (resource.Report, error) {
	ok, err := c.calls.service.StopRecording(ctx, c.request)
	switch {
	case err != nil:
		return resource.Report{}, err
	case !ok:
		return c.phrases.rejected("the platform did not do it"), nil
	}
	return confirmed("The call of %s is not being recorded any more.", c.person), nil
}

// resolveStart checks whether the call now has a new recording.
func (c *recordingAction) resolveStart(ctx context.Context, _ error) *resource.Report {
	if !c.listed {
		return nil
	}
	var found *resource.Report
	c.calls.executor.poll(ctx, func() bool {
		calls, err := c.calls.calls(ctx, c.request.Username)
		call := find(calls, c.request.CallID)
		if err == nil && call != nil && call.RecFileName != "" && call.RecFileName != c.file {
			r := c.started(call.RecFileName)
			found = &r
		}
		return found != nil
	})
	return found
}

// resolveStop checks whether the recording or the call ended.
func (c *recordingAction) resolveStop(ctx context.Context, _ error) *resource.Report {
	if !c.listed || c.file == "" {
		return nil
	}
	var found *resource.Report
	again := true
	c.calls.executor.poll(ctx, func() bool {
		calls, err := c.calls.calls(ctx, c.request.Username)
		if err != nil {
			return false
		}
		switch call := find(calls, c.request.CallID); {
		case call == nil:
			r := confirmed("The call of %s is over, and its recording with it.", c.person)
			found = &r
		case call.RecFileName == "":
			r := confirmed("The call of %s is not being recorded any more.", c.person)
			found = &r
		case again:
			again = false
			if r, err := c.stop(ctx); err == nil && r.Outcome == resource.Confirmed {
				found = &r
			}
		}
		return found != nil
	})
	return found
}
