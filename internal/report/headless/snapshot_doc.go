package headless

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"wallboard/model"
)

// CheckLive returns nil if the connection and all subscriptions are live. Otherwise the error
// lists those that are not.
func CheckLive(s *model.Snapshot) error {
	h := &s.Health
	if h.Live() {
		return nil
	}
	var parts []string
	if h.Link.State != model.LinkUp {
		parts = append(parts, "connection: "+string(h.Link.State)+reasonSuffix(h.Link.Reason))
	}
	for _, sub := range h.Subscriptions {
		if !sub.State.IsCurrent() && sub.State != model.SubWaiting {
			parts = append(parts, string(sub.Name)+": "+string(sub.State)+reasonSuffix(sub.Reason))
		}
	}
	return errors.New("not everything is live\n  " + strings.Join(parts, "\n  "))
}

func reasonSuffix(s string) string {
	if s == "" {
		return ""
	}
	return " (" + s + ")"
}

// SnapshotDoc is the JSON document of the command dump. Its operations and fields have the
// names of document 2.
type SnapshotDoc struct {
	Seq     uint64               `json:"seq"`
	At      time.Time            `json:"at"`
	Live    bool                 `json:"live"`              // all data is pushed by the platform, without delay
	Polling map[model.Op]float64 `json:"polling,omitempty"` // age in seconds of the operations that are polled
	// Units maps operations to remarks about presumed or unknown time units.
	Units        map[model.Op]string `json:"units,omitempty"`
	Version      model.ServerVersion `json:"version"`
	ServerHealth model.ServerHealth  `json:"serverHealth"`
	// Situations has the same form as in the document of the command status. It is omitted if
	// the alerts were not evaluated.
	Situations []situationDoc `json:"situations,omitzero"`

	snapshot *model.Snapshot
}

// MarshalJSON implements [json.Marshaler]. It adds the records of each operation, sorted by
// key. The operations are in the order of document 2.
func (p SnapshotDoc) MarshalJSON() ([]byte, error) {
	type head SnapshotDoc // a type without the method MarshalJSON
	doc, err := json.Marshal(head(p))
	if err != nil {
		return nil, err
	}
	doc = doc[:len(doc)-1]
	for _, t := range p.snapshot.Tables() {
		list, err := t.MarshalJSON()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", t.Op, err)
		}
		doc = fmt.Appendf(doc, ",%q:%s", t.Op, list)
	}
	return append(doc, '}'), nil
}

// pollingAges returns the age of the data, in seconds, for each polled operation. It returns
// nil if there is none.
func pollingAges(s *model.Snapshot) map[model.Op]float64 {
	var polling map[model.Op]float64
	for name, age := range s.Health.PolledAges(s.At.Add(-s.Health.ClockOffset)) {
		if polling == nil {
			polling = make(map[model.Op]float64)
		}
		polling[name] = age.Round(100 * time.Millisecond).Seconds()
	}
	return polling
}

// SnapshotDoc returns the document of the last evaluated snapshot, including the situations.
func (v *Viewer) SnapshotDoc() SnapshotDoc {
	p := NewSnapshotDoc(v.LastSnapshot)
	p.Situations = newSituationDocs(v.view)
	return p
}

// unitNotes returns the remarks about time units by operation, or nil if there are none.
func unitNotes(s *model.Snapshot) (notes map[model.Op]string) {
	for i := range s.Health.Subscriptions {
		sub := &s.Health.Subscriptions[i]
		if sub.Times == "" {
			continue
		}
		if notes == nil {
			notes = make(map[model.Op]string)
		}
		notes[sub.Name] = sub.Times
	}
	return notes
}

// NewSnapshotDoc returns the document of a snapshot without its situations.
func NewSnapshotDoc(s *model.Snapshot) SnapshotDoc {
	polling := pollingAges(s)
	return SnapshotDoc{
		Seq: s.Seq, At: s.At.UTC(), Live: s.Health.Live() && !s.Health.HasUnreadableRecords() && polling == nil, Polling: polling,
		Units: unitNotes(s), Version: s.Health.Version, ServerHealth: s.Health.Server, snapshot: s,
	}
}
