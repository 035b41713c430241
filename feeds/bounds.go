package feeds

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"wallboard/model"
)

// Bounds are how much of a floor is kept and asked for, whatever a platform
// sends. What is more is left out, with a word. 0 is the default of each.
type Bounds struct {
	Records int // of all operations together
	Codes   int // services found through the users, and as many groups
}

// The bounds that nobody has set: more than twice a floor of 20,000 agents on
// four channels.
const (
	DefaultRecords = 250_000
	DefaultCodes   = 10_000
)

func (b Bounds) withDefaults() Bounds {
	if b.Records <= 0 {
		b.Records = DefaultRecords
	}
	if b.Codes <= 0 {
		b.Codes = DefaultCodes
	}
	return b
}

// roomFor returns how many records a table that holds so many may hold.
func (f *Feed) roomFor(own int) int { return max(f.opts.Bounds.Records-(f.store.Records()-own), 0) }

// makeRoom asks for the full state of what left records out when there is room
// again.
func (f *Feed) makeRoom(now time.Time) {
	const some = 20 // of the bound must be free: else it would be full again at once
	if f.opts.Bounds.Records-f.store.Records() < f.opts.Bounds.Records/some+1 {
		return
	}
	for _, s := range f.subs {
		if s.data.LeftOut() > 0 && s.active != "" && now.Sub(s.losses.askedAt) >= time.Minute {
			s.losses.note(now)
		}
	}
}

// cropped says what of a subscription is left out, "" where nothing is.
func (m *members) cropped(s *sub) string {
	if n := s.data.LeftOut(); n > 0 {
		return fmt.Sprintf("%d or more records are left out: the board keeps %d ([rtd] max_records)", n, m.opts.Bounds.Records)
	}
	few := func(c *codes, what string) string {
		if !c.full {
			return ""
		}
		return fmt.Sprintf("some %s are left out: the board asks for %d ([rtd] max_codes)", what, m.opts.Bounds.Codes)
	}
	switch key := traits[s.doc.Root].key; key {
	case "services":
		return few(&m.services, key)
	case "groups":
		return few(&m.groups, key)
	}
	return ""
}

// crop marks what is left out in a report: a picture that lacks records is not
// live, and somebody has to know.
func (m *members) crop(h *model.Health) {
	var why []string
	for i, s := range m.subs {
		text := m.cropped(s)
		if text == "" {
			continue
		}
		st := &h.Subscriptions[i]
		if st.State.Current() {
			st.State = model.SubUnverified
		}
		if st.Reason == "" {
			st.Reason = text
		}
		why = append(why, text)
	}
	if len(why) == 0 || h.Notice != "" {
		return
	}
	slices.Sort(why)
	h.Notice = "The platform has more than the board takes: " + strings.Join(slices.Compact(why), "; ") + "."
}
