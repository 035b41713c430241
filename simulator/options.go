package simulator

import (
	"crypto/tls"
	"log/slog"
	"net"
	"strings"
	"time"

	"wallboard/simulator/world"
)

// Options say what a [Server] simulates and where it listens. The zero value
// is a small contact center at real speed on a free port of 127.0.0.1.
type Options struct {
	World world.Options

	Addr     string       // TCP address; default 127.0.0.1:0
	Listener net.Listener // used instead of Addr; the server closes it
	Path     string       // of the real-time display service; default /rtd
	RESTPath string       // base path of the configuration REST service; default /platform
	StatPath string       // base path of the statistical data service; default /datamodel
	TLS      *tls.Config  // nil is plain HTTP and ws

	Speed float64       // simulated seconds per second; default 1
	Tick  time.Duration // between two steps of the world and deliveries of their changes; default 100 ms

	// UpdatesPerSecond, when positive, forces that many userStats updates per
	// second, for load tests.
	UpdatesPerSecond int
	// UpdatesPerMessage bounds the records in one message; 0 is no bound:
	// whatever changed in a tick.
	UpdatesPerMessage int

	// FullRate, when positive, is how many records of full states, of answers and
	// of first messages alike, the platform puts together per second, one request
	// after the other. Zero is no time at all.
	FullRate int

	// Arrivals says how a record is told of that comes under a filter; default
	// [ArrivalsWhole].
	Arrivals Arrivals
	// Gather is how long each subscription gathers its updates before it sends
	// them; 0 is not at all.
	Gather time.Duration

	// ReplicaLag, when positive, makes queries be answered by replicas that are
	// up to so much behind what the subscriptions tell.
	ReplicaLag time.Duration

	Switches Switches
	Faults   FaultRates // random faults; default none
	Users    []Account  // who may log in; default [DefaultAccounts]

	Edition    Edition    // of document 1; default [Edition140]
	Lists      Lists      // of documents 1 and 3
	RESTErrors RESTErrors // how REST errors look; default [RESTErrorsJSON]
	// ServiceKeys makes standing tokens keys of service accounts, which the REST
	// service takes as bearer and no login does.
	ServiceKeys  bool
	LoginVersion string // the only version that REST logins may name; default the edition's

	APIKey    string // of the statistical data service; default [DefaultAPIKey]
	StatLimit int    // its requests per minute; default 100

	SessionLifetime time.Duration // from the last request; default 30 min
	RESTLifetime    time.Duration // of REST sessions, from the last request; default 24 h
	TokenLifetime   time.Duration // of tokens that a login returned; default 24 h
	InitTimeout     time.Duration // for connection_init; default 3 s
	KeepAlive       time.Duration // between ka messages and between pings; default 15 s

	Logger *slog.Logger     // default none
	Now    func() time.Time // for sessions; default time.Now
}

// Account is somebody who may log in.
type Account struct {
	Username, Password string
	Token              string // a standing access token; "" is none
	Name, Surname      string
	Language           string // a value of document 2's enum Language; "" is EN
	Supervisor         bool
	// PasswordExpired makes both REST logins answer 403.
	PasswordExpired bool
	// NoSMS is a profile that does not allow sending SMS: status 570.
	NoSMS bool
}

// DefaultAccounts returns who may log in when [Options.Users] names nobody: the
// default account, one whose password is expired, and one that may not send
// SMS.
func DefaultAccounts() []Account {
	return []Account{
		DefaultAccount(),
		{Username: "expired", Password: "wallboard", Token: "expired-token", Name: "Ivo", Surname: "Marek", PasswordExpired: true},
		{Username: "trainee", Password: "wallboard", Token: "trainee-token", Name: "Nora", Surname: "Blum", NoSMS: true},
	}
}

// DefaultAccount is the account that may do everything.
func DefaultAccount() Account {
	return Account{
		Username: "supervisor", Password: "wallboard", Token: "demo-token",
		Name: "Sofia", Surname: "Lindqvist", Language: "EN", Supervisor: true,
	}
}

func (o Options) withDefaults() Options {
	setDefault(&o.Addr, "127.0.0.1:0")
	setDefault(&o.Path, "/rtd")
	setDefault(&o.Speed, 1)
	setDefault(&o.Tick, 100*time.Millisecond)
	setDefault(&o.RESTPath, "/platform")
	o.RESTPath = strings.TrimRight("/"+strings.TrimLeft(o.RESTPath, "/"), "/")
	setDefault(&o.StatPath, "/datamodel")
	o.StatPath = strings.TrimRight("/"+strings.TrimLeft(o.StatPath, "/"), "/")
	setDefault(&o.APIKey, DefaultAPIKey)
	setDefault(&o.StatLimit, 100)
	setDefault(&o.Edition, Edition140)
	setDefault(&o.RESTErrors, RESTErrorsJSON)
	setDefault(&o.Lists.Form, RESTListsShown)
	setDefault(&o.LoginVersion, string(o.Edition))
	setDefault(&o.SessionLifetime, 30*time.Minute)
	setDefault(&o.RESTLifetime, 24*time.Hour)
	setDefault(&o.TokenLifetime, 24*time.Hour)
	setDefault(&o.InitTimeout, 3*time.Second)
	setDefault(&o.KeepAlive, 15*time.Second)
	setDefault(&o.Faults.SlowPause, 20*time.Millisecond)
	setDefault(&o.Arrivals, ArrivalsWhole)
	o.Switches = o.Switches.withDefaults()
	if len(o.Users) == 0 {
		o.Users = DefaultAccounts()
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return o
}

// Validate says which option has no such value. The zero value of each is its
// default.
func (o Options) Validate() error {
	o = o.withDefaults()
	if err := oneOf("edition", o.Edition, Edition102, Edition140); err != nil {
		return err
	}
	if err := oneOf("REST errors", o.RESTErrors, RESTErrorsJSON, RESTErrorsText, RESTErrorsHTML, RESTErrorsEmpty, RESTErrorsFields, RESTErrorsHostile); err != nil {
		return err
	}
	if err := oneOf("REST lists", o.Lists.Form, RESTListsShown, RESTListsPaged, RESTListsArray, RESTListsOther); err != nil {
		return err
	}
	if err := oneOf("arrivals", o.Arrivals, ArrivalsWhole, ArrivalsKeys); err != nil {
		return err
	}
	return o.Switches.Validate()
}
