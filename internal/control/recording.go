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
		verb: resource.OpRecordingStart, kind: "recording", target: "call " + r.CallID,
		params: setParams("username", r.Username, "recFileName", r.FileName, "recordOnConnect", yesNo(r.OnConnect)),
		say: phrase("the recording of the call of "+c.person, "was started", "look at the call's recording again",
			c.reasons("the platform could not start it; it may be recorded already")),
		look: c.look, send: c.start, settle: c.settleStart,
	}
	c.say.alarm = notConfirmed
	report := d.do.take(ctx, &c.action)
	f := recordingFollower{desk: d, username: c.order.Username, call: r.CallID, person: c.person, file: report.FileName, earlier: c.file}
	if f.file == "" && !c.listed {
		return report // any recording may be an earlier one
	}
	return f.follow(ctx, report)
}

// StopRecording ends the recording of a call of a user. If the outcome is unknown and the
// call is still being recorded, the request is sent once more.
func (d *Calls) StopRecording(ctx context.Context, r resource.Recording) resource.Report {
	c := d.recording(r)
	c.action = action{
		verb: resource.OpRecordingStop, kind: "recording", target: "call " + r.CallID,
		params: setParams("username", r.Username),
		say: phrase("the recording of the call of "+c.person, "was stopped", "look at the call's recording again",
			c.reasons("the platform could not stop it; it may not be recorded at all")),
		look: c.look, send: c.stop, settle: c.settleStop,
	}
	return d.do.take(ctx, &c.action)
}

// recordingAction is the action of starting or stopping a recording.
type recordingAction struct {
	action

	desk    *Calls
	order   resource.Recording
	person  string
	listed  bool   // the user's calls contained it before
	ringing bool   // it was not answered then
	file    string // file of an earlier recording of the call
}

func (d *Calls) recording(r resource.Recording) *recordingAction {
	if r.Username == "" {
		r.Username = d.do.standing.username()
	}
	return &recordingAction{desk: d, order: r, person: d.picture.person(r.Username)}
}

func (c *recordingAction) reasons(problem string) map[error]string {
	return map[error]string{
		restclient.ErrRecording: problem,
		restclient.ErrNotFound:  "the platform does not know " + c.person + " or the call",
		restclient.ErrRequired:  "the platform does not know which call is meant",
	}
}

// look finds the call among the user's calls.
func (c *recordingAction) look(ctx context.Context) *resource.Report {
	calls, err := c.desk.calls(ctx, c.order.Username)
	if err != nil {
		if isRefused(err) {
			return nil // the ID is sufficient
		}
		return c.desk.do.unreachable(err, c.say.not)
	}
	call := find(calls, c.order.CallID)
	if call != nil {
		c.listed, c.file, c.ringing = true, call.RecFileName, call.Answer.IsZero()
	} else if len(calls) > 0 {
		r := c.say.rejected(replaced(c.person, calls))
		return &r
	}
	return nil
}

func (c *recordingAction) start(ctx context.Context) (resource.Report, error) {
	file, err := c.desk.service.StartRecording(ctx, c.order)
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
	if c.order.OnConnect != nil && *c.order.OnConnect && (c.ringing || !c.listed) {
		r = confirmed("The call of %s will be recorded once it is connected.", c.person)
		r.Warning = notYetRecorded
	}
	r.FileName = file
	return r
}

func (c *recordingAction) stop(ctx context.Context) (resource.Report, error) {
	ok, err := c.desk.service.StopRecording(ctx, c.order)
	switch {
	case err != nil:
		return resource.Report{}, err
	case !ok:
		return c.say.rejected("the platform did not do it"), nil
	}
	return confirmed("The call of %s is not being recorded any more.", c.person), nil
}

// settleStart checks whether the call now has a new recording.
func (c *recordingAction) settleStart(ctx context.Context, _ error) *resource.Report {
	if !c.listed {
		return nil
	}
	var found *resource.Report
	c.desk.do.poll(ctx, func() bool {
		calls, err := c.desk.calls(ctx, c.order.Username)
		call := find(calls, c.order.CallID)
		if err == nil && call != nil && call.RecFileName != "" && call.RecFileName != c.file {
			r := c.started(call.RecFileName)
			found = &r
		}
		return found != nil
	})
	return found
}

// settleStop checks whether the recording or the call ended.
func (c *recordingAction) settleStop(ctx context.Context, _ error) *resource.Report {
	if !c.listed || c.file == "" {
		return nil
	}
	var found *resource.Report
	again := true
	c.desk.do.poll(ctx, func() bool {
		calls, err := c.desk.calls(ctx, c.order.Username)
		if err != nil {
			return false
		}
		switch call := find(calls, c.order.CallID); {
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
