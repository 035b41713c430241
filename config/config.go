package config

import (
	"log/slog"
	"path/filepath"
	"time"

	"github.com/adrg/xdg"
)

// Config is the whole configuration. Its zero value is not valid; start from
// [Default] or [Load].
type Config struct {
	ReadOnly bool    `toml:"read_only"` // Nothing may act on the platform; the board can only look.
	RTD      RTD     `toml:"rtd"`
	REST     REST    `toml:"rest"`
	History  History `toml:"history"`
	Audit    Audit   `toml:"audit"`
	Record   Record  `toml:"record"`

	ServiceLevels []ServiceLevel `toml:"service_level"`
	Hours         []Closing      `toml:"hours"` // When the day ends.
	KPIs          []KPI          `toml:"kpi"`
	Thresholds    []Threshold    `toml:"threshold"`
	Alerts        []Alert        `toml:"alert"`
	Builtin       []Builtin      `toml:"builtin"` // Changes of built-in rules.
	Breaks        []Break        `toml:"break"`   // What activity codes allow.
	Silences      []Silence      `toml:"silence"` // When alerts are quiet.
	Notify        []Notify       `toml:"notify"`  // Who is told about alerts.
	Commands      []Command      `toml:"command"` // What runs with the selected record.

	UI    UI                `toml:"ui"`
	Keys  map[string]string `toml:"keys"` // Action -> its keys, with blanks between, in place of those that it has.
	Pages []Page            `toml:"page"`
	Kiosk Kiosk             `toml:"kiosk"`
	Serve Serve             `toml:"serve"`

	Cluster Cluster `toml:"cluster"`

	Log Log `toml:"log"`

	Platforms []Platform `toml:"platform"` // Several platforms in one board; of what was read, their names only.

	chosen
}

// chosen is which of several platforms a configuration is of.
type chosen struct {
	// Platform is the name of the platform, "" where the file has no [[platform]].
	Platform string
	each     []*Config // the configuration of each of several
	secrets  []string  // files that secrets are looked up in
}

// RTD says where the platform's real-time display service is, how to log in
// and what to show of it (document 2).
type RTD struct {
	URL         string `toml:"url"`         // http(s) address of the service: {rtd_url} of document 2.
	WSOverride  string `toml:"ws_url"`      // ws(s) address; "" is that of url, with wss for https.
	Subprotocol string `toml:"subprotocol"` // auto (what the server picks), graphql-transport-ws or graphql-ws.
	Auth        string `toml:"auth"`        // How to log in: token (in connection_init), cookie (the token as a cookie), login (user name and password) or token_login (a login with the token).
	Access
	PublishInterval time.Duration `toml:"publish_interval"` // Shortest time between two snapshots.
	AuditInterval   time.Duration `toml:"audit_interval"`   // No figure goes unverified for longer than this.
	UserSite        int           `toml:"user_site"`        // 0: all sites.
	MaxRecords      int           `toml:"max_records"`      // The most records of all kinds that are kept; what is more is left out, with a word.
	MaxCodes        int           `toml:"max_codes"`        // The most services found through the users that are asked for, and as many groups.
	Services        []string      `toml:"services"`         // Codes; empty: those found through the users.
	Groups          []string      `toml:"groups"`           // Codes; empty: those found through the users.
	Campaigns       []int         `toml:"campaigns"`        // Ids; empty: those that the configuration service of [rest] lists, looked for every five minutes; without [rest] none.
	Filter          Filter        `toml:"filter"`
	Dialect         Dialect       `toml:"dialect"`
	Names           []Name        `toml:"names"`
}

// The ways to log in (document 2, section Authentication).
const (
	AuthToken  = "token"  // the access token in connection_init
	AuthCookie = "cookie" // the access token as a cookie
	AuthLogin  = "login"  // user name and password

	AuthTokenLogin = "token_login" // a login with the access token
)

// The WebSocket sub-protocols (document 2, section WebSocket).
const (
	SubprotocolAuto        = "auto" // offer both, speak what the server picks
	SubprotocolTransportWS = "graphql-transport-ws"
	SubprotocolLegacyWS    = "graphql-ws"
)

// Dialect pins what document 2 leaves open. What is empty is found out.
type Dialect struct {
	Filters   string            `toml:"filters"`    // One of the Filters constants.
	MaxKeys   int               `toml:"max_keys"`   // The most keys of one filter; 0: found out.
	Lacks     []string          `toml:"lacks"`      // Fields that the server does not have: document 2's operation, a dot, the path of the field.
	Inside    []string          `toml:"inside"`     // Fields that are objects on the server where document 2 has one value: the operation, the path of the field, and the member that holds the value, with dots.
	Types     []string          `toml:"types"`      // Types that document 2 does not show: the operation, the path of the object that is of them, if it is not the record, and the name of the type, with dots.
	Argument  string            `toml:"argument"`   // The name of the argument that carries a filter; empty: found out.
	Keyless   []string          `toml:"keyless"`    // Operations whose updates do not say which record they are for.
	PollEvery time.Duration     `toml:"poll_every"` // How often the full state is asked for where WebSockets do not pass.
	Zone      string            `toml:"zone"`       // The zone of instants that come without one, as "+02:00"; empty: found out.
	Units     map[string]string `toml:"units"`      // Time whose unit document 2 does not show -> its unit: unix-s, unix-ms, unix-us (instants); s, ms, us (lengths).
	Meanings  map[string]string `toml:"meanings"`   // Counter whose meaning document 2 leaves open -> its meaning: current or daily. maxTimeCallOnQueue: the longest current wait, or the longest wait of the day. currentCalls and connectedCall are taken for current ones, averageTimeOnQueue for that of the day; with the other meaning they are not shown.
	Roots     map[string]string `toml:"roots"`      // Document 2's operation -> the name of its subscription root on this server.
}

