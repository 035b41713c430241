package world

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// CallRecord is a telephone call that a user is on: ServiceCallDetailRecord of
// document 1. Instants are to the millisecond and zero while they have not
// come.
type CallRecord struct {
	UniqueID  string // the call id of the actions
	SIPCallID string
	User      string
	Service   string // code, "" for a call dialled for no service
	Skillset  string // code of the group, "" for what no group took
	CLID      string // who calls
	DNIS      string // the number called
	CallData  string
	// RecFileName is the file that the call is being recorded to, "" when it is
	// not. It is there before Recording when the recording waits for an answer.
	RecFileName string
	Recording   bool
	Start       time.Time
	Answer      time.Time
	End         time.Time // zero: calls that are over are not told
	CallInfo    map[string]string
}

// call is a telephone call that a user is on.
type call interface {
	stub() *ticket
	record() CallRecord
	talking() bool
	hangUp()
}

// tape is the recording of a call.
type tape struct {
	file    string
	waiting bool // for the answer
}

// Phones are the calls on the floor, by their numbers: who is on which, and what
// can be done with it from outside.
type Phones struct {
	w       *World
	tickets uint64 // calls and other contacts so far
}

// ticket is what tells a call from all others.
type ticket struct {
	number   uint64 // counts the calls of the world, from 1
	began    time.Duration
	answered time.Duration // 0 before the answer
	recorded tape
}

func (p *Phones) newTicket() ticket {
	p.tickets++
	return ticket{number: p.tickets, began: p.w.now}
}

func (t *ticket) stub() *ticket { return t }

// connect notes that the call was answered.
func (t *ticket) connect(now time.Duration) {
	t.answered = now
	t.recorded.waiting = false
}

// fill returns r with what the ticket knows.
func (t *ticket) fill(w *World, r CallRecord) CallRecord {
	r.UniqueID = w.phones.callID(t)
	r.SIPCallID = fmt.Sprintf("%016x@simulator", scramble(t.number))
	r.Start = w.instant(t.began)
	if t.answered > 0 {
		r.Answer = w.instant(t.answered)
	}
	r.RecFileName = t.recorded.file
	r.Recording = t.recorded.file != "" && !t.recorded.waiting
	return r
}

func (p *Phones) callID(t *ticket) string {
	return fmt.Sprintf("%d.%d", p.w.clock(t.began).Unix(), t.number)
}

// NumCallers is how many customers call.
const NumCallers = 400

// CallerNumber returns the telephone number of the i-th customer, from 0 to
// [NumCallers]-1.
func CallerNumber(i int) string {
	return fmt.Sprintf("+39020%03d%03d", scramble(uint64(i))%1000, i) //nolint:gosec // any bits will do
}

// caller returns who makes an incoming call: always the same for the same call,
// without a throw of the world's dice.
func (p *Phones) caller(t *ticket) int {
	return int(scramble(t.number^uint64(p.w.opts.Seed)) % NumCallers) //nolint:gosec // any bits will do
}

// incoming returns the record of a customer's call to a service.
func (p *Phones) incoming(t *ticket, u *user, s *service) CallRecord {
	caller := p.caller(t)
	return t.fill(p.w, CallRecord{
		User:     u.username,
		Service:  s.code,
		CLID:     CallerNumber(caller),
		DNIS:     "+39800" + strings.TrimPrefix(s.code, "SRV"),
		CallData: fmt.Sprintf("customer=%d", 10_000+caller),
		CallInfo: map[string]string{"direction": "inbound"},
	})
}

