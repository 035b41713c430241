// Package rest implements the configuration REST service of document 1 in both editions, on top of
// the simulated contact center of package world. A [Service] owns the sessions and the data that
// the world does not have, for example the address book, tickets and message history.
//
// The service executes one request at a time. It executes a complete request even if the
// client does not receive the answer. Subscriptions of the real-time display service receive
// the changes while the request is executed. [Service.Executions] returns the requests that
// changed something. The service starts no goroutines.
package rest

import (
	"cmp"
	"errors"
	"net/http"
	"strings"
	"sync"
	"time"

	"wallboard/internal/simulator/webservice"
	"wallboard/internal/simulator/world"
)

// Options selects the behavior of the service where document 1 leaves it open. The zero value
// of an option selects its default.
type Options struct {
	Path    string // base path; default /platform
	Edition Edition
	Lists   ListOptions
	Errors  ErrorFormat // format of errors; default [ErrorsJSON]
	// ServiceKeys makes permanent tokens valid only as bearer tokens of service accounts.
	// Logins then reject them.
	ServiceKeys bool
	// SMSInHistory adds sent SMS to the message history. Document 1 does not say whether the
	// history contains them.
	SMSInHistory    bool
	LoginVersion    string        // the only API version that logins accept; default: that of the edition
	SessionLifetime time.Duration // time without requests after which a session ends; default 24 h
}

// WithDefaults returns the options with zero values replaced by the defaults.
func (o Options) WithDefaults() Options {
	o.Path = strings.TrimRight("/"+strings.TrimLeft(cmp.Or(o.Path, "/platform"), "/"), "/")
	o.Edition = cmp.Or(o.Edition, Edition140)
	o.Errors = cmp.Or(o.Errors, ErrorsJSON)
	o.Lists.Form = cmp.Or(o.Lists.Form, ListsDocumented)
	o.LoginVersion = cmp.Or(o.LoginVersion, string(o.Edition))
	o.SessionLifetime = cmp.Or(o.SessionLifetime, 24*time.Hour)
	return o
}

// Validate reports options with invalid values.
func (o Options) Validate() error {
	o = o.WithDefaults()
	return errors.Join(
		webservice.CheckOneOf("edition", o.Edition, Edition102, Edition140),
		webservice.CheckOneOf("REST errors", o.Errors, ErrorsJSON, ErrorsText, ErrorsHTML, ErrorsEmpty, ErrorsFields, ErrorsHostile),
		webservice.CheckOneOf("REST lists", o.Lists.Form, ListsDocumented, ListsPaged, ListsArray, ListsOther),
	)
}

// Platform holds the parts of the simulated platform that the service uses.
type Platform struct {
	World      *world.LockedWorld
	Accounts   *webservice.Authority
	IsRefusing func() bool      // reports whether every request must be answered with 503
	Now        func() time.Time // current time for the expiry of sessions
	ChatURL    func() string    // returns the URL of the chat that login profiles contain
	Seed       int64            // seed of the generated data

	HostileTexts bool
	Secure       bool // the service uses TLS, so cookies are secure
}

// Service is a running REST service. Its methods are safe for concurrent use.
type Service struct {
	opts       Options
	platform   Platform
	faults     *Faults
	sessions   *sessions
	executions executions

	mu        sync.Mutex // held while a request is executed; acquired before the world's mutex
	resources *resources
}

// New returns the service of a simulated platform. o must contain no zero values that stand
// for defaults (see [Options.WithDefaults]).
func New(o Options, p Platform) *Service {
	return &Service{
		opts: o, platform: p, faults: new(Faults),
		sessions:  &sessions{now: p.Now, lifetime: o.SessionLifetime, byID: make(map[string]session)},
		resources: newResources(p, o),
	}
}

// Faults returns the fault injector of the service.
func (s *Service) Faults() *Faults { return s.faults }

// operation is an operation of document 1.
type operation struct {
	name         string // name in [Execution.Operation]
	route        string // method and path
	withoutLogin bool   // needs no authentication
	serve        func(*apiRequest) (any, error)
}

// AddRoutes registers the operations of the edition in mux. All other paths of the service
// answer 404.
func (s *Service) AddRoutes(mux *http.ServeMux) {
	ops := append(s.loginOps(), s.resources.commonOps()...)
	ops = append(ops, s.resources.dialerOps()...)
	if s.opts.Edition == Edition102 {
		ops = append(ops, s.resources.campaignOps("/rest/powerdialer/phone/campaign")...)
	} else {
		ops = append(ops, s.resources.campaignOps("/rest/powerdialer/campaign")...)
		ops = append(ops, s.resources.channelOps()...)
	}
	for _, op := range ops {
		method, path, _ := strings.Cut(op.route, " ")
		mux.Handle(method+" "+s.opts.Path+s.opts.Lists.operationPath(s.opts.Edition, path), s.handler(op))
	}
	mux.Handle(s.opts.Path+"/rest/", s.handler(operation{
		withoutLogin: true,
		serve:        func(*apiRequest) (any, error) { return nil, &restError{status: http.StatusNotFound} },
	}))
}

func (s *Service) loginOps() []operation {
	return []operation{
		{name: "version", route: "GET /rest/auth/version", withoutLogin: true, serve: s.version},
		{name: "valid-session", route: "GET /rest/auth/isValidSession", serve: s.isValidSession},
		{name: "login", route: "POST /rest/auth/login", withoutLogin: true, serve: s.login},
		{name: "login-by-token", route: "POST /rest/auth/loginByAccessToken", withoutLogin: true, serve: s.loginByAccessToken},
		{name: "logout", route: "GET /rest/auth/logout", serve: s.logout},
	}
}

// withHostileTexts returns body, with attacks inserted if the platform is configured for
// hostile texts.
func (s *Service) withHostileTexts(body []byte) []byte {
	if s.platform.HostileTexts {
		return webservice.InsertAttacks(body)
	}
	return body
}
