package world

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// CallRecord is a telephone call of a user: ServiceCallDetailRecord of document 1.
// Instants have milliseconds; future ones are zero.
type CallRecord struct {
	UniqueID  string // call id of the operations
	SIPCallID string
	User      string
	Service   string // service code, or "" for a call dialed for no service
	Skillset  string // group code, or "" if no group received the call
	CLID      string // caller's number
	DNIS      string // called number
	CallData  string
	// RecFileName is the recording file, or "" if the call is not recorded. It is
	// set before Recording if the recording starts with the answer.
	RecFileName string
	Recording   bool
	Start       time.Time
	Answer      time.Time
	End         time.Time // always zero: records exist only for running calls
	CallInfo    map[string]string
}

// call is a running telephone call of a user.
type call interface {
	base() *contactBase
	record() CallRecord
	isTalking() bool
	hangUp()
}

// recording is the recording of a call.
type recording struct {
	file           string
	startsOnAnswer bool // recording starts with the answer
}

// Phones holds the calls on the floor and the operations of the platform on them.
type Phones struct {
	w            *World
	contactCount uint64 // number of calls and other contacts so far
}

// contactBase holds the number, the times and the recording of a contact.
type contactBase struct {
	number     uint64 // sequence number, from 1
	startedAt  time.Duration
	answeredAt time.Duration // 0 before the answer
	recording  recording
}

func (p *Phones) newContactBase() contactBase {
	p.contactCount++
	return contactBase{number: p.contactCount, startedAt: p.w.now}
}

func (t *contactBase) base() *contactBase { return t }

// recordAnswer records that the call was answered.
func (t *contactBase) recordAnswer(now time.Duration) {
	t.answeredAt = now
	t.recording.startsOnAnswer = false
}

// fillRecord returns r with the ids, times and recording of the contact.
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

// NumCallers is the number of customers.
const NumCallers = 400

// CallerNumber returns the telephone number of customer i, from 0 to [NumCallers]-1.
func CallerNumber(i int) string {
	return fmt.Sprintf("+39020%03d%03d", scramble(uint64(i))%1000, i) //nolint:gosec // only the low bits matter
}

// callerOf returns the customer of an incoming call. It derives the customer from the
// call and does not use the random source.
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

// currentCall returns the user's telephone call, or nil if there is none. A direct call has no
// id and does not count.
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

// extension returns the user's extension, which is their profile id.
func (u *user) extension() string { return strconv.FormatInt(u.profileID, 10) }

// Calls returns the current calls of a user: ringing and answered service calls, and
// calls dialed by [Phones.Dial]. It omits calls that the user made or answered on
// their directory number. The error is [ErrNoUser]; a user who is logged out has no
// calls.
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

// HangUp ends a call as if the other party had hung up. The error is [ErrNoCall].
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

// HangUpUser ends the current call of a user, whatever its kind. The error is
// [ErrNoUser] or [ErrNoCall].
func (p *Phones) HangUpUser(username string) error {
	u := p.w.userByName[username]
	if u == nil {
		return ErrNoUser
	}
	return u.hangUp()
}

// HangUpExten ends the call on an extension, which is the profile id of a user. The
// error is [ErrNoUser] or [ErrNoCall].
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
		u.release() // a direct call
		return nil
	}
	return ErrNoCall
}

// StartRecording records a call of a user, immediately or, with onConnect, from the
// answer. It returns the name of the file, which derives from the call id if file is
// empty. The error is [ErrNoUser], or [ErrRecording] if the user is not on that
// call, if the call is already recorded, or if its number is [NumberUnrecorded].
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

// StopRecording stops the recording of a call. The error is [ErrNoUser], or
// [ErrRecording] if the user is not on that call or the call is not recorded.
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

// findCall returns the call of a user with the given id.
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
