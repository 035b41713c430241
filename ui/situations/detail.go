package situations

import (
	"strings"

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
		when = "Seen since the board opened, " + clock(s)
	}
	if s.Times > 1 {
		when += "; " + lk.Count(s.Times) + " times since " + string(lk.Format.Clock(nil, s.First)) + ", " + lk.Duration(s.Total) + " in all"
	}
	p.add(themes.Dim, "", when+".")
	if !s.Stale.IsZero() {
		p.add(themes.Warn, "", "Not verified since "+string(lk.Format.Clock(nil, s.Stale))+": old figures explain nothing.")
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
	if help := s.Helps(); len(help) > 0 {
		p.add(themes.Text, "what helps", strings.Join(help, " "+lk.Glyphs.Dot+" "))
	}
	label := "alerts"
	for i := range s.Alerts {
		a := &s.Alerts[i]
		p.add(themes.Dim, label, a.Rule+" since "+string(lk.Format.Clock(nil, a.Since))+": "+a.Text)
		label = " "
	}
	return p.lines
}

// Over returns lines about what is well again.
func Over(lk *look.Look, headline string, w int) []string {
	if w <= 0 {
		return nil
	}
	p := paragraphs{lk: lk, w: w}
	p.add(themes.OK, "", "It is over. This is how it was last:")
	p.add(themes.Dim, "", headline)
	return p.lines
}

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