// The ways to send a filter.
const (
	FiltersAuto      = "auto"      // found out, literals first
	FiltersLiteral   = "literals"  // written into the request
	FiltersVariables = "variables" // as a variable beside it
)

// Name is what people call a code of the platform.
type Name struct {
	Kind string `toml:"kind"` // One of service, group, campaign, activity, profile, site, user.
	Code string `toml:"code"` // The platform's code, id or user name.
	Name string `toml:"name"` // What people call it.
}

// UI says how the board looks and behaves.
type UI struct {
	Theme              string        `toml:"theme"`                // auto, the name of an embedded theme, or of one of your own; see `wallboard themes`. On a terminal with sixteen colours terminal-16 takes the place of those that have others.
	ASCII              bool          `toml:"ascii"`                // Draw with ASCII characters only.
	Mouse              bool          `toml:"mouse"`                // Accept the mouse.
	Flash              bool          `toml:"flash"`                // Flash what has just changed, and move texts that have no room. Off, nothing moves; so does --reduced-motion.
	RecoveryBell       bool          `toml:"recovery_bell"`        // Ring the bell when a critical alert is over, too, if its rule rings; never on a kiosk.
	Site               string        `toml:"site"`                 // Title in the header.
	Page               string        `toml:"page"`                 // Page at start; "" is the first.
	Refresh            time.Duration `toml:"refresh"`              // How often what changes by itself is drawn, all of it together: the clock, figures, the end of highlights. What you do is drawn at once. Shorter costs more of the processor and of a slow line.
	ServiceLevelTarget float64       `toml:"service_level_target"` // Share of calls answered in time, above 0 and up to 1, where no [[service_level]] says otherwise.
}

// Log says where the log goes.
type Log struct {
	File    string `toml:"file"`     // "" is wallboard/wallboard.log in $XDG_STATE_HOME; a relative name is beside the configuration file; "stderr" is standard error.
	Level   string `toml:"level"`    // One of debug, info, warn, error.
	MaxSize Size   `toml:"max_size"` // A file that would be larger is put aside and a new one begun; whole MiB.
	Keep    int    `toml:"keep"`     // How many files that were put aside are kept.
}

// stderr is the name of standard error as a log.
const stderr = "stderr"

// The bounds of the log.
const (
	leastLog Size = 1 << 20
	mostLog  Size = 1 << 30
)

// ToStderr reports whether the log goes to standard error.
func (l Log) ToStderr() bool { return l.File == stderr }

func (l Log) check(r *report) {
	oneOf(r, "log.level", l.Level, []string{"debug", "info", "warn", "error"})
	within(r, "log.max_size", l.MaxSize, leastLog, mostLog)
	count(r, "log.keep", l.Keep, 1, mostKept)
}

// Default returns the configuration of an empty file.
func Default() Config {
	return Config{
		RTD: RTD{
			Subprotocol:     SubprotocolAuto,
			Auth:            AuthToken,
			PublishInterval: 100 * time.Millisecond,
			Dialect:         Dialect{Filters: FiltersAuto, PollEvery: 5 * time.Second},
			AuditInterval:   time.Minute,
			MaxRecords:      250_000,
			MaxCodes:        10_000,
		},
		REST:    REST{Auth: AuthSession, Edition: EditionAuto},
		History: defaultHistory(),
		Audit:   Audit{MaxSize: 10 << 20, Keep: 10},
		Record:  defaultRecord(),
		UI: UI{
			Theme:              "auto",
			Mouse:              true,
			Flash:              true,
			Refresh:            time.Second,
			ServiceLevelTarget: 0.80,
		},
		Kiosk:   defaultKiosk(),
		Serve:   defaultServe(),
		Cluster: defaultCluster(),
		Log:     Log{Level: "info", MaxSize: 10 << 20, Keep: 5},
	}
}

// DefaultPath returns the place of the configuration file when none is named:
// wallboard/config.toml in $XDG_CONFIG_HOME.
func DefaultPath() string {
	return filepath.Join(xdg.ConfigHome, "wallboard", "config.toml")
}

// Path returns the file to log to. After [Load] it is absolute if the
// configuration file's path was.
func (l Log) Path() string {
	if l.File != "" {
		return l.File
	}
	return filepath.Join(xdg.StateHome, "wallboard", "wallboard.log")
}

// SlogLevel returns the level as slog knows it; an unknown one is info.
func (l Log) SlogLevel() slog.Level {
	var level slog.Level
	if err := level.UnmarshalText([]byte(l.Level)); err != nil {
		return slog.LevelInfo
	}
	return level
}
