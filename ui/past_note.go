package ui

import (
	"strings"
	"time"

	"wallboard/model"
	"wallboard/model/past"
	"wallboard/themes"
	"wallboard/ui/look"
)

// note is the line below the views' names: what is shown, and how far the
// asking is.
func (p *pastPage) note(sc *scene, w int) []string {
	l := look.NewLine(w, sc.look.Glyphs.Ellipsis)
	l.Add(sc.look.Style(themes.Title), " "+p.about(sc, w))
	pan := p.panel()
	state := p.state(sc, pan)
	switch {
	case state == "":
	case pan.phase == pastAsking && pan.value != nil:
		l.Space(themes.Style{}, 2).Add(sc.look.Style(themes.Accent), state)
	case pan.phase != pastAsking && look.Width(state)+2 <= l.Room(): // half of a time is none
		l.Space(themes.Style{}, 2).Add(sc.look.Style(themes.Dim), state)
	}
	return []string{l.End(themes.Style{}), look.Blanks(w)}
}

// about says what the view is of, the day in short where there is little room.
func (p *pastPage) about(sc *scene, w int) string {
	const narrow = 60
	day := dayWords(p.date(sc))
	if w < narrow {
		day = p.date(sc).Format("Mon 2 Jan 2006")
		if p.showing == pastHeat {
			day = p.date(sc).Format("2 Jan 2006")
		}
	}
	dot := " " + sc.look.Glyphs.Dot + " "
	switch p.showing {
	case pastDay:
		if !p.date(sc).Before(p.today(sc)) {
			return "Today, " + day
		}
		return day
	case pastHeat:
		if p.ofMonth() {
			return look.Capital(p.kind.String()) + dot + p.date(sc).Format("January 2006")
		}
		return look.Capital(p.kind.String()) + dot + itoa(pastWeeks()[p.weeks]) + " weeks to " + day
	case pastGroups:
		if p.ofMonth() {
			return look.Capital(p.kind.String()) + dot + p.date(sc).Format("January 2006")
		}
		return look.Capital(p.kind.String()) + dot + day
	case pastCalls:
		return p.search.words(sc)
	case pastPeople:
		return p.people.words()
	case numPastViews:
	}
	return ""
}

// dayWords is a day as people say it.
func dayWords(t time.Time) string { return t.Format("Monday, 2 January 2006") }

// state says how far the asking is, or of when the answer is.
func (p *pastPage) state(sc *scene, pan *pastPanel) string {
	switch pan.phase {
	case pastAsking:
		text := "asking the platform"
		if far := sc.farWords(pan.far); far != "" {
			text = far
		}
		if took := sc.floor.Ours.Sub(pan.begun); took >= 3*time.Second {
			text += " " + sc.look.Duration(took)
		}
		if sc.wall == nil {
			text += ", esc calls it off"
		}
		return text
	case pastReady:
		if sc.Insecure() {
			return "as of " + sc.pastClock(pan.at) + ", from a server that is not verified"
		}
		return "as of " + sc.pastClock(pan.at)
	case pastIdle, pastFailed, pastOff:
	}
	return ""
}

// Insecure reports whether nobody knows who answers about what has been.
func (sc *scene) Insecure() bool { return sc.History != nil && sc.History.Insecure() }

// pastClock is a time of our clock as the contact center's shows it.
func (sc *scene) pastClock(t time.Time) string {
	return sc.floor.Server(t).In(sc.History.Location()).Format("15:04")
}

// farWords says how far the reading of something long is.
func (sc *scene) farWords(far past.Progress) string {
	text := ""
	switch {
	case far.Total > 0:
		text = sc.look.Count(far.Read) + " of " + sc.look.Count(far.Total) + " read"
	case far.Read > 0:
		text = sc.look.Count(far.Read) + " read"
	}
	if far.Wait > 0 {
		wait := "waiting " + sc.look.Duration(far.Wait) + " for the platform's limit of requests"
		if text != "" {
			return text + ", " + wait
		}
		return wait
	}
	return text
}

// why says why there is nothing to see, "" when there is.
func (p *pastPage) why(sc *scene) string {
	pan := p.panel()
	switch pan.phase {
	case pastFailed:
		return pan.err + sc.hint(" r asks again.")
	case pastOff:
		return "Called off before there was an answer." + sc.hint(" r asks again.")
	case pastAsking:
		if pan.value == nil {
			return look.Capital(p.state(sc, pan)) + "."
		}
	case pastIdle:
		switch p.showing {
		case pastCalls:
			return "Past calls, video calls and chats are found by when they began, or by their id. " + sc.hint("/ searches.")
		case pastPeople:
			return "People are found by the end of their mail address or by their organization. " + sc.hint("/ searches.")
		case pastDay, pastHeat, pastGroups, numPastViews:
			return "Asking the platform" + sc.look.Glyphs.Ellipsis
		}
	case pastReady:
	}
	return strings.TrimSpace(p.empty(sc, pan.value))
}

// empty says why an answer has nothing in it, "" when it has.
func (p *pastPage) empty(sc *scene, value any) string {
	kind := p.kind.String()
	switch v := value.(type) {
	case dayAnswer:
		return v.empty(sc)
	case past.Heat:
		known := false
		for _, row := range v.Cells {
			for _, c := range row {
				known = known || c.Days > 0
			}
		}
		span := "these weeks"
		if p.ofMonth() {
			span = "this month"
		}
		switch {
		case !known:
			return "The platform knows no number for " + span + "." + sc.hint(" , and . go to others.")
		case v.Max() == 0:
			return "There were no " + kind + " in " + span + "." + sc.hint(" c shows the next kind.")
		}
	case groupAnswer:
		if len(v.groups) == 0 {
			when := "on this day."
			if p.month {
				when = "in this month."
			}
			return "There were no " + kind + " " + when + sc.hint(" c shows the next kind, m the month.")
		}
	case callAnswer:
		if len(v.calls) == 0 && v.short == nil {
			return "Nothing was found: there were no " + p.search.kind.String() + " in this time." + sc.hint(" / searches again.")
		}
	case model.Found[past.Contact]:
		if len(v.Items) == 0 && v.Short == nil {
			return "Nobody was found." + sc.hint(" / searches again.")
		}
	}
	return ""
}
