package setup

import (
	"context"
	"time"

	"wallboard/model"
)

// Service is a service of the platform.
type Service int

// The services, in the order in which the guide asks for them.
const (
	RealTime Service = iota
	Configuration
	Statistics
)

// Methods of logging in, as in rtd.auth.
const (
	methodLogin      = "login"
	methodToken      = "token"
	methodCookie     = "cookie"
	methodTokenLogin = "token_login"
)

// Storage says where the secrets are kept.
type Storage int

// The ways to keep secrets.
const (
	InFile        Storage = iota // in files with mode 0600 beside the configuration
	InKeyring                    // in the keyring of the operating system
	InEnvironment                // in environment variables, which the user sets
	InClear                      // in the configuration itself
)

// WaitLimits are the levels of the rule for the longest wait.
type WaitLimits struct{ Warning, Critical time.Duration }

// Answers holds what the viewer has answered so far.
type Answers struct {
	URL      string // real-time service
	Method   string // how to log in, as in rtd.auth
	User     string // "" for a method without a user name
	Secret   string // password or access token
	CAFile   string // certificates to trust instead of the system's; "": the system's
	Insecure bool   // accept any certificate

	RESTURL    string // configuration service; "": none
	HistoryURL string // statistical data service; "": none
	APIKey     string // key of the statistical data service

	Names   map[string]string // names of services, by code
	Target  float64           // share of calls to answer in time, 0 to 1
	Wait    WaitLimits
	Storage Storage
}

// NeedsUser reports whether the method of logging in needs a user name.
func (a *Answers) NeedsUser() bool { return a.Method == methodLogin }

// SecretNoun returns what the secret of the method is called.
func (a *Answers) SecretNoun() string {
	if a.Method == methodLogin {
		return "password"
	}
	return "access token"
}

// Variables returns the environment variables that hold the secrets with [InEnvironment].
func (a *Answers) Variables() []string {
	names := []string{"WALLBOARD_TOKEN"}
	if a.NeedsUser() {
		names[0] = "WALLBOARD_PASSWORD"
	}
	if a.HistoryURL != "" {
		names = append(names, "WALLBOARD_API_KEY")
	}
	return names
}

// Finding is one result of the examination of a service.
type Finding struct {
	Failed       bool // the check failed; otherwise it is only worth knowing
	About        string
	Text, Remedy string
}

// Campaign is a dialer campaign with its name.
type Campaign struct{ ID, Name string }

// Result is what a try of a service has found.
type Result struct {
	Reason   string // why the service cannot be used, in its own words; "": it can
	Remedy   string // what the administrator can do about it; "": not known
	Refused  bool   // the platform refuses the login
	Findings []Finding
	Method   string // the method of logging in that works; "": the one that was tried

	Services, Groups []string // codes
	Agents           int
	ServiceLevel     model.Figure // share of the calls of today that were answered in time
	Answer           model.Figure // average time to answer of today's calls, in seconds
	Campaigns        []Campaign
}

// Backend does what the viewer decides. Its methods may run in other goroutines.
type Backend interface {
	// CheckAddress returns what is wrong with the address of a service, or "".
	CheckAddress(s Service, a Answers) string
	// Try connects to a service with the answers. It calls progress with a line of text when there
	// is news. It ends when ctx ends.
	Try(ctx context.Context, s Service, a Answers, progress func(string)) Result
	// Write writes the configuration and the secrets, and returns a line about each file. After an
	// error nothing is left behind.
	Write(a Answers, found Result) ([]string, error)
}
