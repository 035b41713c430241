package situations

import (
	"strings"
	"time"

	"wallboard/alert"
	"wallboard/situation"
	"wallboard/themes"
	"wallboard/ui/form"
	"wallboard/ui/look"
)

// Detail returns lines about a situation, each exactly w cells wide, the most
// important first: what it is, why, what would help, and the alerts that it is made of.
func Detail(lk *look.Look, s *situation.Situation, w int) []string {
	if w <= 0 {
		return nil
	}
	p := paragraphs{lk: lk, w: w}
	token, _ := Situated(lk, s)
	if token == themes.Dim {
		token = themes.Text
	}
	p.add(token, "", s.Place.Title+": "+s.Headline)
	clock := func(s *situation.Situation) string { return string(lk.Format.Clock(nil, s.Since)) }
	when := "Since " + clock(s)
	if s.FromStart {
		when += " or earlier"
	}
	if s.Times > 1 {
		when += "; " + lk.Count(s.Times) + " times since " + string(lk.Format.Clock(nil, s.First)) + ", " + lk.Duration(s.Total) + " in all"
	}
	p.add(themes.Dim, "", when+".")
	if !s.Stale.IsZero() {
		p.add(themes.Warn, "", "Not verified since "+string(lk.Format.Clock(nil, s.Stale))+": old figures explain nothing.")
	}
	if until := s.Silent(); !until.IsZero() {
		p.add(themes.Accent, "", "Silent until "+string(lk.Format.Clock(nil, until))+": nobody is told of it, unless it becomes worse.")
	}
	if s.Ack != (alert.Ack{}) {
		note := ""
		if s.Ack.Note != "" {
			note = ": " + s.Ack.Note
		}
		p.add(themes.Accent, "", "Taken by "+s.Ack.By+" at "+string(lk.Format.Clock(nil, s.Ack.At))+note)
	}
	if why := s.Why(); len(why) > 0 {
		p.add(themes.Text, "why", strings.Join(why, " "))
	}
	if label, help := s.Helps(); len(help) > 0 {
		p.add(themes.Text, label, strings.Join(help, " "+lk.Glyphs.Dot+" "))
	}
	label := "alerts"
	for i := range s.Alerts {
		a := &s.Alerts[i]
		p.add(themes.Dim, label, a.Rule+" since "+string(lk.Format.Clock(nil, a.Since))+": "+a.Text)
		label = " "
	}
	return p.lines
}

// Over returns lines about what is well again. past is how often it was there; nil: nobody
// remembers.
func Over(lk *look.Look, headline string, past *situation.Past, w int) []string {
	if w <= 0 {
		return nil
	}
	p := paragraphs{lk: lk, w: w}
	p.add(themes.OK, "", "It is over.")
	p.add(themes.Text, "", headline)
	if past == nil {
		return p.lines
	}
	clock := func(at time.Time) string { return string(lk.Format.Clock(nil, at)) }
	p.add(themes.Dim, "", look.Capital(past.Words(clock))+".")
	if past.Vanished {
		p.add(themes.Dim, "", "The platform no longer sends it.")
	}
	if a := past.Ack; a.By != "" {
		note := ""
		if a.Note != "" {
			note = ": " + a.Note
		}
		p.add(themes.Accent, "", "Taken by "+a.By+" at "+clock(a.At)+note)
	}
	label := "alerts"
	for i := range past.Alerts[max(len(past.Alerts)-mostPast, 0):] {
		a := &past.Alerts[max(len(past.Alerts)-mostPast, 0)+i]
		p.add(themes.Dim, label, a.Rule+", "+clock(a.Since)+" to "+clock(a.Ended)+": "+a.Text)
		label = " "
	}
	return p.lines
}

// mostPast is how many alerts are named of what came and went: the last.
const mostPast = 6

// paragraphs are wrapped texts, some of them beside a label.
type paragraphs struct {
	lk    *look.Look
	w     int
	lines []string
}

func (p *paragraphs) add(token themes.Token, label, text string) {
	room := p.w
	if label != "" {
		room -= labelled
	}
	for i, line := range form.Wrap(Plain(p.lk, text), max(room, 1)) {
		l := look.NewLine(p.w, p.lk.Glyphs.Ellipsis)
		if label != "" {
			beside := label
			if i > 0 {
				beside = " "
			}
			l.Add(p.lk.Style(themes.Dim), look.Fit(beside, labelled, p.lk.Glyphs.Ellipsis))
		}
		p.lines = append(p.lines, l.Add(p.lk.Style(token), line).End(themes.Style{}))
	}
}
