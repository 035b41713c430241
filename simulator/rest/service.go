// Package rest is the configuration REST service of document 1, in either
// edition, on top of the simulated contact center of package world and of what
// the service stores besides.
//
// A request is executed at once and alone, whether or not its answer arrives,
// and what it changes goes out to the subscriptions with it.
// [Service.Executions] tells what was executed. The service starts no
// goroutines.
package rest

import (
	"cmp"
	"errors"
	"net/http"
	"strings"
	"sync"
	"time"

	"wallboard/simulator/accounts"
	"wallboard/simulator/wire"
	"wallboard/simulator/world"
)

// Options settle what document 1 leaves open. The zero value of each is its
// default.
type Options struct {
	Path    string // base path; default /platform
	Edition Edition
	Lists   Lists
	Errors  Errors // how errors look; default [ErrorsJSON]
	// ServiceKeys makes standing tokens keys of service accounts, which the
	// service takes as bearer and no login does.
	ServiceKeys bool
	// SMSInHistory keeps the text messages that are sent in the messaging
	// history: document 1 does not show whether they are there.
	SMSInHistory bool
	LoginVersion string        // the only version that logins may name; default the edition's
	Lifetime     time.Duration // of sessions, from the last request; default 24 h
}

// WithDefaults returns the options in which every zero value is its default.
func (o Options) WithDefaults() Options {
	o.Path = strings.TrimRight("/"+strings.TrimLeft(cmp.Or(o.Path, "/platform"), "/"), "/")
	o.Edition = cmp.Or(o.Edition, Edition140)
	o.Errors = cmp.Or(o.Errors, ErrorsJSON)
	o.Lists.Form = cmp.Or(o.Lists.Form, ListsShown)
	o.LoginVersion = cmp.Or(o.LoginVersion, string(o.Edition))
	o.Lifetime = cmp.Or(o.Lifetime, 24*time.Hour)
	return o
}

// Validate says which option has no such value.
func (o Options) Validate() error {
	o = o.WithDefaults()
	return errors.Join(
		wire.OneOf("edition", o.Edition, Edition102, Edition140),
		wire.OneOf("REST errors", o.Errors, ErrorsJSON, ErrorsText, ErrorsHTML, ErrorsEmpty, ErrorsFields, ErrorsHostile),
		wire.OneOf("REST lists", o.Lists.Form, ListsShown, ListsPaged, ListsArray, ListsOther),
	)
}

// Platform is what the service is a part of.
type Platform struct {
	World    *world.Shared
	Accounts *accounts.Authority
	Refusing func() bool      // every request is answered with 503
	Now      func() time.Time // for sessions
	ChatURL  func() string    // of the chat that a login names
	Seed     int64            // of what the service stores besides the world

	HostileTexts bool
	Secure       bool // cookies are for TLS only
}

// Service is a running service: one handler per operation. Its methods are safe
// for concurrent use.
type Service struct {
	opts     Options
	platform Platform
	faults   *Faults
	sessions *sessions
	executed executions

	mu    sync.Mutex // held while a request is executed, before the world's
	parts *parts
}

// New returns the service of a platform. The options are complete
// ([Options.WithDefaults]).
func New(o Options, p Platform) *Service {
	return &Service{
		opts: o, platform: p, faults: new(Faults),
		sessions: newSessions(p.Now, o.Lifetime),
		parts:    newParts(p, o),
	}
}

// Faults returns the faults of the service, to be made at any time.
func (s *Service) Faults() *Faults { return s.faults }

// operation is one operation of document 1.
type operation struct {
	name  string // what [Execution] calls it
	route string // method and path
	open  bool   // needs no authentication
	serve func(*call) (any, error)
}

// AddRoutes adds the operations of the edition. Everything else under the
// service's path is not found.
func (s *Service) AddRoutes(mux *http.ServeMux) {
	ops := append(s.logins(), s.parts.commonOps()...)
	ops = append(ops, s.parts.dialerOps()...)
	if s.opts.Edition == Edition102 {
		ops = append(ops, s.parts.campaignOps("/rest/powerdialer/phone/campaign")...)
	} else {
		ops = append(ops, s.parts.campaignOps("/rest/powerdialer/campaign")...)
		ops = append(ops, s.parts.channelOps()...)
	}
	for _, op := range ops {
		method, path, _ := strings.Cut(op.route, " ")
		mux.Handle(method+" "+s.opts.Path+s.opts.Lists.route(s.opts.Edition, path), s.handler(op))
	}
	mux.Handle(s.opts.Path+"/rest/", s.handler(operation{
		open:  true,
		serve: func(*call) (any, error) { return nil, &failure{status: http.StatusNotFound} },
	}))
}

func (s *Service) logins() []operation {
	return []operation{
		{name: "version", route: "GET /rest/auth/version", open: true, serve: s.version},
		{name: "valid-session", route: "GET /rest/auth/isValidSession", serve: s.isValidSession},
		{name: "login", route: "POST /rest/auth/login", open: true, serve: s.login},
		{name: "login-by-token", route: "POST /rest/auth/loginByAccessToken", open: true, serve: s.loginByAccessToken},
		{name: "logout", route: "GET /rest/auth/logout", serve: s.logout},
	}
}

// text is what is told in an answer, with hostile texts where they are asked
// for.
func (s *Service) text(body []byte) []byte {
	if s.platform.HostileTexts {
		return wire.Spoil(body)
	}
	return body
}
