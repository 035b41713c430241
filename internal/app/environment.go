package app

import (
	"context"

	"wallboard/internal/config"
	"wallboard/internal/control"
)

// Environment holds the settings that the platforms of a process share: those of the command, the
// configuration file, and the membership in a cluster.
type Environment struct {
	Version      string // version of the program, for the description of recordings
	Simulated    bool   // the platforms are simulated: no alerts are stored
	SpokenAlerts bool   // texts of alerts are worded for reading aloud
	ReadOnly     bool   // the flag --read-only disables actions
	HostKey      string // SSH host key of a server, as in authorized_keys
	ConfigFile   ConfigFile
	// OnHangup registers a handler for SIGHUP. stop removes the handler. If OnHangup is nil, SIGHUP
	// has no effect.
	OnHangup func(handler func() bool) (stop func())

	// EarlierHours returns the time before the start of a simulated platform. It is nil on a real
	// platform.
	EarlierHours func(*config.Config) EarlierHours
	// EarlierDays returns the source of the earlier days of a simulated platform. It is nil on a
	// real platform.
	EarlierDays func(*config.Config) DaySource

	clusterMember *clusterMember // nil: the process has not joined a cluster
	// targetLocks holds a function for each platform that locks the target of an action. Of all
	// nodes of a cluster, only the one with the lock acts on the target.
	targetLocks map[string]func(ctx context.Context, target string) (control.Lock, error)
}

// ConfigFile is the configuration file of a process, and the log that it configures.
type ConfigFile interface {
	Path() string
	WatchedFiles() []string // further files whose changes matter
	HasConfigChanged() bool // whether the file has changed since it was last read
	// ApplyLogConfig changes the log to the settings of a changed configuration.
	ApplyLogConfig(*config.Config) error
	LogProblem() string
}
