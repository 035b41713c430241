package world

import (
	"fmt"
	"strings"
	"time"
)

// DialParams holds the query parameters of document 1's operation dial, except the user.
type DialParams struct {
	Number  string // digits, + * # and separators between them
	Service string // code of the service whose statistics include the call; may be ""
	Data    string // callData of the call
	// RecFile is the name of the recording; "": a name is chosen. The call is recorded only with
	// Record, RecordOnConnect or RecordAuto.
	RecFile, RecData string
	Exten            string // "" or the user's own extension; with ExtenType EXTERNAL any number
	ExtenType        string // "" or a value of document 1
	AccessCode       string // ignored
	DialerNumber     string // number shown to the called party; "" is the extension
	Record           bool   // record from the first ring
	RecordOnConnect  bool   // record from the answer
	RecordAuto       bool   // record from the answer
}

// Suffixes of telephone numbers with a special behavior. A call to any other number rings for some
// seconds, is answered, and lasts about a minute.
const (
	NumberInvalid    = "999406" // Dial returns ErrInvalid
	NumberFails      = "999502" // Dial returns ErrDialFailed
	NumberUnrecorded = "999580" // is answered, but cannot be recorded: ErrRecording
	NumberBusy       = "999486" // busy: the call ends after three seconds
	NumberNoAnswer   = "999480" // rings for half a minute, then the call ends
	NumberUnassigned = "999404" // does not exist: the call ends after three seconds
	NumberTalks      = "999200" // is answered after a second and talks until a user hangs up
)

// dialedCall is a call dialed for a user.
type dialedCall struct {
	contactBase
	w                *World
	user             *user
	dialParams       DialParams
	serviceChannel   *serviceChannel   // the call counts in its statistics; nil: no service
	stage            stage             // ringing, talking or over
	interruptedPause *interruptedPause // the pause that the call interrupted; may be nil
}

// interruptedPause is a pause that a call on the telephone channel interrupted.
type interruptedPause struct {
	pauseVersion uint64 // value of user.pauseVersion; if it has changed, the pause is over
	code         activity
	detailCode   string
}

const (
	outcallRingTime = 5 * time.Second // mean
	outcallTalkTime = time.Minute     // median
	outcallSpread   = 0.6             // sigma of the logarithm of outcallTalkTime
)

// Dial calls a number for a user. The user is in [BusyDNCallOut] until the call ends. Afterwards the user is
// ready or, if the call interrupted a pause that is not over yet, back in that pause. After-contact work on
// the telephone ends with the call, because dialing indicates that it is done.
//
// Dial returns [ErrInvalid] for an invalid number, service or type of extension, [ErrNoUser] if
// there is no such user, and [ErrDialFailed] if the number ends in [NumberFails]. It returns
// [ErrNoClient] if the user is logged out, does not use the call channel, has a telephone without a
// client (every twelfth profile id), or has another extension. It returns [ErrBusy] if a contact
// rings at the user, or if they are on a call or occupied on another channel. If the error is
// [ErrRecording], the call is made nevertheless, and Dial returns its record.
func (p *Phones) Dial(username string, o DialParams) (CallRecord, error) {
	l, err := p.checkDialParams(o)
	if err != nil {
		return CallRecord{}, err
	}
	u := p.w.userByName[username]
	if u == nil {
		return CallRecord{}, ErrNoUser
	}
	m := u.channel(channelCall)
	isOtherExtension := o.Exten != "" && o.Exten != u.extension() && o.ExtenType != "EXTERNAL"
	if !u.isLoggedIn || m == nil || u.hasUncontrolledPhone() || isOtherExtension {
		return CallRecord{}, ErrNoClient
	}
	if u.isBusy && m.state != stateWNR {
		return CallRecord{}, ErrBusy
	}
	if strings.HasSuffix(o.Number, NumberFails) {
		return CallRecord{}, ErrDialFailed
	}
	c := &dialedCall{contactBase: p.newContactBase(), w: p.w, user: u, dialParams: o, serviceChannel: l, stage: stageRinging}
	c.startRinging(m)
	if !o.Record && !o.RecordOnConnect && !o.RecordAuto {
		return c.record(), nil
	}
	if strings.HasSuffix(o.Number, NumberUnrecorded) {
		return c.record(), ErrRecording
	}
	c.recording = recording{file: recordingFile(o.RecFile, p.callID(&c.contactBase)), startsOnAnswer: !o.Record || o.RecordOnConnect}
	return c.record(), nil
}

