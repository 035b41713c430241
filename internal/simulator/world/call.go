package world

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// CallRecord describes a telephone call of a user: ServiceCallDetailRecord of document 1. Times
// have a precision of milliseconds. The time of an event that has not happened yet is zero.
type CallRecord struct {
	UniqueID  string // call id of the operations
	SIPCallID string
	User      string
	Service   string // service code, or "" for a call dialed for no service
	Skillset  string // group code, or "" if no group received the call
	CLID      string // caller's number
	DNIS      string // called number
	CallData  string
	// RecFileName is the name of the recording, or "" if the call is not recorded. If the recording
	// starts with the answer, RecFileName is set before Recording.
	RecFileName string
	Recording   bool
	Start       time.Time
	Answer      time.Time
	End         time.Time // always zero, because ended calls have no record
	CallInfo    map[string]string
}

// call is a running telephone call of a user.
type call interface {
	base() *contactBase
	record() CallRecord
	isTalking() bool
	hangUp()
}

// recording is the state of a call's recording.
type recording struct {
	file           string
	startsOnAnswer bool // recording starts with the answer
}

// Phones implements the platform's operations on calls, and numbers all contacts.
type Phones struct {
	w            *World
	contactCount uint64 // number of contacts so far, including calls
}

// contactBase holds the number, the times and the recording of a call or other contact.
type contactBase struct {
	number     uint64 // sequence number among all contacts, from 1
	startedAt  time.Duration
	answeredAt time.Duration // 0 before the answer
	recording  recording
}

func (p *Phones) newContactBase() contactBase {
	p.contactCount++
	return contactBase{number: p.contactCount, startedAt: p.w.now}
}

func (t *contactBase) base() *contactBase { return t }

// recordAnswer records that the call was answered now.
func (t *contactBase) recordAnswer(now time.Duration) {
	t.answeredAt = now
	t.recording.startsOnAnswer = false
}

// fillRecord returns a copy of r with the IDs, the times and the recording of the contact.
func (t *contactBase) fillRecord(w *World, r CallRecord) CallRecord {
	r.UniqueID = w.phones.callID(t)
	r.SIPCallID = fmt.Sprintf("%016x@simulator", scramble(t.number))
	r.Start = w.recordTime(t.startedAt)
	if t.answeredAt > 0 {
		r.Answer = w.recordTime(t.answeredAt)
	}
	r.RecFileName = t.recording.file
	r.Recording = t.recording.file != "" && !t.recording.startsOnAnswer
	return r
}

func (p *Phones) callID(t *contactBase) string {
	return fmt.Sprintf("%d.%d", p.w.clockAt(t.startedAt).Unix(), t.number)
}

// NumCallers is the number of customers who can call.
const NumCallers = 400

// CallerNumber returns the telephone number of customer i, from 0 to [NumCallers]-1.
func CallerNumber(i int) string {
	return fmt.Sprintf("+39020%03d%03d", scramble(uint64(i))%1000, i) //nolint:gosec // only the low bits matter
}

// callerOf returns the number of the customer who makes an incoming call. It is computed from
// the call's number and the seed, without using the random source.
func (p *Phones) callerOf(t *contactBase) int {
	return callerFromRandom(float64(scramble(t.number^uint64(p.w.opts.Seed))) / (1 << 64)) //nolint:gosec // only the low bits matter
}

// incomingRecord returns the record of a customer's call to a service.
func (p *Phones) incomingRecord(t *contactBase, u *user, s *service) CallRecord {
	caller := p.callerOf(t)
	return t.fillRecord(p.w, CallRecord{
		User:     u.username,
		Service:  s.code,
		CLID:     CallerNumber(caller),
		DNIS:     "+39800" + strings.TrimPrefix(s.code, "SRV"),
		CallData: fmt.Sprintf("customer=%d", 10_000+caller),
		CallInfo: map[string]string{"direction": "inbound"},
	})
}

