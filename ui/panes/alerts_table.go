package panes

import (
	"wallboard/internal/alert"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/ui/floorview"
	"wallboard/ui/render"
)

// alertsTable returns a table that lists active and ended alerts.
func alertsTable(sc *Scene, spec PaneSpec) *RecordTable {
	var t *RecordTable
	t = newRecordTable(sc, spec.withRowSettings(RecordTable{
		Noun: "alerts", Rows: render.NewAlertRows(), alwaysLive: true, ListsAlerts: true,
		recordCounts: func(*model.Snapshot) (n, hidden int) { return len(t.latestAlerts.Active()), 0 },
		absentReason: noAlertsReason,
		Target: func(id string) (floorview.RecordKind, string, bool) {
			if e := t.latestAlerts.Entry(id); e != nil {
				return floorview.SubjectOf(e.Key)
			}
			return 0, "", false
		},
		OpenRow: func(id string) {
			if e := t.latestAlerts.Entry(id); e != nil {
				sc.Requests.Add(OpenSubjectMsg{e.Key})
			}
		},
	}), "state", true)
	return t
}

// noAlertsReason returns a message that explains why a table has no alerts. It returns "" if there
// are alerts, or before the first evaluation.
func noAlertsReason(sc *Scene) string {
	if sc.Alarms.CurrentAlerts == nil || len(sc.Alarms.CurrentAlerts.Entries) > 0 {
		return ""
	}
	return noAlertsText(sc)
}

// noAlertsText returns a message for a table without alerts. If the feed is not live, the message
// says so, because there may be alerts that the board does not know.
func noAlertsText(sc *Scene) string {
	switch s := sc.Floor.Shown; {
	case sc.Floor.Health().Live():
		return sc.translate(words.PaneNoAlerts())
	case s == nil || s.Services.Len() == 0:
		return sc.translate(words.SituationConnecting())
	}
	return sc.translate(words.PaneAlertsUnknown())
}

// OpenSubjectMsg asks the board to open the record that an alert is about, or the page Feed or
// Overview if the alert is not about a record.
type OpenSubjectMsg struct{ Subject alert.Key }

// KeyOf returns the key under which alerts about a record on the current channel are stored.
func (sc *Scene) KeyOf(kind floorview.RecordKind, code string) alert.Key {
	return kind.AlertKey(code, sc.Floor.Channel)
}
