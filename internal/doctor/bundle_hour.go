package doctor

import (
	"encoding/json"
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"

	"wallboard/model"
)

// BundleHourTables returns the tables of a snapshot that [BundleHour] needs.
func BundleHourTables() []model.Op { return []model.Op{model.OpServices, model.OpUserStats} }

// BundleHour returns figures of the whole floor as CSV, with a line for each minute and each channel
// that has services. Unknown figures are empty. If snapshots yields an error, BundleHour returns the
// table up to that point and the error.
func BundleHour(snapshots iter.Seq2[*model.Snapshot, error]) (string, error) {
	var b strings.Builder
	b.WriteString("time,channel,services,agents,ready,waiting,received,answered,in_time,abandoned,subscriptions_not_live\n")
	last := time.Time{}
	for s, err := range snapshots {
		if err != nil {
			return b.String(), err
		}
		if minute := s.At.Truncate(time.Minute); minute.Equal(last) {
			continue
		}
		last = s.At.Truncate(time.Minute)
		for _, line := range floorLines(s) {
			b.WriteString(line + "\n")
		}
	}
	return b.String(), nil
}

func floorLines(s *model.Snapshot) []string {
	services := make(map[model.Channel]int)
	for _, r := range s.Services.Rows() {
		services[r.Channel]++
	}
	notLive := 0
	for i := range s.Health.Subscriptions {
		if state := s.Health.Subscriptions[i].State; state != model.SubLive && state != model.SubWaiting {
			notLive++
		}
	}
	var lines []string
	for _, ch := range model.Channels() {
		if services[ch] == 0 {
			continue
		}
		f := model.FloorOf(s, ch, nil, nil)
		c := &f.Calls
		lines = append(lines, fmt.Sprintf("%s,%s,%d,%s,%s,%s,%s,%s,%s,%s,%d", s.At.UTC().Format(time.RFC3339), ch, services[ch],
			csvCount(f.LoggedIn()), csvCount(f.CountInStates(model.Ready)), csvCount(c.QueuedCalls), csvCount(c.ReceivedCalls), csvCount(c.AnsweredCalls),
			csvCount(c.AnsweredCallsUnderSpeedLimit), csvCount(c.HangupCalls), notLive))
	}
	return lines
}

// csvCount returns n as a string, or "" if it is unknown.
func csvCount(n model.Int) string {
	if v, ok := n.Get(); ok {
		return fmt.Sprint(v)
	}
	return ""
}

// SnapshotNames returns the names and codes in the records of a snapshot, that is, all strings except
// times and words of document 2.
func SnapshotNames(s *model.Snapshot) []string {
	var names []string
	for _, t := range s.Tables() {
		raw, err := t.MarshalJSON()
		if err != nil {
			continue // the records have no texts that can be read
		}
		var v any
		if json.Unmarshal(raw, &v) == nil {
			names = appendTexts(names, "", v)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// platformWordFields returns the names of the fields that contain words of document 2.
func platformWordFields() []string {
	return []string{"channel", "status", "statuses", "mutation", "type", "profileType", "state", "__typename", "typename"}
}

func appendTexts(names []string, key string, v any) []string {
	switch v := v.(type) {
	case map[string]any:
		for k, inner := range v {
			names = appendTexts(names, k, inner)
		}
	case []any:
		for _, inner := range v {
			names = appendTexts(names, key, inner)
		}
	case string:
		_, err := time.Parse(time.RFC3339, v)
		isStatus := model.UserStatus(v).Known() || model.Channel(v).Known()
		if err != nil && !isStatus && !slices.Contains(platformWordFields(), key) {
			names = append(names, v)
		}
	}
	return names
}
