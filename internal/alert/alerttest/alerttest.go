// Package alerttest makes alerts for tests.
package alerttest

import (
	"time"

	"wallboard/internal/alert"
	"wallboard/model"
)

// At returns a minute of a fixed hour.
func At(minute int) time.Time { return time.Date(2026, 3, 2, 12, minute, 0, 0, time.UTC) }

// Open returns an active alert of a service that was raised at a minute.
func Open(id, code string, minute int) alert.Alert {
	return alert.Alert{
		ID: id, Rule: alert.RuleLongestWait, Key: alert.Key{Scope: alert.Service, Code: code, Channel: model.Call},
		Level: alert.Warning, Worst: alert.Warning, Since: At(minute), LevelSince: At(minute), Raised: At(minute),
		Value: model.FigureOf(40), Format: alert.Duration, Text: code + ": 1 waiting",
	}
}

// Taken returns the alert as acknowledged at a minute.
func Taken(a alert.Alert, by string, minute int) alert.Alert {
	a.Ack = alert.Ack{By: by, Note: "on it", At: At(minute)}
	return a
}

// Ended returns the alert as ended at a minute.
func Ended(a alert.Alert, minute int) alert.Alert {
	a.Ended = At(minute)
	return a
}
