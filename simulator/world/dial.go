package world

import (
	"fmt"
	"strings"
	"time"
)

// CallOrder is what a call is dialled with: the query parameters of the dial
// operation of document 1, but for the user.
type CallOrder struct {
	Number  string // digits, + * # and separators
	Service string // code that the call counts for, may be ""
	Data    string
	// RecFile names the recording, "" makes a name. Without Record,
	// RecordOnConnect and RecordAuto nothing is recorded.
	RecFile, RecData string
	Exten            string // "" or the user's own extension; any number with ExtenType EXTERNAL
	ExtenType        string // "" or one of document 1's
	AccessCode       string // not looked at
	DialerNumber     string // the number that the called one sees; "" is the extension
	Record           bool   // from the first ring
	RecordOnConnect  bool   // from the answer
	RecordAuto       bool   // from the answer
}

// Numbers that end like one of these do as document 1 says or as people do. All
// others ring for some seconds, are answered, and talk for about a minute.
const (
	NumberInvalid    = "999406" // ErrInvalid
	NumberFails      = "999502" // ErrDialFailed
	NumberUnrecorded = "999580" // answers, but cannot be recorded: ErrRecording
	NumberBusy       = "999486" // is busy: the call ends in three seconds
	NumberNoAnswer   = "999480" // rings for half a minute, then the call ends
	NumberUnassigned = "999404" // does not exist: the call ends in three seconds
	NumberTalks      = "999200" // answers after a second and talks until somebody hangs up
)

// outcall is a call that was dialled for a user.
type outcall struct {
	ticket
	w     *World
	user  *user
	order CallOrder
	line  *line // that it counts for, may be nil
	stage stage // ringing, talking or over
	pause *rest // what the call interrupted, may be nil
}

// rest is a pause on the telephone that a call interrupts.
type rest struct {
	number uint64 // the user's, which reports whether the pause still lasts
	code   activity
	code2  string
}

const (
	outcallRing   = 5 * time.Second // mean
	outcallTalk   = time.Minute     // median
	outcallSpread = 0.6             // sigma of the talk's logarithm
)

// Dial calls a number for a user. The user is in [BusyDNCallOut] from then on
// until the call ends, and then what they were before: ready or in their pause,
// unless that is over. Work after a contact of the telephone ends with the call,
// for dialling is the sign that it is done.
//
// The errors are [ErrInvalid]: not a number, a service that is none or an
// unknown type of extension; [ErrNoUser]; [ErrNoClient]: the user is not logged
// in, does not telephone, telephones without a client (their profile id divides
// by twelve), or has not the given extension; [ErrBusy]: something rings at them,
// they are on a call, or they are occupied on another channel; [ErrDialFailed]. After
// [ErrRecording] the call is made all the same, and its record returned.
func (p *Phones) Dial(username string, o CallOrder) (CallRecord, error) {
	l, err := p.checkOrder(o)
	if err != nil {
		return CallRecord{}, err
	}
	u := p.w.userOf[username]
	if u == nil {
		return CallRecord{}, ErrNoUser
	}
	m := u.medium(channelCall)
	elsewhere := o.Exten != "" && o.Exten != u.extension() && o.ExtenType != "EXTERNAL"
	if !u.here || m == nil || u.clientless() || elsewhere {
		return CallRecord{}, ErrNoClient
	}
	if u.busy && m.state != stateWNR {
		return CallRecord{}, ErrBusy
	}
	if strings.HasSuffix(o.Number, NumberFails) {
		return CallRecord{}, ErrDialFailed
	}
	c := &outcall{ticket: p.newTicket(), w: p.w, user: u, order: o, line: l, stage: stageRinging}
	c.begin(m)
	if !o.Record && !o.RecordOnConnect && !o.RecordAuto {
		return c.record(), nil
	}
	if strings.HasSuffix(o.Number, NumberUnrecorded) {
		return c.record(), ErrRecording
	}
	c.recorded = tape{file: fileName(o.RecFile, p.callID(&c.ticket)), waiting: !o.Record || o.RecordOnConnect}
	return c.record(), nil
}

// checkOrder looks at what is wrong whoever dials, and returns the line of the
// service.
func (p *Phones) checkOrder(o CallOrder) (*line, error) {
	if !dialable(o.Number) || strings.HasSuffix(o.Number, NumberInvalid) {
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
	s := p.w.serviceOf[o.Service]
	if s == nil {
		return nil, fmt.Errorf("%w: service", ErrInvalid)
	}
	return s.lines[channelCall], nil
}

// dialable reports whether a text is a telephone number.
func dialable(number string) bool {
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

// clientless reports whether the user has a telephone that the platform does not
// control.
func (u *user) clientless() bool { return u.kind == ProfileAgent && u.profile%12 == 0 }

// begin rings.
func (c *outcall) begin(m *medium) {
	w, u := c.w, c.user
	if m.state == stateNotReady {
		c.pause = &rest{u.rest, m.code, m.code2}
	}
	u.dialled = c
	m.day.callOut++
	m.detach()
	u.occupy(m, stateDNOut)
	if l := c.line; l != nil {
		l.ringing++
		l.calls.OutboundReceivedCalls++
		l.changed()
	}
	ends := func(suffix string) bool { return strings.HasSuffix(c.order.Number, suffix) }
	switch {
	case ends(NumberBusy), ends(NumberUnassigned):
		w.after(3*time.Second, c.hangUp)
	case ends(NumberNoAnswer):
		w.after(30*time.Second, func() {
			if c.stage == stageRinging {
				c.hangUp()
			}
		})
	case ends(NumberTalks):
		w.after(time.Second, c.answer)
	default:
		talk := w.logNormal(outcallTalk, outcallSpread)
		w.after(w.between(outcallRing/2, outcallRing*3/2), func() {
			c.answer()
			w.after(talk, c.hangUp)
		})
	}
}

func (c *outcall) answer() {
	if c.stage != stageRinging {
		return
	}
	c.stage = stageTalking
	c.connect(c.w.now)
	if l := c.line; l != nil {
		l.ringing--
		l.calls.OutboundAnsweredCalls++
		l.changed()
	}
}

func (c *outcall) talking() bool { return c.stage == stageTalking }

// hangUp ends the call, if it is not over.
func (c *outcall) hangUp() {
	if c.stage == stageOver {
		return
	}
	if l := c.line; l != nil && c.stage == stageRinging {
		l.ringing--
		if strings.HasSuffix(c.order.Number, NumberUnassigned) {
			l.calls.OutboundClosedCallsGenericCause++
		} else {
			l.calls.OutboundHangupCalls++
		}
		l.changed()
	}
	if l := c.line; l != nil {
		c.w.past.file(PastOutbound, ended{number: c.number, service: l.service, customer: c.w.phones.caller(&c.ticket), began: c.began, answered: c.answered})
	}
	c.stage = stageOver
	u := c.user
	u.dialled = nil
	if p := c.pause; p != nil && p.number == u.rest {
		m := u.medium(channelCall)
		m.become(stateNotReady, p.code)
		m.code2 = p.code2
	}
	u.release()
}

func (c *outcall) record() CallRecord {
	clid := c.order.DialerNumber
	if clid == "" {
		clid = c.user.extension()
	}
	info := map[string]string{"direction": "outbound"}
	if c.order.RecData != "" {
		info["recData"] = c.order.RecData
	}
	return c.fill(c.w, CallRecord{
		User:     c.user.username,
		Service:  c.order.Service,
		CLID:     clid,
		DNIS:     c.order.Number,
		CallData: c.order.Data,
		CallInfo: info,
	})
}
