package pages

import (
	"cmp"
	"slices"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/words"
	"wallboard/themes"
	"wallboard/ui/panes"
	"wallboard/ui/render"
	"wallboard/ui/style"
)

// sharedEventWindow is the time within which situations with the same rule must begin on several
// platforms, or platforms must lose their data, to count as one event.
const sharedEventWindow = time.Minute

// sharedEvent means that within a minute several platforms reported situations with the same rule,
// or lost their data.
type sharedEvent struct {
	rule  string        // name of the rule; "": the platforms lost their data
	sites []int         // indexes of the platforms, in order
	age   time.Duration // time since the first platform was affected
}

// eventStart is the start of a situation, or of a loss of data, on a platform.
type eventStart struct {
	site int
	age  time.Duration // by the platform's clock, so that differences between the clocks do not matter
}

// minAffectedPlatforms returns the number of affected platforms from which an event counts as shared: a fifth
// of all platforms, but at least three, because events may coincide by chance.
func minAffectedPlatforms(platforms int) int { return max(3, (platforms+4)/5) }

// sharedEvents returns the events that began on several platforms within a minute. Those on the
// most platforms come first.
func sharedEvents(rows []PlatformRow) []sharedEvent {
	begun := make(map[string][]eventStart) // by rule
	for i := range rows {
		l := &rows[i]
		if !l.IsLive {
			if l.HasData {
				begun[""] = append(begun[""], eventStart{i, l.DataAge})
			}
			continue
		}
		for j := range l.Situations {
			s := &l.Situations[j]
			if s.Level < alert.Warning || s.FromStart || s.AtRisk || (s.Ack != alert.Ack{}) || len(s.Alerts) == 0 {
				continue
			}
			begun[s.Alerts[0].Rule] = append(begun[s.Alerts[0].Rule], eventStart{i, l.Now.Sub(s.Since)}) // not Lasted, which stops while figures are unverified
		}
	}
	var out []sharedEvent
	for rule, list := range begun {
		if e := mostWidespreadEvent(list); len(e.sites) >= minAffectedPlatforms(len(rows)) {
			e.rule = rule
			out = append(out, e)
		}
	}
	slices.SortFunc(out, func(a, b sharedEvent) int {
		return cmp.Or(len(b.sites)-len(a.sites), cmp.Compare(a.rule, b.rule))
	})
	return out
}

// mostWidespreadEvent returns the event in the minute with the most platforms in list. Its age is
// the time since the first of these platforms was affected.
func mostWidespreadEvent(list []eventStart) sharedEvent {
	slices.SortFunc(list, func(a, b eventStart) int { return cmp.Compare(a.age, b.age) })
	var best sharedEvent
	for first := range list {
		var sites []int
		last := first
		for ; last < len(list) && list[last].age-list[first].age <= sharedEventWindow; last++ {
			if !slices.Contains(sites, list[last].site) {
				sites = append(sites, list[last].site)
			}
		}
		if len(sites) > len(best.sites) {
			best = sharedEvent{sites: sites, age: list[last-1].age}
		}
	}
	slices.Sort(best.sites)
	return best
}

// text describes an event in a sentence: "9 of 40 lost their data in the same minute, from
// 10:04:00: Milan, Rome, Turin, and 6 more".
func (e *sharedEvent) text(lk *style.Look, rows []PlatformRow) string {
	first := &rows[e.sites[0]]
	names := make([]string, len(e.sites))
	for i, site := range e.sites {
		names[i] = rows[site].Name
	}
	who := words.SiteSome(len(e.sites), len(rows))
	if len(e.sites) == len(rows) {
		who = words.SiteAll(len(rows))
	}
	at, platforms := string(lk.Format.Clock(nil, first.Now.Add(-e.age))), lk.JoinFirst(names, 3, ", ")
	text := words.SiteLostData(who, at, platforms)
	if e.rule != "" {
		text = words.SiteSameRule(who, alert.RuleTitle(e.rule).In(lk.Format.Words), at, platforms)
	}
	return text.In(lk.Format.Words)
}

const maxSharedLines = 2

// sharedLines returns a line for each of the first maxSharedLines shared events. Those on the most
// platforms come first.
func (p *SitesPage) sharedLines(sc *panes.Scene, w int) []string {
	lk := sc.Look
	events := sharedEvents(p.rows)
	var out []string
	for i := range events[:min(len(events), maxSharedLines)] {
		text := " " + render.Warning.Glyph(lk.ASCII) + " " + events[i].text(lk, p.rows)
		out = append(out, lk.Style(themes.Warn).Render(style.Fit(text, w, lk.Glyphs.Ellipsis)))
	}
	return out
}
