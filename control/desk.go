package control

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"wallboard/model"
	"wallboard/model/resource"
)

// Options are what a [Desk] works with.
type Options struct {
	Service Service
	Audit   Audit
	// Feed returns the live picture, which may confirm what the service can
	// not; it may be nil, and so may what it returns.
	Feed func() *model.Snapshot
	// NoFeed says why there is no live picture, as the end of a sentence; it may
	// be nil.
	NoFeed func() string

	Address  string // of the service, as people know it
	Username string // whose login acts; "" is who the platform says it is
	Session  bool   // the service wants a login and keeps a session
	Insecure bool   // the service's certificate is not verified
	ReadOnly bool   // no action is taken

	// Person is who asks, where that is not who runs the program: the audit file
	// says so of each action.
	Person string
	// Beside is a desk that acts on the same platform with another login: there is
	// one action at a time per target on both. Nil: there is none.
	Beside *Desk
	// Lock makes this desk the only one of all that share a platform to act on a
	// target, until it is released; nil: there is no other. An error, the end of a
	// sentence, says why it is not, and nothing is sent.
	Lock func(ctx context.Context, target string) (Lock, error)

	// Correlate adds a mark to the call data of every call that is dialled, by
	// which it is found again for certain. Agents may see it.
	Correlate bool

	Now    func() time.Time
	After  func(time.Duration) <-chan time.Time // default time.After
	Logger *slog.Logger                         // default none
}

// Lock is what makes a desk the only one of all that share a platform to act on a target.
type Lock interface {
	// Warning is told with the outcome: nobody else could be asked; "" is nothing.
	Warning() string
	// Confirm asks, right before something is sent, whether it still holds, and has it be
	// known elsewhere that something is sent. Its error is as that of Options.Lock.
	Confirm(ctx context.Context) error
	// Holds reports whether nobody else can have it at this moment.
	Holds() bool
	// Release ends it. Where the outcome is not known, whoever wants it next is told so.
	Release(known bool)
}

// Desk carries out actions and reads what they are about: one part for each
// subject of the service, which share how an action is taken, what is known of
// the service and the live picture.
type Desk struct {
	Standing  *Standing
	Calls     *Calls
	Campaigns *Campaigns
	Lists     *Lists
	Runs      *Runs
	Messages  *Messages
	Tickets   *Tickets
	Contacts  *Contacts

	do      *executor
	picture *picture
	service Service
	// correlate is that of the options.
	correlate bool
}

// New returns a desk. Nothing is sent yet.
func New(o Options) (*Desk, error) {
	switch {
	case !o.Service.complete():
		return nil, errors.New("control: no service")
	case o.Audit == nil:
		return nil, errors.New("control: no audit: nobody could tell what was done")
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.After == nil {
		o.After = time.After
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Feed == nil {
		o.Feed = func() *model.Snapshot { return nil }
	}
	if o.NoFeed == nil {
		o.NoFeed = func() string { return "there is no real-time service here" }
	}
	return assemble(&o), nil
}

// assemble makes the parts of a desk of options that are complete.
func assemble(o *Options) *Desk {
	standing := &Standing{
		service: o.Service.Session, address: o.Address, session: o.Session, insecure: o.Insecure, readOnly: o.ReadOnly,
		log: o.Logger, now: o.Now, after: o.After, nudge: make(chan struct{}, 1), user: o.Username,
	}
	do := &executor{
		standing: standing, audit: o.Audit, log: o.Logger, now: o.Now, after: o.After, person: o.Person, underWay: newUnderWay(), lock: o.Lock,
	}
	if o.Beside != nil {
		do.underWay, do.lock = o.Beside.do.underWay, o.Beside.do.lock
	}
	return deskOf(do, &picture{feed: o.Feed, noFeed: o.NoFeed}, o.Service, o.Correlate)
}

func deskOf(do *executor, p *picture, s Service, correlate bool) *Desk {
	return &Desk{
		Standing:  do.standing,
		Calls:     &Calls{do: do, picture: p, service: s.Calls, correlate: correlate, listed: make(map[string][]resource.Call)},
		Campaigns: &Campaigns{do: do, picture: p, service: s.Campaigns, session: s.Session},
		Lists:     &Lists{do: do, picture: p, service: s.Lists, campaigns: s.Campaigns},
		Runs:      &Runs{do: do, service: s.Runs},
		Messages:  &Messages{do: do, picture: p, service: s.Messages, session: s.Session},
		Tickets:   &Tickets{standing: do.standing, service: s.Tickets},
		Contacts:  &Contacts{do: do, service: s.Contacts},
		do:        do, picture: p, service: s, correlate: correlate,
	}
}

// As is the same desk for somebody who does not run the program: the audit file has
// their name on what they ask for.
func (d *Desk) As(person string) *Desk {
	do := *d.do
	do.person = person
	return deskOf(&do, d.picture, d.service, d.correlate)
}

// Wait returns when no action is under way any more and the outcomes of all are
// in the audit file. It calls none off: their contexts do.
func (d *Desk) Wait() { d.do.running.Wait() }
