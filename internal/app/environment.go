package app

import (
	"context"

	"wallboard/internal/config"
	"wallboard/internal/control"
	"wallboard/internal/serve/sshterminal"
)

// Environment holds the settings that all platforms of a process share, and the membership in a
// cluster. The settings come from the command and the configuration file.
type Environment struct {
	Version      string // version of the program, for the description of recordings
	Simulated    bool   // the platforms are simulated, so their alerts are not stored
	SpokenAlerts bool   // texts of alerts are worded for reading aloud
	ReadOnly     bool   // the flag --read-only disables actions
	HostKey      string // SSH host key of a server, as in authorized_keys
	ConfigFile   ConfigFile
	// OnHangup registers a handler for SIGHUP and returns a function that removes the handler. If
	// OnHangup is nil, SIGHUP has no effect.
	OnHangup func(handler func() bool) (stop func())
	// StartWeb starts the web server of an SSH server, and returns a function that stops it. It calls
	// onEvent for each login, logout and refusal of a browser. nil: there is no web server.
	StartWeb func(ctx context.Context, s *BoardServer, onEvent func(sshterminal.Event)) (stop func(), err error)

	// EarlierHours returns access to the time before the start of a simulated platform. It is nil for
	// a real platform.
	EarlierHours func(*config.Config) EarlierHours
	// EarlierDays returns the source of the earlier days of a simulated platform. It is nil for a
	// real platform.
	EarlierDays func(*config.Config) DaySource

	clusterMember *clusterMember // nil: the process has not joined a cluster
	// targetLocks holds, for each platform of a cluster, a function that locks the target of an
	// action. Only the node with the lock may act on the target.
	targetLocks map[string]func(ctx context.Context, target string) (control.Lock, error)
}

// ConfigFile is the configuration file of a process and the log that it configures.
type ConfigFile interface {
	Path() string
	WatchedFiles() []string // other files whose changes require reading the configuration again
	HasConfigChanged() bool // whether the file has changed since it was last read
	// ApplyLogConfig changes the log to the settings of a changed configuration.
	ApplyLogConfig(*config.Config) error
	LogProblem() string
}
