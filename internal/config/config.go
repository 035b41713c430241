package config

import (
	"log/slog"
	"path/filepath"
	"time"

	"github.com/adrg/xdg"
)

// Config is the whole configuration. Its zero value is not valid; use [Default] or [Load].
type Config struct {
	ReadOnly bool    `toml:"read_only"` // Disable all actions on the platform; the board is view-only.
	RTD      RTD     `toml:"rtd"`
	REST     REST    `toml:"rest"`
	History  History `toml:"history"`
	Audit    Audit   `toml:"audit"`
	Record   Record  `toml:"record"`
	Privacy  Privacy `toml:"privacy"`

	ServiceLevels []ServiceLevel `toml:"service_level"`
	Hours         []Closing      `toml:"hours"`   // Closing times.
	HolidayList   []Holiday      `toml:"holiday"` // Days that are not comparable with others.
	Marks         Marks          `toml:"marks"`
	Calendars     []Calendar     `toml:"calendar"`
	Tolerance     Tolerance      `toml:"tolerance"`
	KPIs          []KPI          `toml:"kpi"`
	Thresholds    []Threshold    `toml:"threshold"`
	Alerts        []Alert        `toml:"alert"`
	Builtin       []Builtin      `toml:"builtin"`  // Changes to built-in rules.
	Breaks        []Break        `toml:"break"`    // Allowed length of breaks, by activity code.
	Silences      []Silence      `toml:"silence"`  // Planned times when alerts are silent.
	PlaybookList  []Playbook     `toml:"playbook"` // What to do, by rule.
	Notify        []Notify       `toml:"notify"`   // Recipients of alerts.
	Commands      []Command      `toml:"command"`  // Commands to run with the selected record.

	UI    UI                `toml:"ui"`
	Keys  map[string]string `toml:"keys"` // Action -> its keys, separated by blanks; they replace the default keys of the action.
	Pages []Page            `toml:"page"`
	Kiosk Kiosk             `toml:"kiosk"`
	Serve Serve             `toml:"serve"`

	Cluster Cluster `toml:"cluster"`

	Log Log `toml:"log"`

	Platforms []Platform `toml:"platform"` // Several platforms in one board. After Load only their names are set.

	Platform string // name of the platform; "" if the file has no [[platform]]
	loaded   loadedFile
}

// loadedFile holds data about the files that a configuration was read from.
type loadedFile struct {
	perPlatform []*Config // configuration of each platform, if there are several
	places                // places of all keys
	files       []string  // paths of the configuration file and the files in conf.d
	secretFiles []string  // paths of all files of secrets and certificates
	oldNames    []Problem // names from earlier versions, each with the line to write instead
}

// RTD configures the platform's real-time display service: its address, the login and what
// to show (document 2).
type RTD struct {
	URL         string `toml:"url"`         // http(s) address of the service: {rtd_url} of document 2.
	WSOverride  string `toml:"ws_url"`      // ws(s) address; "": the address of url, with wss for https.
	Subprotocol string `toml:"subprotocol"` // auto (the server chooses), graphql-transport-ws or graphql-ws.
	Auth        string `toml:"auth"`        // How to log in: token (access token in connection_init), cookie (access token as a cookie), login (user name and password) or token_login (login with the access token).
	ServiceAccess
	PublishInterval time.Duration `toml:"publish_interval"` // Shortest time between two snapshots.
	AuditInterval   time.Duration `toml:"audit_interval"`   // Longest time between comparisons with the platform's full state.
	UserSite        int           `toml:"user_site"`        // Show only this site; 0: all sites.
	MaxRecords      int           `toml:"max_records"`      // Maximum number of records; further ones are left out.
	MaxCodes        int           `toml:"max_codes"`        // Maximum number of services, and of groups, requested because a user has them.
	Services        []string      `toml:"services"`         // Codes of services to show; empty: the services of all users.
	Groups          []string      `toml:"groups"`           // Codes of groups to show; empty: the groups of all users.
	Campaigns       []int         `toml:"campaigns"`        // IDs of campaigns to show; empty: those that [rest] lists, searched every five minutes.
	Filter          Filter        `toml:"filter"`
	Dialect         Dialect       `toml:"dialect"`
	Names           []Name        `toml:"names"`
}

// Ways to log in (document 2, section Authentication).
const (
	AuthToken  = "token"  // the access token in connection_init
	AuthCookie = "cookie" // the access token as a cookie
	AuthLogin  = "login"  // user name and password

	AuthTokenLogin = "token_login" // a login with the access token
)

// WebSocket sub-protocols (document 2, section WebSocket).
const (
	SubprotocolAuto        = "auto" // offer both and use the server's choice
	SubprotocolTransportWS = "graphql-transport-ws"
	SubprotocolLegacyWS    = "graphql-ws"
)

