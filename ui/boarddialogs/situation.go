package boarddialogs

import (
	"wallboard/internal/alert"
	"wallboard/internal/alert/diagnosis"
	"wallboard/internal/alert/situation"
	"wallboard/internal/textformat"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/dialog"
	"wallboard/ui/panes"
	"wallboard/ui/style"
	"wallboard/ui/widgets"
)

// situationWriter writes sentences about the causes and remedies of a situation.
type situationWriter struct {
	dialog.TextBuilder

	scene *panes.Scene
}

// translate returns a text in the language of the viewer.
func (p *situationWriter) translate(t words.Text) string { return t.In(p.Look.Format.Words) }

// writeSentence writes a sentence, using only characters that the terminal can show.
func (p *situationWriter) writeSentence(t themes.Token, text string) {
	p.Text(t, widgets.TerminalText(p.Look, text))
}

// writeSituation writes the headline of a situation, its state, causes, remedies and playbook, the number
// of agents that its service can spare, and the names of its alert rules. For an ended situation, all of
// this except the spare agents describes its last state.
func (p *situationWriter) writeSituation(s *situation.Situation, ended bool, playbooks *Checklist) {
	token, glyph := widgets.SituationStyle(p.Look, s)
	p.writeSentence(token, glyph+" "+s.Headline)
	if ended {
		p.Text(themes.OK, p.translate(words.DialogLastState()))
	}
	for _, sentence := range widgets.SituationSentences(p.Look, s) {
		p.Text(sentence.Token, sentence.Text)
	}
	p.writeCauses(s)
	p.writeRemedies(&s.Help)
	p.writePlaybook(playbooks, s)
	p.writeSpareAgents(s.Place.Key)
	p.writeAlertNames(s)
}

// writeSpareAgents writes how many agents of the service with the key k can leave before its calls
// have to wait.
func (p *situationWriter) writeSpareAgents(k alert.Key) {
	lines := p.scene.SpareAgents(k)
	if len(lines) == 0 {
		return
	}
	p.Heading(p.translate(words.DialogReleasable()))
	p.Text(themes.Text, lines[0])
	for _, line := range lines[1:] {
		p.Text(themes.Dim, line)
	}
}

// writeCauses writes the causes of a situation, how many agents are missing, and why no cause is known.
func (p *situationWriter) writeCauses(s *situation.Situation) {
	isUser := s.Place.Key.Scope == alert.User // the headline already contains the state of the agent
	if isUser && len(s.Causes) == 0 && s.UnexplainedReason == "" {
		return
	}
	p.Heading(p.translate(words.DialogWhy()))
	for i := range s.Causes {
		p.writeCause(&s.Causes[i])
	}
	if lack, ok := diagnosis.MissingAgents(s.Causes).Get(); ok {
		p.writeSentence(themes.Dim, p.translate(words.DialogAgentsShort(lack)))
	}
	switch {
	case s.UnexplainedReason != "":
		p.writeSentence(themes.Dim, s.UnexplainedReason)
	case len(s.Causes) == 0:
		p.writeSentence(themes.Dim, p.translate(words.DialogNoCause()))
	}
}

func (p *situationWriter) writeCause(c *diagnosis.Cause) {
	share := ""
	if v, ok := c.Share.Get(); ok {
		share = p.translate(words.DialogExplains(string(p.Look.Format.KPI(nil, alert.Percent.Unit(), model.FigureOf(v)))))
		switch {
		case v == 0:
			share = p.translate(words.DialogExplainsNone())
		case v > 0.995:
			share = p.translate(words.DialogExplainsAll())
		}
	}
	const minShareWidth = 20
	text := widgets.TerminalText(p.Look, c.Text)
	if style.Width(text)+minShareWidth+4 > p.Width {
		p.Text(themes.Text, text)
		if share != "" {
			p.Text(themes.Dim, "  "+share)
		}
	} else {
		l := style.NewLine(p.Width, p.Look.Glyphs.Ellipsis).Add(p.Look.Style(themes.Text), text)
		l.Space(themes.Style{}, max(p.Width-style.Width(text)-style.Width(share), 0)).Add(p.Look.Style(themes.Dim), share)
		p.Add(l.Finish(themes.Style{}))
	}
	for _, step := range c.Steps {
		p.writeIndented(step)
	}
	p.writeAgents(c.Departed)
}

func (p *situationWriter) writeIndented(text string) {
	for _, l := range style.WrapText(widgets.TerminalText(p.Look, text), max(p.Width-2, 1)) {
		p.Add("  " + p.Look.Style(themes.Dim).Render(l))
	}
}

// writeAgents writes the names of agents who have left. For the first of them, it also writes when
// they left and their current states.
func (p *situationWriter) writeAgents(people []diagnosis.Departure) {
	const detailed, named = 6, 40
	first := people[:min(len(people), detailed)]
	for i := range first {
		p.writeIndented(p.scene.Floor.DepartureText(&first[i], p.scene.Look.Format))
	}
	rest := people[len(first):]
	if len(rest) == 0 {
		return
	}
	names := make([]string, len(rest))
	for i := range rest[:min(len(rest), named)] {
		names[i] = p.scene.Floor.DepartedName(&rest[i])
	}
	p.writeIndented(p.translate(words.DialogAndMore(len(rest), p.Look.JoinFirst(names, named, ", "))))
}

// writeRemedies writes how many agents are needed, what happens without help, and which agents
// could help.
func (p *situationWriter) writeRemedies(h *situation.Help) {
	if number := h.StaffingText(); number != "" {
		p.Heading(p.translate(words.DialogWhatHelps()))
		p.writeSentence(themes.Text, textformat.Sentence(number))
	}
	if alone := h.Estimate.Text(); !alone.IsZero() {
		p.Heading(p.translate(words.DialogWithoutHelp()))
		p.writeSentence(themes.Text, p.translate(words.DialogQueueAlone(alone)))
	}
	if len(h.Helpers) == 0 {
		return
	}
	p.Heading(p.translate(words.DialogWhoCould()))
	for i := range h.Helpers[:min(len(h.Helpers), len(helperActionKeys))] {
		p.writeSentence(themes.Text, helperActionKeys[i:i+1]+"  "+h.Helpers[i].Description())
	}
}

// writeAlertNames writes the names of the rules of the situation's alerts.
func (p *situationWriter) writeAlertNames(s *situation.Situation) {
	p.Add("")
	p.Text(themes.Dim, p.translate(words.DialogAlerts(situation.RuleTitles(s.Alerts))))
}
