package app

import (
	"context"

	"wallboard/internal/config"
	"wallboard/internal/control"
)

// Environment holds what the platforms of a process share: the settings of the command, the
// configuration file, and the membership of a cluster.
type Environment struct {
	Version      string // version of the program, for the description of recordings
	Simulated    bool   // the platforms are simulated: no alerts are stored
	SpokenAlerts bool   // texts of alerts are worded for speech
	ReadOnly     bool   // the command disables actions
	HostKey      string // SSH host key of a server, as in authorized_keys
	ConfigFile   ConfigFile
	// OnHangup registers a handler for SIGHUP until stop; nil: SIGHUP has no effect.
	OnHangup func(handler func() bool) (stop func())

	// EarlierHours returns the hours before a simulated platform started; nil on a real one.
	EarlierHours func(*config.Config) EarlierHours
	// EarlierDays returns the earlier days of a simulated platform; nil on a real one.
	EarlierDays func(*config.Config) DaySource

	clusterMember *clusterMember // nil: not (yet) in a cluster
	// targetLocks holds, by platform, the function that locks a target, so that only one node of a
	// cluster acts on it at a time.
	targetLocks map[string]func(ctx context.Context, target string) (control.Lock, error)
}

// ConfigFile is the configuration file of a process, and its log.
type ConfigFile interface {
	Path() string
	WatchedFiles() []string // additional files
	HasConfigChanged() bool // since it was last read
	// ApplyLogConfig applies a changed configuration to the log.
	ApplyLogConfig(*config.Config) error
	LogProblem() string
}