// checkDialParams validates the parameters that do not depend on the user. It returns the call
// channel of the service o.Service, or nil if that is empty.
func (p *Phones) checkDialParams(o DialParams) (*serviceChannel, error) {
	if !isPhoneNumber(o.Number) || strings.HasSuffix(o.Number, NumberInvalid) {
		return nil, fmt.Errorf("%w: number", ErrInvalid)
	}
	switch o.ExtenType {
	case "", "MCS_SIP", "MCS_APP", "MCS_APP_WEBRTC", "SIP", "EXTERNAL", "WEBRTC":
	default:
		return nil, fmt.Errorf("%w: type of extension", ErrInvalid)
	}
	if o.Service == "" {
		return nil, nil
	}
	s := p.w.serviceByCode[o.Service]
	if s == nil {
		return nil, fmt.Errorf("%w: service", ErrInvalid)
	}
	return s.channels[channelCall], nil
}

// isPhoneNumber reports whether number has the form of a telephone number.
func isPhoneNumber(number string) bool {
	digits := 0
	for _, r := range number {
		switch {
		case r >= '0' && r <= '9':
			digits++
		case !strings.ContainsRune("+*#()-./ ", r):
			return false
		}
	}
	return digits > 0 && digits <= 32
}

// hasUncontrolledPhone reports whether the platform cannot control the user's telephone.
func (u *user) hasUncontrolledPhone() bool {
	return u.profileType == ProfileAgent && u.profileID%12 == 0
}

// startRinging makes the user busy with the call and starts its ringing.
func (c *dialedCall) startRinging(m *userChannel) {
	w, u := c.w, c.user
	if m.state == stateNotReady {
		c.interruptedPause = &interruptedPause{u.pauseVersion, m.activity, m.detailCode}
	}
	u.dialedCall = c
	m.figuresOfDay.callOut++
	m.clearContact()
	u.occupy(m, stateDNOut)
	if l := c.serviceChannel; l != nil {
		l.ringingOutbound++
		l.calls.OutboundReceivedCalls++
		l.markChanged()
	}
	hasSuffix := func(suffix string) bool { return strings.HasSuffix(c.dialParams.Number, suffix) }
	switch {
	case hasSuffix(NumberBusy), hasSuffix(NumberUnassigned):
		w.scheduleAfter(3*time.Second, c.hangUp)
	case hasSuffix(NumberNoAnswer):
		w.scheduleAfter(30*time.Second, func() {
			if c.stage == stageRinging {
				c.hangUp()
			}
		})
	case hasSuffix(NumberTalks):
		w.scheduleAfter(time.Second, c.answer)
	default:
		talk := w.randomLogNormal(outcallTalkTime, outcallSpread)
		w.scheduleAfter(w.randomBetween(outcallRingTime/2, outcallRingTime*3/2), func() {
			c.answer()
			w.scheduleAfter(talk, c.hangUp)
		})
	}
}

func (c *dialedCall) answer() {
	if c.stage != stageRinging {
		return
	}
	c.stage = stageTalking
	c.recordAnswer(c.w.now)
	if l := c.serviceChannel; l != nil {
		l.ringingOutbound--
		l.calls.OutboundAnsweredCalls++
		l.markChanged()
	}
}

func (c *dialedCall) isTalking() bool { return c.stage == stageTalking }

// hangUp ends the call unless it is over.
func (c *dialedCall) hangUp() {
	if c.stage == stageEnded {
		return
	}
	if l := c.serviceChannel; l != nil && c.stage == stageRinging {
		l.ringingOutbound--
		if strings.HasSuffix(c.dialParams.Number, NumberUnassigned) {
			l.calls.OutboundClosedCallsGenericCause++
		} else {
			l.calls.OutboundHangupCalls++
		}
		l.markChanged()
	}
	if l := c.serviceChannel; l != nil {
		c.w.finished.addEnded(KindOutbound, endedContact{number: c.number, service: l.service, customer: c.w.phones.callerOf(&c.contactBase), start: c.startedAt, answeredAt: c.answeredAt})
	}
	c.stage = stageEnded
	u := c.user
	u.dialedCall = nil
	if p := c.interruptedPause; p != nil && p.pauseVersion == u.pauseVersion {
		m := u.channel(channelCall)
		m.setState(stateNotReady, p.code)
		m.detailCode = p.detailCode
	}
	u.endOccupation()
}

func (c *dialedCall) record() CallRecord {
	clid := c.dialParams.DialerNumber
	if clid == "" {
		clid = c.user.extension()
	}
	info := map[string]string{"direction": "outbound"}
	if c.dialParams.RecData != "" {
		info["recData"] = c.dialParams.RecData
	}
	return c.fillRecord(c.w, CallRecord{
		User:     c.user.username,
		Service:  c.dialParams.Service,
		CLID:     clid,
		DNIS:     c.dialParams.Number,
		CallData: c.dialParams.Data,
		CallInfo: info,
	})
}
