package render

import (
	"time"

	"wallboard/model"
	"wallboard/themes"
)

// Level is how urgent something is.
type Level uint8

// The levels, in the order of urgency.
const (
	Normal Level = iota
	Warn
	Critical
)

// Token returns the theme's token of the level; Normal has that of plain text.
func (l Level) Token() themes.Token {
	switch l {
	case Warn:
		return themes.Warn
	case Critical:
		return themes.Critical
	case Normal:
	}
	return themes.Text
}

// Glyph returns the mark of the level, one cell wide; Normal has none.
func (l Level) Glyph(ascii bool) string {
	switch {
	case l == Critical && ascii:
		return "!"
	case l == Critical:
		return "▲"
	case l == Warn && ascii:
		return "*"
	case l == Warn:
		return "△"
	}
	return ""
}

// Limit is how long something may last. A part that is 0 is no limit.
type Limit struct{ Warn, Critical time.Duration }

// Level returns how urgent it is that something has lasted for d.
func (l Limit) Level(d time.Duration) Level {
	switch {
	case l.Critical > 0 && d >= l.Critical:
		return Critical
	case l.Warn > 0 && d >= l.Warn:
		return Warn
	}
	return Normal
}

// Limits are what durations and rates are measured by.
type Limits struct {
	Wait     Limit // the longest wait of a queue
	Nobody   Limit // the longest wait while no agent is ready
	Talking  Limit // of a contact, and of calls in and out
	WrapUp   Limit
	NotReady Limit
	Booked   Limit // reserved for a contact that does not come

	// AbandonWarn and AbandonCritical are abandon rates, 0 to 1; 0 is none.
	AbandonWarn, AbandonCritical float64
	// SLCritical is how far below its target the service level is critical
	// rather than worth a warning, 0 to 1.
	SLCritical float64
}

// DefaultLimits returns limits that suit a queue of calls.
func DefaultLimits() Limits {
	return Limits{
		Wait:            Limit{Warn: 30 * time.Second, Critical: time.Minute},
		Nobody:          Limit{Warn: 10 * time.Second, Critical: 30 * time.Second},
		Talking:         Limit{Warn: 20 * time.Minute, Critical: 40 * time.Minute},
		WrapUp:          Limit{Warn: 2 * time.Minute, Critical: 5 * time.Minute},
		NotReady:        Limit{Warn: 30 * time.Minute, Critical: time.Hour},
		Booked:          Limit{Warn: 30 * time.Second, Critical: 2 * time.Minute},
		AbandonWarn:     0.05,
		AbandonCritical: 0.10,
		SLCritical:      0.10,
	}
}

// State returns the limit of the time in a state; a state without one has the
// zero Limit.
func (l *Limits) State(s model.UserStatus) Limit {
	switch s {
	case model.Busy, model.BusyDNCallIn, model.BusyDNCallOut, model.BusyDNCallOutPrivate:
		return l.Talking
	case model.WNR:
		return l.WrapUp
	case model.NotReady, model.NotReadyBusy:
		return l.NotReady
	case model.Booked:
		return l.Booked
	case model.Ready:
	}
	return Limit{}
}

// Abandon returns how urgent an abandon rate is.
func (l *Limits) Abandon(f model.Figure) Level {
	rate, ok := f.Get()
	switch {
	case !ok:
		return Normal
	case l.AbandonCritical > 0 && rate >= l.AbandonCritical:
		return Critical
	case l.AbandonWarn > 0 && rate >= l.AbandonWarn:
		return Warn
	}
	return Normal
}

// ServiceLevel returns how urgent a service level is, measured by the target.
func (o *Options) ServiceLevel(f model.Figure) Level {
	sl, ok := f.Get()
	switch {
	case !ok || o.SLTarget <= 0 || sl >= o.SLTarget:
		return Normal
	case o.Limits.SLCritical > 0 && sl < o.SLTarget-o.Limits.SLCritical:
		return Critical
	}
	return Warn
}
