package privacy

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

// inventedPeople returns a snapshot with people whose names occur nowhere else, and the names of
// those who serve SRV01. The group G1 has one member fewer than smallest, or one. The last person
// is in no part of the floor, and outsider holds the names of this person.
func inventedPeople(smallest int) (s *model.Snapshot, names, outsider []string) {
	store := model.NewStore()
	add := func(service, group string) []string {
		user, first, last := "u"+strings.ToLower(rand.Text()), "F"+rand.Text(), "L"+rand.Text()
		store.Users.Put(&model.User{Username: model.TextOf(user), Name: model.TextOf(first), Surname: model.TextOf(last), Services: []string{service}, Skillsets: []string{group}})
		store.UserStats.Put(&model.UserStat{AgentFigures: model.AgentFigures{Channel: model.Call}, Username: model.TextOf(user), Name: model.TextOf(first), Surname: model.TextOf(last)})
		store.Operators.Put(&model.Operator{Username: model.TextOf(user), Name: model.TextOf(first), Surname: model.TextOf(last), Channel: model.Call})
		store.Groups.Put(&model.Group{Code: model.TextOf(group), Channel: model.Call})
		return []string{user, first, last}
	}
	for range max(smallest-1, 1) {
		names = append(names, add("SRV01", "G1")...)
	}
	for range max(smallest, 2) {
		names = append(append(names, add("SRV01", "G2")...), add("SRV01", "G3")...)
	}
	outsider = add(rand.Text(), rand.Text())
	var h model.Health
	h.Link.Reason = "refused for " + names[0]
	return store.Publish(time.Now(), h), names, outsider
}

// findName returns a name that occurs in a snapshot, or "".
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

// invented is a source of one snapshot.
type invented struct{ *model.Snapshot }

// Latest implements [record.Source].
func (s invented) Latest() *model.Snapshot { return s.Snapshot }

// recordInvented records invented people with a configuration in a temporary folder, and returns the
// result of test, or why they cannot be recorded.
func recordInvented(c *config.Config, locks []secret.Lock, test func(dir string, names []string) string) string {
	s, names, outsider := inventedPeople(c.Privacy.SmallestGroup)
	dir, err := os.MkdirTemp("", "wallboard-privacy-")
	if err != nil {
		return err.Error()
	}
	defer os.RemoveAll(dir) //nolint:errcheck // invented people only
	w, err := record.NewBatchWriter(dir, record.About{Names: c.Record.Names, Platform: names[0]}, locks...)
	if err == nil {
		err = errors.Join(w.Add(app.MaskNames(c, invented{s}).Latest()), w.Close())
	}
	if err != nil {
		return err.Error()
	}
	return test(dir, append(names, outsider...))
}

// testRecording records invented people and returns what is wrong with the result, or "". With
// keys, it tests that the recording does not open without one, and searches a second one without
// encryption.
func testRecording(c *config.Config) string {
	if locks := c.Privacy.Locks(&c.Record, c.Record.Names); locks != nil {
		problem := recordInvented(c, locks, func(dir string, _ []string) string {
			if _, err := record.Open(dir); !errors.Is(err, secret.ErrNoKey) {
				return "the recording opens without a key"
			}
			return ""
		})
		if problem != "" {
			return problem
		}
	}
	return recordInvented(c, nil, func(dir string, names []string) string { return searchRecording(c, dir, names) })
}

// searchRecording returns what is wrong with a recording of invented people, or "".
func searchRecording(c *config.Config, dir string, names []string) string {
	r, err := record.Open(dir)
	if err != nil {
		return err.Error()
	}
	defer r.Close() //nolint:errcheck // only read from
	got, err := r.Player().Next()
	switch {
	case err != nil || got == nil || got.Users.Len() != len(names)/3:
		return "the recording of invented people cannot be read"
	case c.Record.Names == string(model.NamesFull):
		return ""
	case findName(got, names) != "":
		return "a name of an invented person is in the recording"
	case c.Privacy.SmallestGroup > 1 && hasGroup(got, "G1"):
		return "a group with fewer agents than privacy.smallest_group is in the recording"
	}
	return ""
}

// hasGroup reports whether a snapshot contains a group or a person in it.
func hasGroup(s *model.Snapshot, code string) bool {
	for u := range s.Users.All() {
		if slices.Contains(u.Skillsets, code) {
			return true
		}
	}
	return s.Groups.Get(model.GroupKey{Code: code, Channel: model.Call}) != nil
}
