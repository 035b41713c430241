package statefile

import (
	"time"

	"wallboard/internal/alert"
	"wallboard/model"
)

// minuteAt returns a minute of a fixed hour.
func minuteAt(minute int) time.Time { return time.Date(2026, 3, 2, 12, minute, 0, 0, time.UTC) }

// openAlert returns an active alert of a service that was raised at a minute.
func openAlert(id, code string, minute int) alert.Alert {
	return alert.Alert{
		ID: id, Rule: alert.RuleLongestWait, Key: alert.Key{Scope: alert.Service, Code: code, Channel: model.Call},
		Level: alert.Warning, HighestLevel: alert.Warning, Since: minuteAt(minute), LevelSince: minuteAt(minute), Raised: minuteAt(minute),
		Value: model.FigureOf(40), Format: alert.Duration, Text: code + ": 1 waiting",
	}
}

// takenAlert returns the alert as acknowledged at a minute.
func takenAlert(a alert.Alert, by string, minute int) alert.Alert {
	a.Ack = alert.Ack{By: by, Note: "on it", At: minuteAt(minute)}
	return a
}

// endedAlert returns the alert as ended at a minute.
func endedAlert(a alert.Alert, minute int) alert.Alert {
	a.Ended = minuteAt(minute)
	return a
}
