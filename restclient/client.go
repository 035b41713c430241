package restclient

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"math/rand/v2"
	"strings"
	"time"
)

// Client accesses a platform for a user. It has a field for each subject of document 1. All
// fields share the session.
type Client struct {
	Session   *Session
	Calls     *Calls
	Campaigns *Campaigns
	Lists     *Lists
	Runs      *Runs
	Messages  *Messages
	Tickets   *Tickets
	Contacts  *Contacts
}

// New returns a client for the given options without sending a request. The error lists all
// problems of the options.
func New(o Options) (*Client, error) {
	if err := o.check(); err != nil {
		return nil, fmt.Errorf("restclient: %w", err)
	}
	s := newSession(&o)
	return &Client{
		Session: s, Calls: &Calls{s}, Campaigns: &Campaigns{s}, Lists: &Lists{s}, Runs: &Runs{s},
		Messages: &Messages{s}, Tickets: &Tickets{s}, Contacts: &Contacts{s},
	}, nil
}

// newSession returns a session for options that [Options.check] has accepted.
func newSession(o *Options) *Session {
	s := &Session{
		sender: requestSender{
			baseURL: strings.TrimRight(o.URL, "/"), timeout: o.Timeout, transports: newTransports(o),
			log: o.Logger, now: o.Now, jitter: rand.Float64,
		},
		paths: maps.Clone(o.Paths), version: o.Version,
		editionPinned: o.Edition == Edition102 || o.Edition == Edition140, edition: EditionAuto,
	}
	if s.editionPinned {
		s.edition = o.Edition
	}
	if s.sender.log == nil {
		s.sender.log = slog.New(slog.DiscardHandler)
	}
	if s.sender.now == nil {
		s.sender.now = time.Now
	}
	s.auth = newAuth(o, s.sender.now)
	s.sender.secrets = s.auth.secretsOf
	s.loginContext, s.cancelLogins = context.WithCancel(context.Background())
	return s
}

// Close cancels a running login and closes idle connections. It does not cancel other requests:
// they end with their contexts.
func (c *Client) Close() { c.Session.close() }