// scramble is the finalizer of splitmix64, which distributes numbers evenly.
func scramble(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// currentCall returns the user's telephone call, or nil if there is none. A direct call does
// not count, because it has no ID.
func (u *user) currentCall() call {
	switch {
	case u.dialedCall != nil:
		return u.dialedCall
	case u.attendantCall != nil:
		return u.attendantCall
	case u.contact == nil || u.contact.serviceChannel.channel != channelCall:
		return nil
	case u.contact.stage == stageRinging || u.contact.stage == stageTalking:
		return u.contact
	}
	return nil
}

// extension returns the user's extension, which is their profile ID.
func (u *user) extension() string { return strconv.FormatInt(u.profileID, 10) }

// Calls returns the current call of a user, if any: a service call, a call to an attendant, or
// a call dialed by [Phones.Dial]. With onlyAnswered, a call that rings does not count. A call
// on the user's directory number does not count. A user who is logged out has no call. Calls
// returns [ErrNoUser] if there is no user with this name.
func (p *Phones) Calls(username string, onlyAnswered bool) ([]CallRecord, error) {
	u := p.w.userByName[username]
	if u == nil {
		return nil, ErrNoUser
	}
	c := u.currentCall()
	if c == nil || onlyAnswered && !c.isTalking() {
		return nil, nil
	}
	return []CallRecord{c.record()}, nil
}

// HangUp ends a call as if the other party had hung up. It returns [ErrNoCall] if there is no
// such call.
func (p *Phones) HangUp(callID string) error {
	for _, users := range [...][]*user{p.w.agents, p.w.operators} {
		for _, u := range users {
			if c := u.currentCall(); c != nil && p.callID(c.base()) == callID {
				c.hangUp()
				return nil
			}
		}
	}
	return ErrNoCall
}

// HangUpUser ends the current call of a user, including a call on their directory number. It
// returns [ErrNoUser] if there is no such user, and [ErrNoCall] if the user has no call.
func (p *Phones) HangUpUser(username string) error {
	u := p.w.userByName[username]
	if u == nil {
		return ErrNoUser
	}
	return u.hangUp()
}

// HangUpExten ends the current call of the user with an extension, which is the ID of the
// user's profile. It returns [ErrNoUser] if there is no such user, and [ErrNoCall] if the user
// has no call.
func (p *Phones) HangUpExten(exten string) error {
	for _, users := range [...][]*user{p.w.agents, p.w.operators} {
		if i := slices.IndexFunc(users, func(u *user) bool { return u.extension() == exten }); i >= 0 {
			return users[i].hangUp()
		}
	}
	return ErrNoUser
}

func (u *user) hangUp() error {
	if c := u.currentCall(); c != nil {
		c.hangUp()
		return nil
	}
	switch m := u.channel(channelCall); {
	case m == nil:
		return ErrNoCall
	case m.state == stateDNIn || m.state == stateDNOut || m.state == stateDNPrivate:
		u.endOccupation() // a direct call
		return nil
	}
	return ErrNoCall
}

// StartRecording starts to record a call of a user: at once or, if onConnect is true, when it is
// answered. It returns the name of the recording, which is file or, if file is empty, a name
// derived from the call id. It returns [ErrNoUser] if there is no such user. It returns
// [ErrRecording] if the user is not on the call, if the call is already recorded, or if the number
// of the call ends in [NumberUnrecorded].
func (p *Phones) StartRecording(username, callID, file string, onConnect bool) (string, error) {
	c, err := p.findCall(username, callID)
	if err != nil {
		return "", err
	}
	t := c.base()
	if t.recording.file != "" {
		return "", fmt.Errorf("%w: the call is already being recorded", ErrRecording)
	}
	if strings.HasSuffix(c.record().DNIS, NumberUnrecorded) {
		return "", ErrRecording
	}
	t.recording = recording{file: recordingFile(file, callID), startsOnAnswer: onConnect && !c.isTalking()}
	return t.recording.file, nil
}

// StopRecording stops the recording of a user's call. It returns [ErrNoUser] if there is no such
// user, and [ErrRecording] if the user is not on the call or the call is not recorded.
func (p *Phones) StopRecording(username, callID string) error {
	c, err := p.findCall(username, callID)
	if err != nil {
		return err
	}
	if c.base().recording.file == "" {
		return fmt.Errorf("%w: the call is not being recorded", ErrRecording)
	}
	c.base().recording = recording{}
	return nil
}

// findCall returns the current call of a user, or an error if that call does not have the given ID.
func (p *Phones) findCall(username, callID string) (call, error) {
	u := p.w.userByName[username]
	if u == nil {
		return nil, ErrNoUser
	}
	if c := u.currentCall(); c != nil && p.callID(c.base()) == callID {
		return c, nil
	}
	return nil, fmt.Errorf("%w: the user is not on the call", ErrRecording)
}

func recordingFile(requested, callID string) string {
	if requested != "" {
		return requested
	}
	return "rec-" + callID + ".wav"
}
