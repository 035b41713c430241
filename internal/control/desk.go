package control

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/model/resource"
)

// Options configures an [ActionClient].
type Options struct {
	Service Service
	Audit   Audit
	// Feed returns the live snapshot, or nil if there is none. A live snapshot may confirm an
	// outcome that the service cannot confirm. A nil Feed means that there is no live feed.
	Feed func() *model.Snapshot
	// NoFeedReason returns the reason why there is no live feed, as the end of a sentence. A nil NoFeedReason
	// means a general reason.
	NoFeedReason func() words.Text

	Address     string // display address of the service
	Username    string // user of the login; "": the user that the platform reports
	UsesSession bool   // the service needs a login and keeps a session
	Insecure    bool   // the service's certificate is not verified
	ReadOnly    bool   // actions are not allowed

	// Person is the user who requests actions, if this user does not run the program. The audit
	// file records the name.
	Person string
	// SharedWith is a client that acts on the same platform with another login, or nil. Together, the
	// two clients run only one action at a time per target.
	SharedWith *ActionClient
	// Lock reserves a target for this client among all clients that share a platform. If it returns an
	// error, nothing is sent, and the error ends the sentence of the report. A nil Lock means that
	// there are no other clients.
	Lock func(ctx context.Context, target string) (Lock, error)

	// Correlate makes the client add a mark to the call data of each call that it dials, so that it
	// can recognize the call. Agents may see the mark.
	Correlate bool

	Now    func() time.Time
	After  func(time.Duration) <-chan time.Time // default: time.After
	Logger *slog.Logger                         // default: none
}

// Lock reserves a target for one of the clients that share a platform.
type Lock interface {
	// Warning returns a text to add to the outcome, or "". For example, it warns that the other
	// clients could not be reached.
	Warning() string
	// Confirm checks, right before a request is sent, that the lock is still held, and announces
	// the request to the other clients. The error ends the sentence of the report.
	Confirm(ctx context.Context) error
	// IsHeld reports whether this client still holds the lock, so no other client can act on the target.
	IsHeld() bool
	// Release releases the lock. known is true if the outcome of the action is known. Otherwise the
	// next holder gets a warning.
	Release(known bool)
}

// ActionClient performs actions and reads their targets. It has one part for each subject of the service.
// The parts share the executor, the state of the service and the live feed.
type ActionClient struct {
	Status    *Status
	Calls     *Calls
	Campaigns *Campaigns
	Lists     *Lists
	Runs      *Runs
	Messages  *Messages
	Tickets   *Tickets
	Contacts  *Contacts

	executor *executor
	feed     *liveFeed
	service  Service
	// correlate is the option Options.Correlate.
	correlate bool
}

// New returns an ActionClient. New itself sends nothing to the platform.
func New(o Options) (*ActionClient, error) {
	switch {
	case !o.Service.isComplete():
		return nil, errors.New("control: no service")
	case o.Audit == nil:
		return nil, errors.New("control: no audit log")
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
	if o.NoFeedReason == nil {
		o.NoFeedReason = words.ControlNoFeed
	}
	return newActionClient(&o), nil
}

func newActionClient(o *Options) *ActionClient {
	status := &Status{
		service: o.Service.Session, address: o.Address, usesSession: o.UsesSession, insecure: o.Insecure, readOnly: o.ReadOnly,
		log: o.Logger, now: o.Now, after: o.After, checkNow: make(chan struct{}, 1), user: o.Username,
	}
	do := &executor{
		status: status, audit: o.Audit, log: o.Logger, now: o.Now, after: o.After, person: o.Person, runningActions: &runningActions{owners: make(map[string]string)}, lock: o.Lock,
	}
	if o.SharedWith != nil {
		do.runningActions, do.lock = o.SharedWith.executor.runningActions, o.SharedWith.executor.lock
	}
	return buildActionClient(do, &liveFeed{feed: o.Feed, noFeedReason: o.NoFeedReason}, o.Service, o.Correlate)
}

func buildActionClient(do *executor, p *liveFeed, s Service, correlate bool) *ActionClient {
	return &ActionClient{
		Status:    do.status,
		Calls:     &Calls{executor: do, feed: p, service: s.Calls, correlate: correlate, lastListedCalls: make(map[string][]resource.Call)},
		Campaigns: &Campaigns{executor: do, feed: p, service: s.Campaigns, session: s.Session},
		Lists:     &Lists{executor: do, feed: p, service: s.Lists, campaigns: s.Campaigns},
		Runs:      &Runs{executor: do, service: s.Runs},
		Messages:  &Messages{executor: do, feed: p, service: s.Messages, session: s.Session},
		Tickets:   &Tickets{status: do.status, service: s.Tickets},
		Contacts:  &Contacts{executor: do, service: s.Contacts},
		executor:  do, feed: p, service: s, correlate: correlate,
	}
}

// ForUser returns a client that shares everything with d but acts for person, who is not the user
// running the program. The audit file records person with the actions.
func (d *ActionClient) ForUser(person string) *ActionClient {
	do := *d.executor
	do.person = person
	return buildActionClient(&do, d.feed, d.service, d.correlate)
}

// Wait waits until no action is running and all outcomes are in the audit file. It does not cancel
// actions. To cancel them, cancel their contexts.
func (d *ActionClient) Wait() { d.executor.running.Wait() }
