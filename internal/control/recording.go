package control

import (
	"context"

	"wallboard/internal/words"
	"wallboard/model/resource"
	"wallboard/restclient"
)

// StartRecording starts to record a call of a user. It sends the request only once, because a
// second start may create a second file. If the recording should start when the call is connected,
// StartRecording observes the call for at most half a minute.
func (d *Calls) StartRecording(ctx context.Context, r resource.Recording) words.ActionReport {
	c := d.newRecordingAction(r)
	c.action = action{
		operation: resource.OpRecordingStart, targetKind: "recording", target: "call " + r.CallID,
		params: nonEmptyParams("username", r.Username, "recFileName", r.FileName, "recordOnConnect", yesNo(r.OnConnect)),
		phrases: phrases{
			failed: words.ControlRecordFailed(c.person), unknownOutcome: words.ControlRecordUnclear(c.person), advice: words.ControlRecordingAdvice(),
			warning: words.ControlRecordingNotConfirmed(), reasons: c.errorReasons(words.ControlRecordImpossible()),
		},
		read: c.read, send: c.sendStart, resolve: c.resolveStart, observe: c.followStart,
	}
	return d.executor.run(ctx, &c.action)
}

func (c *recordingAction) followStart(ctx context.Context, r words.ActionReport) words.ActionReport {
	f := recordingObserver{calls: c.calls, username: c.request.Username, callID: c.request.CallID, person: c.person, fileName: r.FileName, earlierFile: c.earlierFile}
	if f.fileName == "" && !c.wasAmongCalls {
		return r // without an expected file name, the recording may belong to an earlier call
	}
	return f.observe(ctx, r)
}

// StopRecording ends the recording of a user's call. If the outcome is unknown and the call is
// still being recorded, it sends the request once more.
func (d *Calls) StopRecording(ctx context.Context, r resource.Recording) words.ActionReport {
	c := d.newRecordingAction(r)
	c.action = action{
		operation: resource.OpRecordingStop, targetKind: "recording", target: "call " + r.CallID,
		params: nonEmptyParams("username", r.Username),
		phrases: phrases{
			failed: words.ControlStopRecordingFailed(c.person), unknownOutcome: words.ControlStopRecordingUnclear(c.person), advice: words.ControlRecordingAdvice(),
			reasons: c.errorReasons(words.ControlStopRecordingImpossible()),
		},
		read: c.read, send: c.sendStop, resolve: c.resolveStop,
	}
	return d.executor.run(ctx, &c.action)
}

type recordingAction struct {
	action

	calls         *Calls
	request       resource.Recording
	person        words.Text
	wasAmongCalls bool   // the call was among the user's calls before the request
	wasRinging    bool   // the call was not yet answered before the request
	earlierFile   string // file of an earlier recording of the call
}

func (d *Calls) newRecordingAction(r resource.Recording) *recordingAction {
	if r.Username == "" {
		r.Username = d.executor.status.username()
	}
	return &recordingAction{calls: d, request: r, person: d.feed.personName(r.Username)}
}

func (c *recordingAction) errorReasons(problem words.Text) map[error]words.Text {
	return map[error]words.Text{
		restclient.ErrRecordingFailed:    problem,
		restclient.ErrNotFound:           words.ControlUnknownAgentOrCall(c.person),
		restclient.ErrPreconditionFailed: words.ControlWhichCall(),
	}
}

// read checks that the call is among the user's calls and stores the state of its recording.
func (c *recordingAction) read(ctx context.Context) *words.ActionReport {
	calls, err := c.calls.currentCalls(ctx, c.request.Username)
	if err != nil {
		if isRefused(err) {
			return nil // the ID of the call is sufficient
		}
		return c.calls.executor.unreachableReport(err, c.phrases.failed)
	}
	call := findCall(calls, c.request.CallID)
	if call != nil {
		c.wasAmongCalls, c.earlierFile, c.wasRinging = true, call.RecFileName, call.Answer.IsZero()
	} else if len(calls) > 0 {
		r := c.phrases.rejectedReport(replacedText(c.person, calls))
		return &r
	}
	return nil
}

func (c *recordingAction) sendStart(ctx context.Context) (words.ActionReport, error) {
	file, err := c.calls.service.StartRecording(ctx, c.request)
	if err != nil {
		return words.ActionReport{}, err
	}
	return c.startedReport(file), nil
}

func (c *recordingAction) startedReport(file string) words.ActionReport {
	r := confirmedReport(words.ControlRecorded(c.person))
	if file != "" {
		r = confirmedReport(words.ControlRecordedTo(c.person, file))
	}
	if c.request.OnConnect != nil && *c.request.OnConnect && (c.wasRinging || !c.wasAmongCalls) {
		r = confirmedReport(words.ControlRecordedLater(c.person))
		r.Warning = words.ControlNotYetRecorded()
	}
	r.FileName = file
	return r
}

func (c *recordingAction) sendStop(ctx context.Context) (words.ActionReport, error) {
	ok, err := c.calls.service.StopRecording(ctx, c.request)
	switch {
	case err != nil:
		return words.ActionReport{}, err
	case !ok:
		return c.phrases.rejectedReport(words.ControlDeclined()), nil
	}
	return confirmedReport(words.ControlNoLongerRecorded(c.person)), nil
}

// resolveStart checks whether the call has a new recording. It returns nil if there is none.
func (c *recordingAction) resolveStart(ctx context.Context, _ error) *words.ActionReport {
	if !c.wasAmongCalls {
		return nil
	}
	var found *words.ActionReport
	c.calls.executor.poll(ctx, func() bool {
		calls, err := c.calls.currentCalls(ctx, c.request.Username)
		call := findCall(calls, c.request.CallID)
		if err == nil && call != nil && call.RecFileName != "" && call.RecFileName != c.earlierFile {
			r := c.startedReport(call.RecFileName)
			found = &r
		}
		return found != nil
	})
	return found
}

// resolveStop checks whether the recording or the call has ended. If neither has ended, it sends
// the request once more. It returns nil if the outcome remains unknown.
func (c *recordingAction) resolveStop(ctx context.Context, _ error) *words.ActionReport {
	if !c.wasAmongCalls || c.earlierFile == "" {
		return nil
	}
	var found *words.ActionReport
	again := true
	c.calls.executor.poll(ctx, func() bool {
		calls, err := c.calls.currentCalls(ctx, c.request.Username)
		if err != nil {
			return false
		}
		switch call := findCall(calls, c.request.CallID); {
		case call == nil:
			r := confirmedReport(words.ControlRecordingOver(c.person))
			found = &r
		case call.RecFileName == "":
			r := confirmedReport(words.ControlNoLongerRecorded(c.person))
			found = &r
		case again:
			again = false
			if r, err := c.sendStop(ctx); err == nil && r.Outcome == resource.OutcomeConfirmed {
				found = &r
			}
		}
		return found != nil
	})
	return found
}
