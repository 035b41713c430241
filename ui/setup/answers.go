package setup

import (
	"context"
	"net/url"
	"strings"
	"time"

	"wallboard/internal/words"
	"wallboard/model"
)

// Service is a service of the platform.
type Service int

// The services, in the order in which the guide asks for them.
const (
	RealTime Service = iota
	Configuration
	Statistics

	serviceCount = 3
)

// Login methods, as in rtd.auth.
const (
	methodLogin      = "login"
	methodToken      = "token"
	methodCookie     = "cookie"
	methodTokenLogin = "token_login"
)

// Storage is the place in which the secrets are stored.
type Storage int

// Places for secrets.
const (
	InFile          Storage = iota // in files with mode 0600 beside the configuration
	InKeyring                      // in the keyring of the operating system
	InEnvironment                  // in environment variables, which the user sets
	InConfiguration                // in the configuration itself
)

// WaitLimits holds the levels of the rule for the longest wait.
type WaitLimits struct{ Warning, Critical time.Duration }

// Trust determines which certificates of a service are accepted.
type Trust struct {
	CAFile   string // certificates to trust instead of the system's; "": not chosen, see [Answers.CAFile]
	Insecure bool   // accept any certificate
}

// Answers holds the viewer's answers so far.
type Answers struct {
	Language string // tag of the language, as in ui.language; "": that of the locale

	URL    string // real-time service
	Method string // how to log in, as in rtd.auth
	User   string // "" for a method without a user name
	Secret string // password or access token, for the hosts of URL and RESTURL

	RESTURL    string // configuration service; "": none
	HistoryURL string // statistical data service; "": none
	APIKey     string // key of the statistical data service

	Trust [serviceCount]Trust // by service

	Names   map[string]string // names of services, by code
	Target  float64           // share of calls to answer in time, 0 to 1
	Wait    WaitLimits        // zero: not chosen
	Storage Storage
}

// Address returns the address of a service, or "" if it is not used.
func (a *Answers) Address(s Service) string { return *a.address(s) }

func (a *Answers) address(s Service) *string {
	return [serviceCount]*string{&a.URL, &a.RESTURL, &a.HistoryURL}[s]
}

// setAddress changes the address of a service and forgets the decision about its certificates. If the
// address belongs to another server, it also removes the secrets for the old server and returns true. A
// real-time service on another server belongs to another platform. In this case, setAddress also removes
// the addresses of the other services and the names.
func (a *Answers) setAddress(s Service, address string) (isOther bool) {
	old := *a.address(s)
	if address == old {
		return false
	}
	*a.address(s) = address
	a.Trust[s] = Trust{}
	if isOther = originOf(address) != originOf(old); !isOther {
		return false
	}
	switch s {
	case RealTime:
		a.Secret, a.Names = "", make(map[string]string)
		a.setAddress(Configuration, "")
		a.setAddress(Statistics, "")
	case Statistics:
		a.APIKey = ""
	case Configuration:
	}
	return true
}

// originOf returns the scheme, the host and the port of an address, or "" for an invalid address.
func originOf(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return ""
	}
	return strings.ToLower(u.Scheme + "://" + u.Host)
}

// HostOf returns the host name in an address without its port, or "" if there is none.
func HostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return strings.ToLower(u.Hostname())
}

// CAFile returns the file with the certificates to trust for a service, or "" for the system's
// certificates. A service without its own file uses that of the real-time service if both are on
// the same host.
func (a *Answers) CAFile(s Service) string {
	if file := a.Trust[s].CAFile; file != "" || HostOf(a.Address(s)) != HostOf(a.URL) {
		return file
	}
	return a.Trust[RealTime].CAFile
}

// NeedsUser reports whether the login method needs a user name.
func (a *Answers) NeedsUser() bool { return a.Method == methodLogin }

// secretText returns password or token, depending on which secret the login method needs.
func (a *Answers) secretText(password, token words.Text) words.Text {
	if a.NeedsUser() {
		return password
	}
	return token
}

// Variables returns the environment variables that hold the secrets if the storage is
// [InEnvironment].
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
	Failed       bool // the check failed; otherwise the finding is only information
	Subject      string
	Text, Remedy string
}

// Campaign is a dialer campaign with its name.
type Campaign struct{ ID, Name string }

// Result is the result of a connection test of a service.
type Result struct {
	Reason   string // why the service cannot be used, as stated by the service; "": it can be used
	Remedy   string // what the administrator can do about it; "": not known
	Refused  bool   // the platform refuses the login
	Findings []Finding
	Method   string // the login method that works; "": the one that was tried

	Services, Groups     []string // codes of the services and groups
	Agents               int
	ServiceLevel         model.Figure // share of today's calls that were answered in time
	AverageAnswerSeconds model.Figure // average time to answer of today's calls, in seconds
	Campaigns            []Campaign
}

// Backend connects to the platform and writes files. Its methods may run in other goroutines.
type Backend interface {
	// CheckAddress returns a description of what is wrong with a service's address, or "" if the
	// address is valid.
	CheckAddress(s Service, a Answers) string
	// TestConnection connects to a service with the answers. It calls progress with a text
	// whenever it makes progress. It ends when ctx ends.
	TestConnection(ctx context.Context, s Service, a Answers, progress func(words.Text)) Result
	// Write writes the configuration and the secrets, and returns a line about each file. After an
	// error, files, directories and the keyring are unchanged.
	Write(a Answers, found Result) ([]words.Text, error)
}
