package admin

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"errors"
	"os"
	"slices"
	"strings"
	"time"

	"wallboard/internal/app"
	"wallboard/internal/config"
	"wallboard/internal/lib/secret"
	"wallboard/internal/record"
	"wallboard/model"
)

// inventedPeople is a snapshot of invented people, whose names occur nowhere else.
type inventedPeople struct {
	snapshot *model.Snapshot
	names    []string // user names, names and surnames, three for each person except the outsider
	outsider []string // names of a person who is in no part of the floor
	// smallGroup is the code of a group with one member fewer than the smallest group that may be shown,
	// but at least one member.
	smallGroup string
}

// inventPeople invents people in a part of the floor. smallest is the smallest group that may be
// shown.
func inventPeople(smallest int, part model.FloorPart) inventedPeople {
	now := time.Now()
	p := inventedPeople{smallGroup: "G" + rand.Text()}
	store := model.NewStore()
	first := func(codes []string, code string) string { return slices.Concat(codes, []string{code})[0] }
	service, site := first(part.Services, "SRV01"), slices.Concat(part.Sites, []int64{1})[0]
	add := func(service, group string, site int64) []string {
		user, first, last := "u"+strings.ToLower(rand.Text()), "F"+rand.Text(), "L"+rand.Text()
		figures := model.AgentFigures{Channel: model.Call, Status: model.Ready, UserSite: model.IntOf(site), TimeInState: model.InstantOf(now.Add(-time.Minute))}
		store.Users.Put(&model.User{Username: model.TextOf(user), Name: model.TextOf(first), Surname: model.TextOf(last), Services: []string{service}, Skillsets: []string{group}})
		store.UserStats.Put(&model.UserStat{AgentFigures: figures, Username: model.TextOf(user), Name: model.TextOf(first), Surname: model.TextOf(last)})
		store.Operators.Put(&model.Operator{Username: model.TextOf(user), Name: model.TextOf(first), Surname: model.TextOf(last), Channel: model.Call})
		store.Groups.Put(&model.Group{Code: model.TextOf(group), Channel: model.Call})
		store.Services.Put(&model.Service{Code: model.TextOf(service), Channel: model.Call})
		return []string{user, first, last}
	}
	for range max(smallest-1, 1) {
		p.names = append(p.names, add(service, p.smallGroup, site)...)
	}
	for range max(smallest, 2) {
		p.names = append(append(p.names, add(service, first(part.Groups, "G2"), site)...), add(service, "G3", site)...)
	}
	p.outsider = add(rand.Text(), rand.Text(), site+1)
	h := model.Health{Link: model.Link{State: model.LinkUp, Since: now, LastFrame: now, Reason: "refused for " + p.names[0]}}
	for _, op := range []model.Op{model.OpServices, model.OpGroups, model.OpUsers, model.OpUserStats, model.OpOperators} {
		h.Subscriptions = append(h.Subscriptions, model.Subscription{Name: op, State: model.SubLive, Since: now, LastData: now, VerifiedAt: now})
	}
	p.snapshot = store.Publish(now, h)
	return p
}

// findName returns the first of names that occurs in a snapshot, or the text of an error, or "".
func findName(s *model.Snapshot, names []string) string {
	text, err := json.Marshal(struct{ Users, Stats, Operators, Health any }{s.Users, s.UserStats, s.Operators, s.Health})
	if err != nil {
		return err.Error()
	}
	for _, name := range names {
		if bytes.Contains(bytes.ToLower(text), []byte(strings.ToLower(name))) {
			return name
		}
	}
	return ""
}

// inventedSource is a source of one snapshot.
type inventedSource struct{ *model.Snapshot }

// Latest implements [record.Source].
func (s inventedSource) Latest() *model.Snapshot { return s.Snapshot }

// recordInvented records invented people with a configuration in a temporary folder, and returns the
// result of test, or why they cannot be recorded.
func recordInvented(c *config.Config, locks []secret.Lock, test func(dir string, p inventedPeople) string) string {
	p := inventPeople(c.Privacy.SmallestGroup, model.FloorPart{})
	dir, err := os.MkdirTemp("", "wallboard-privacy-")
	if err != nil {
		return err.Error()
	}
	defer os.RemoveAll(dir) //nolint:errcheck // invented people only
	snapshots := func(yield func(*model.Snapshot, error) bool) {
		yield(app.MaskNames(c, inventedSource{p.snapshot}).Latest(), nil)
	}
	if _, err := record.WriteSnapshots(dir, record.Metadata{Names: c.Record.Names, Platform: p.names[0]}, snapshots, locks...); err != nil {
		return err.Error()
	}
	p.names = append(p.names, p.outsider...)
	return test(dir, p)
}

// testRecording records invented people and returns what is wrong with the result, or "". If the
// configuration has keys, it tests that the encrypted recording does not open without a key, and searches
// a second recording that is not encrypted.
func testRecording(c *config.Config) string {
	if locks := c.Privacy.RecipientSets(&c.Record, c.Record.Names); locks != nil {
		problem := recordInvented(c, locks, func(dir string, _ inventedPeople) string {
			if _, err := record.Open(dir); !errors.Is(err, secret.ErrNoKey) {
				return "the recording opens without a key"
			}
			return ""
		})
		if problem != "" {
			return problem
		}
	}
	return recordInvented(c, nil, func(dir string, p inventedPeople) string { return searchRecording(c, dir, p) })
}

// searchRecording returns what is wrong with a recording of invented people, or "".
func searchRecording(c *config.Config, dir string, p inventedPeople) string {
	r, err := record.Open(dir)
	if err != nil {
		return err.Error()
	}
	defer r.Close() //nolint:errcheck // only read from
	got, err := r.Player().Next()
	switch {
	case err != nil || got == nil || got.Users.Len() != len(p.names)/3:
		return "the recording of invented people cannot be read"
	case c.Record.Names == string(model.NamesFull):
		return ""
	case findName(got, p.names) != "":
		return "a name of an invented person is in the recording"
	case c.Privacy.SmallestGroup > 1 && containsGroup(got, p.smallGroup):
		return "a group with fewer agents than privacy.smallest_group is in the recording"
	}
	return ""
}

// containsGroup reports whether a snapshot contains a group or a person in it.
func containsGroup(s *model.Snapshot, code string) bool {
	for u := range s.Users.All() {
		if slices.Contains(u.Skillsets, code) {
			return true
		}
	}
	return s.Groups.Get(model.GroupKey{Code: code, Channel: model.Call}) != nil
}
