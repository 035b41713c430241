package rest

import (
	"cmp"
	"errors"
	"strings"
	"time"

	"wallboard/internal/simulator/webservice"
	"wallboard/internal/simulator/world"
)

// phone serves operations on the calls of the world.
type phone struct{ world *world.LockedWorld }

// dial serves POST /rest/phone/call/dial.
func (p phone) dial(c *apiRequest) (any, error) {
	query := c.query
	order := world.DialParams{
		Number: query.Get("number"), Service: query.Get("serviceCode"), Data: query.Get("callData"),
		RecFile: query.Get("recFileName"), RecData: query.Get("recData"), Exten: query.Get("exten"),
		ExtenType: query.Get("extenType"), AccessCode: query.Get("accessCode"), DialerNumber: query.Get("dialerNumber"),
	}
	var returnID bool
	for name, flag := range map[string]*bool{
		"recordCall": &order.Record, "recordOnConnect": &order.RecordOnConnect,
		"recordAuto": &order.RecordAuto, "returnCallId": &returnID,
	} {
		var err error
		if *flag, err = c.queryFlag(name, invalidError); err != nil {
			return nil, err
		}
	}
	if strings.TrimSpace(order.Number) == "" {
		return nil, failedPreconditionError("number is required")
	}
	user := cmp.Or(query.Get("username"), c.account.Username)
	var call world.CallRecord
	err := p.world.Update(func(w *world.World) (err error) {
		call, err = w.Phones().Dial(user, order)
		return err
	})
	switch {
	case errors.Is(err, world.ErrNoUser), errors.Is(err, world.ErrNoClient):
		return nil, failedPreconditionError("no device in use by the user, or the client is not logged in")
	case err == nil, errors.Is(err, world.ErrRecording): // the call is dialed even if recording failed
		execution := c.recordExecution(user)
		execution.CallID, execution.CallData = call.UniqueID, order.Data
	}
	if err != nil {
		return nil, worldError(err, "user", user)
	}
	if !returnID {
		return "", nil
	}
	return call.UniqueID, nil
}

// hangUp serves POST /rest/phone/call/hangup.
func (p phone) hangUp(c *apiRequest) (any, error) {
	for _, name := range []string{"callId", "username", "exten"} {
		if c.query.Has(name) && strings.TrimSpace(c.query.Get(name)) == "" {
			return nil, missingFieldError(name)
		}
	}
	callID, target, exten := c.query.Get("callId"), c.query.Get("username"), c.query.Get("exten")
	err := p.world.Update(func(w *world.World) error {
		switch {
		case callID != "":
			return w.Phones().HangUp(callID)
		case target == "" && exten != "":
			target = exten
			return w.Phones().HangUpExten(exten)
		}
		target = cmp.Or(target, c.account.Username)
		if calls, _ := w.Phones().Calls(target, false); len(calls) > 0 { // on error HangUpUser below returns the same error
			callID = calls[0].UniqueID
		}
		return w.Phones().HangUpUser(target)
	})
	if err != nil {
		return nil, worldError(err, "call of", cmp.Or(callID, target))
	}
	c.recordExecution(target).CallID = callID
	return true, nil
}

// startRecording serves POST /rest/phone/call/rec/start/{userId}/{callId}.
func (p phone) startRecording(c *apiRequest) (any, error) {
	user, callID, err := c.recordingTarget()
	if err != nil {
		return nil, err
	}
	onConnect, err := c.queryFlag("recordOnConnect", malformedError)
	if err != nil {
		return nil, err
	}
	var file string
	err = p.world.Update(func(w *world.World) (err error) {
		file, err = w.Phones().StartRecording(user, callID, c.query.Get("recFileName"), onConnect)
		return err
	})
	if err != nil {
		return nil, worldError(err, "user", user)
	}
	c.recordExecution(user).CallID = callID
	return file, nil
}

// stopRecording serves POST /rest/phone/call/rec/stop/{userId}/{callId}.
func (p phone) stopRecording(c *apiRequest) (any, error) {
	user, callID, err := c.recordingTarget()
	if err != nil {
		return nil, err
	}
	err = p.world.Update(func(w *world.World) error { return w.Phones().StopRecording(user, callID) })
	if err != nil {
		return nil, worldError(err, "user", user)
	}
	c.recordExecution(user).CallID = callID
	return true, nil
}

// recordingTarget returns the user and the call ID in the path of an operation on recordings.
func (c *apiRequest) recordingTarget() (user, callID string, err error) {
	if user, err = c.pathText("userId"); err != nil {
		return "", "", err
	}
	callID, err = c.pathText("callId")
	return user, callID, err
}

// serviceCalls serves GET /rest/phone/call/service-calls-on-user/{userId}. For an unknown
// user, it returns status 412, because document 1 lists no 404 for this operation.
func (p phone) serviceCalls(c *apiRequest) (any, error) {
	user, err := c.pathText("userId")
	if err != nil {
		return nil, err
	}
	onlyAnswered, err := c.queryFlag("onlyAnswered", malformedError)
	if err != nil {
		return nil, err
	}
	list := []object{}
	err = p.world.Read(func(w *world.World) error {
		calls, err := w.Phones().Calls(user, onlyAnswered)
		for _, call := range calls {
			list = append(list, callDocument(call))
		}
		return err
	})
	if err != nil {
		return nil, missingFieldError("an existing user")
	}
	return listAnswer{list, len(list), list}, nil
}

func callDocument(call world.CallRecord) object {
	return object{
		"uniqueId": call.UniqueID, "sipCallId": call.SIPCallID, "service": call.Service, "skillset": call.Skillset,
		"clid": call.CLID, "dnis": call.DNIS, "callData": call.CallData, "recFileName": call.RecFileName,
		"start": dateOrNull(call.Start), "answer": dateOrNull(call.Answer), "end": dateOrNull(call.End),
		"callInfo": call.CallInfo,
	}
}

// dateOrNull returns t as a date-time of document 1, or null if t is zero.
func dateOrNull(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return webservice.FormatDate(t)
}
