package config

import (
	"crypto/x509"
	"log/slog"
	"path/filepath"
	"time"

	"github.com/adrg/xdg"
)

// Config is the whole configuration. Its zero value is not valid; start from
// [Default] or [Load].
type Config struct {
	RTD RTD `toml:"rtd"`
	UI  UI  `toml:"ui"`
	Log Log `toml:"log"`
}

// RTD says where the platform's real-time display service is, how to log in
// and what to show of it (document 2).
type RTD struct {
	URL                string        `toml:"url"`                  // http(s) address of the service: {rtd_url} of document 2.
	WSOverride         string        `toml:"ws_url"`               // ws(s) address if it is not the one derived from URL; see [RTD.WSURL].
	Subprotocol        string        `toml:"subprotocol"`          // One of the Subprotocol constants.
	Auth               string        `toml:"auth"`                 // One of the Auth constants.
	Username           string        `toml:"username"`             // Of AuthLogin.
	Password           Secret        `toml:"password"`             // Of AuthLogin; resolved, wherever it came from.
	PasswordEnv        string        `toml:"password_env"`         // Where Password comes from; as in the file.
	PasswordFile       string        `toml:"password_file"`        // Where Password comes from; as in the file.
	PasswordKeyring    string        `toml:"password_keyring"`     // Where Password comes from; as in the file.
	AccessToken        Secret        `toml:"access_token"`         // Of AuthToken and AuthCookie; resolved, wherever it came from.
	AccessTokenEnv     string        `toml:"access_token_env"`     // Where AccessToken comes from; as in the file.
	AccessTokenFile    string        `toml:"access_token_file"`    // Where AccessToken comes from; as in the file.
	AccessTokenKeyring string        `toml:"access_token_keyring"` // Where AccessToken comes from; as in the file.
	CAFile             string        `toml:"ca_file"`              // PEM certificates to trust instead of the system's; relative to the configuration file.
	InsecureSkipVerify bool          `toml:"insecure_skip_verify"` // The server's certificate is not verified; the board shows a permanent mark.
	PublishInterval    time.Duration `toml:"publish_interval"`     // Shortest time between two snapshots.
	UserSite           int           `toml:"user_site"`            // 0: all sites.
	Services           []string      `toml:"services"`             // Codes; empty: those found through the users.
	Groups             []string      `toml:"groups"`               // Codes; empty: those found through the users.
	Campaigns          []int         `toml:"campaigns"`            // Ids; empty: none can be found, none are shown.
	Dialect            Dialect       `toml:"dialect"`
	Names              []Name        `toml:"names"`

	roots *x509.CertPool // of CAFile; nil: the system's
}

// The ways to log in (document 2, section Authentication).
const (
	AuthToken  = "token"  // the access token in connection_init
	AuthCookie = "cookie" // the access token as a cookie
	AuthLogin  = "login"  // user name and password
)

// The WebSocket sub-protocols (document 2, section WebSocket).
const (
	SubprotocolAuto        = "auto" // offer both, speak what the server picks
	SubprotocolTransportWS = "graphql-transport-ws"
	SubprotocolLegacyWS    = "graphql-ws"
)

// Dialect pins what document 2 leaves open. What is empty is found out.
type Dialect struct {
	Roots map[string]string `toml:"roots"` // Document 2's operation -> the name of its subscription root on this server.
}

// Name is what people call a code of the platform.
type Name struct {
	Kind string `toml:"kind"` // One of service, group, campaign, activity, profile, site, user.
	Code string `toml:"code"` // The platform's code, id or user name.
	Name string `toml:"name"`
}

// UI says how the board looks and behaves.
type UI struct {
	Theme              string        `toml:"theme"`
	ASCII              bool          `toml:"ascii"`                // Draw with ASCII characters only.
	Mouse              bool          `toml:"mouse"`                // Accept the mouse.
	Flash              bool          `toml:"flash"`                // Flash what has just changed.
	Site               string        `toml:"site"`                 // Title in the header.
	Page               string        `toml:"page"`                 // Page at start; "" is the first.
	Refresh            time.Duration `toml:"refresh"`              // Shortest time between two frames that show new data.
	ServiceLevelTarget float64       `toml:"service_level_target"` // Share of calls answered in time, above 0 and up to 1.
}

// Log says where the log goes.
type Log struct {
	File  string `toml:"file"`  // "" is wallboard/wallboard.log in $XDG_STATE_HOME; a relative name is beside the configuration file.
	Level string `toml:"level"` // One of debug, info, warn, error.
}

// Default returns the configuration of an empty file.
func Default() Config {
	return Config{
		RTD: RTD{
			Subprotocol:     SubprotocolAuto,
			Auth:            AuthToken,
			PublishInterval: 100 * time.Millisecond,
		},
		UI: UI{
			Theme:              "auto",
			Mouse:              true,
			Flash:              true,
			Refresh:            100 * time.Millisecond,
			ServiceLevelTarget: 0.80,
		},
		Log: Log{Level: "info"},
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