// scramble spreads numbers evenly (the finalizer of splitmix64).
func scramble(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// call returns the telephone call that the user is on and that has an id, nil
// when there is none.
func (u *user) call() call {
	switch {
	case u.dialled != nil:
		return u.dialled
	case u.visit != nil:
		return u.visit
	case u.contact == nil || u.contact.line.ch != channelCall:
		return nil
	case u.contact.stage == stageRinging || u.contact.stage == stageTalking:
		return u.contact
	}
	return nil
}

// extension returns the user's number in the house: their profile id.
func (u *user) extension() string { return strconv.FormatInt(u.profile, 10) }

// Calls returns the calls that a user is on: calls of services, also while they
// ring, and calls dialled for them. What they dialled or took themselves on their
// directory number is not among them. The error is [ErrNoUser]; a user who is
// not logged in has no calls.
func (p *Phones) Calls(username string, onlyAnswered bool) ([]CallRecord, error) {
	u := p.w.userOf[username]
	if u == nil {
		return nil, ErrNoUser
	}
	c := u.call()
	if c == nil || onlyAnswered && !c.talking() {
		return nil, nil
	}
	return []CallRecord{c.record()}, nil
}

// HangUp ends a call, as if the other side had hung up. The error is
// [ErrNoCall].
func (p *Phones) HangUp(callID string) error {
	for _, users := range [...][]*user{p.w.agents, p.w.operators} {
		for _, u := range users {
			if c := u.call(); c != nil && p.callID(c.stub()) == callID {
				c.hangUp()
				return nil
			}
		}
	}
	return ErrNoCall
}

// HangUpUser ends the call that a user is on, whatever call it is. The error is
// [ErrNoUser] or [ErrNoCall].
func (p *Phones) HangUpUser(username string) error {
	u := p.w.userOf[username]
	if u == nil {
		return ErrNoUser
	}
	return u.hangUp()
}

// HangUpExten ends the call on an extension, which is the profile id of a user.
// The error is [ErrNoUser] or [ErrNoCall].
func (p *Phones) HangUpExten(exten string) error {
	for _, users := range [...][]*user{p.w.agents, p.w.operators} {
		if i := slices.IndexFunc(users, func(u *user) bool { return u.extension() == exten }); i >= 0 {
			return users[i].hangUp()
		}
	}
	return ErrNoUser
}

func (u *user) hangUp() error {
	if c := u.call(); c != nil {
		c.hangUp()
		return nil
	}
	switch m := u.medium(channelCall); {
	case m == nil:
		return ErrNoCall
	case m.state == stateDNIn || m.state == stateDNOut || m.state == stateDNPrivate:
		u.release() // a call that they made or took themselves
		return nil
	}
	return ErrNoCall
}

// StartRecording records a call of a user, at once or, with onConnect, as soon
// as it is answered, and returns the name of the file: the given one, or one
// made from the call id. The error is [ErrNoUser], or [ErrRecording] when the
// user is not on that call, when it is being recorded already, and for calls to
// [NumberUnrecorded].
func (p *Phones) StartRecording(username, callID, file string, onConnect bool) (string, error) {
	c, err := p.callOf(username, callID)
	if err != nil {
		return "", err
	}
	t := c.stub()
	if t.recorded.file != "" {
		return "", fmt.Errorf("%w: it is recorded already", ErrRecording)
	}
	if strings.HasSuffix(c.record().DNIS, NumberUnrecorded) {
		return "", ErrRecording
	}
	t.recorded = tape{file: fileName(file, callID), waiting: onConnect && !c.talking()}
	return t.recorded.file, nil
}

// StopRecording ends the recording of a call of a user. The error is
// [ErrNoUser], or [ErrRecording] when the user is not on that call or it is not
// being recorded.
func (p *Phones) StopRecording(username, callID string) error {
	c, err := p.callOf(username, callID)
	if err != nil {
		return err
	}
	if c.stub().recorded.file == "" {
		return fmt.Errorf("%w: it is not recorded", ErrRecording)
	}
	c.stub().recorded = tape{}
	return nil
}

// callOf finds a call to record.
func (p *Phones) callOf(username, callID string) (call, error) {
	u := p.w.userOf[username]
	if u == nil {
		return nil, ErrNoUser
	}
	if c := u.call(); c != nil && p.callID(c.stub()) == callID {
		return c, nil
	}
	return nil, fmt.Errorf("%w: the user is not on the call", ErrRecording)
}

func fileName(asked, callID string) string {
	if asked != "" {
		return asked
	}
	return "rec-" + callID + ".wav"
}