// Dialect configures what document 2 leaves open. Empty values are detected.
type Dialect struct {
	Filters   string            `toml:"filters"`    // How filters are sent: auto, literals or variables.
	MaxKeys   int               `toml:"max_keys"`   // Maximum number of keys in one filter; 0: detected.
	Lacks     []string          `toml:"lacks"`      // Fields that the server does not have: operation, dot, path of the field.
	Inside    []string          `toml:"inside"`     // Fields that are objects on the server instead of values: operation, path of the field, and member that holds the value, separated by dots.
	Types     []string          `toml:"types"`      // Types that document 2 does not show: operation, path of the object (left out for the record itself), and type, separated by dots.
	Argument  string            `toml:"argument"`   // Name of the argument that carries a filter; empty: detected.
	Keyless   []string          `toml:"keyless"`    // Operations whose updates do not say which record they belong to.
	PollEvery time.Duration     `toml:"poll_every"` // How often the full state is requested where WebSockets are blocked.
	Zone      string            `toml:"zone"`       // Time zone of times without one, such as "+02:00"; empty: detected.
	Units     map[string]string `toml:"units"`      // Time -> its unit: unix-s, unix-ms, unix-us (points in time); s, ms, us (durations).
	Meanings  map[string]string `toml:"meanings"`   // Counter -> its meaning, current or daily. Defaults: currentCalls and connectedCall current, averageTimeOnQueue daily; with the other meaning they are not shown.
	Roots     map[string]string `toml:"roots"`      // Document 2's operation -> the name of its subscription root on this server.
}

// Ways to send a filter.
const (
	FiltersAuto      = "auto"      // detected, literals first
	FiltersLiteral   = "literals"  // written into the request
	FiltersVariables = "variables" // as a GraphQL variable
)

// Name is the display name of a code of the platform.
type Name struct {
	Kind string `toml:"kind"` // service, group, campaign, activity, profile, site or user.
	Code string `toml:"code"` // The platform's code, ID or user name.
	Name string `toml:"name"` // The name to show.
}

// UI configures the look and behaviour of the board.
type UI struct {
	Theme              string        `toml:"theme"`                 // auto, or the name of a theme; see `wallboard themes`. On a terminal with sixteen colours, terminal-16 replaces themes that need more.
	Language           string        `toml:"language"`              // auto (as LC_ALL, LC_MESSAGES or LANG say), or a language: de, en, es, fr, it.
	ASCII              bool          `toml:"ascii"`                 // Draw with ASCII characters only.
	Mouse              bool          `toml:"mouse"`                 // Accept the mouse.
	Flash              bool          `toml:"flash"`                 // Highlight changed values, and scroll texts that do not fit; --reduced-motion turns it off.
	RecoveryBell       bool          `toml:"recovery_bell"`         // Also ring the bell when a critical alert ends, if its rule rings; never on a kiosk.
	WindowTitle        bool          `toml:"window_title"`          // Show the critical situations in the window title: "▲ 1 Returns ES – Demo".
	DesktopNotify      bool          `toml:"desktop_notifications"` // Notify on the desktop when a situation becomes critical, if the terminal supports it (OSC 9, OSC 777 for rxvt); never on a kiosk.
	Site               string        `toml:"site"`                  // Title in the header.
	Page               string        `toml:"page"`                  // Page to show at the start; "": the first page.
	Refresh            time.Duration `toml:"refresh"`               // How often changes are drawn; your own input is drawn at once.
	ServiceLevelTarget float64       `toml:"service_level_target"`  // Share of calls to answer in time, unless a [[service_level]] sets another.
}

// Log configures the log file.
type Log struct {
	File    string `toml:"file"`     // Path of the log; "": wallboard/wallboard.log in $XDG_STATE_HOME; "stderr": standard error.
	Level   string `toml:"level"`    // debug, info, warn or error.
	MaxSize Size   `toml:"max_size"` // Size at which the log is rotated; whole MiB.
	Keep    int    `toml:"keep"`     // Number of rotated files to keep.
}

// stderr is the value of log.file for standard error.
const stderr = "stderr"

// Limits of the log size.
const (
	minLogSize Size = 1 << 20
	maxLogSize Size = 1 << 30
)

// ToStderr reports whether the log goes to standard error.
func (l Log) ToStderr() bool { return l.File == stderr }

func (l Log) check(r *report) {
	checkOneOf(r, "log.level", l.Level, []string{"debug", "info", "warn", "error"})
	checkRange(r, "log.max_size", l.MaxSize, minLogSize, maxLogSize)
	checkInt(r, "log.keep", l.Keep, 1, maxKeptFiles)
}

// Default returns the configuration for an empty file.
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
			Language:           "auto",
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

// DefaultPath returns the default path of the configuration file: wallboard/config.toml in
// $XDG_CONFIG_HOME.
func DefaultPath() string { return filepath.Join(xdg.ConfigHome, "wallboard", "config.toml") }

// ThemesDir returns the directory of the user's themes, next to the default configuration file.
func ThemesDir() string { return filepath.Join(filepath.Dir(DefaultPath()), "themes") }

// WordsDir returns the directory of the user's translations, next to the default configuration file.
func WordsDir() string { return filepath.Join(filepath.Dir(DefaultPath()), "words") }

// Path returns the path of the log file. After [Load], it is absolute if the path of the
// configuration file was absolute.
func (l Log) Path() string {
	if l.File != "" {
		return l.File
	}
	return filepath.Join(xdg.StateHome, "wallboard", "wallboard.log")
}

// SlogLevel returns the configured level, or [slog.LevelInfo] for an unknown name.
func (l Log) SlogLevel() slog.Level {
	var level slog.Level
	if err := level.UnmarshalText([]byte(l.Level)); err != nil {
		return slog.LevelInfo
	}
	return level
}
