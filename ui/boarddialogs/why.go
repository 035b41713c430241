package boarddialogs

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"wallboard/internal/alert"
	"wallboard/internal/alert/situation"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/dialog"
	"wallboard/ui/floorview"
	"wallboard/ui/panes"
	"wallboard/ui/render"
	"wallboard/ui/style"
	"wallboard/ui/widgets"
)

// ExplanationSubject is the subject that the dialog explains: a situation, or the alerts about a record.
type ExplanationSubject struct {
	Situation *situation.Situation // nil: the situation has ended, or the alerts belong to no situation
	Alerts    []alert.Alert        // alerts of the situation or about the record
	// TakeOver opens the form for taking alerts over. It is nil if the viewer cannot take alerts
	// over.
	TakeOver func(selected []alert.Alert) tea.Cmd
	// Checklist shows the playbook for the situation; nil: there are no playbooks.
	Checklist *Checklist
	// NumberedSituations holds the situations with a number on the panel Now, in the order of the
	// panel.
	NumberedSituations []situation.Situation
}

// explanationDialog is the dialog that shows the causes and remedies of a situation. A key switches to the
// formulas of its figures. The dialog shows live data, even while the snapshot is frozen.
type explanationDialog struct {
	board        Board
	dialogs      *dialog.Stack
	name         string
	subject      ExplanationSubject
	ended        bool // the situation has ended, and its last state is shown
	alerts       []explainedAlert
	showsFormula bool
	text         dialog.Scroller
}

// explainedAlert is an alert with its explanation. An ended alert keeps its last active state.
type explainedAlert struct {
	alert       alert.Alert
	explanation alert.Explanation
	ended       bool
}

// OpenExplanation opens a dialog that explains a situation or the alerts of a record.
func OpenExplanation(dialogs *dialog.Stack, b Board, subject ExplanationSubject) tea.Cmd {
	d := &explanationDialog{board: b, dialogs: dialogs}
	d.setSubject(subject)
	return dialogs.Open(d)
}

// setSubject sets the subject of the dialog and reads the explanations of its alerts.
func (d *explanationDialog) setSubject(subject ExplanationSubject) {
	sc := d.board.Scene()
	v := sc.LiveRenderView()
	d.subject, d.showsFormula, d.alerts, d.text = subject, subject.Situation == nil, nil, dialog.Scroller{}
	if s := subject.Situation; s != nil {
		d.name = d.translate(words.DialogWhyOf(widgets.TerminalText(sc.Look, s.Place.Title)))
	} else {
		d.name = d.translate(words.DialogWhyOf(v.SubjectName(subject.Alerts[0].Key, sc.Floor.Newest)))
	}
	for _, a := range subject.Alerts {
		d.alerts = append(d.alerts, explainedAlert{alert: a})
	}
	d.refresh()
}

// refresh updates the situation, its alerts and their explanations from the board.
func (d *explanationDialog) refresh() {
	alarms := d.board.Scene().Alarms
	for i := range d.alerts {
		c := &d.alerts[i]
		x, err := d.board.ExplainAlert(c.alert.ID)
		if c.ended = err != nil; !c.ended {
			c.explanation = x
		}
		if e := alarms.CurrentAlerts.Entry(c.alert.ID); e != nil {
			c.alert = e.Alert
		}
	}
	if d.subject.Situation == nil {
		return
	}
	current := alarms.PresentSituations.ByID(d.subject.Situation.ID)
	if d.ended = current == nil; !d.ended {
		d.subject.Situation = current
	}
}

// translate returns a text in the language of the viewer.
func (d *explanationDialog) translate(t words.Text) string {
	return t.In(d.board.Scene().Look.Format.Words)
}

// Title implements [dialog.Dialog].
func (d *explanationDialog) Title() string { return d.name }

// Size implements [dialog.Dialog].
func (d *explanationDialog) Size(maxW, maxH int) (w, h int) {
	d.refresh()
	w = min(dialog.SheetWidth, maxW)
	return w, min(len(d.lines(w))+2, maxH)
}

// Update implements [dialog.Dialog].
func (d *explanationDialog) Update(msg tea.Msg) tea.Cmd {
	if k, ok := msg.(tea.KeyPressMsg); ok {
		if d.openHelperActions(k.String()) || d.explainNumbered(k.String()) {
			return nil
		}
		switch k.String() {
		case "f":
			d.showsFormula = !d.showsFormula
			d.text = dialog.Scroller{}
			return nil
		case "t":
			return OpenChart(d.dialogs, d.board, d.recordKey())
		case "p":
			if d.canTick() {
				return d.subject.Checklist.open(d.dialogs, d.subject.Situation)
			}
		case "ctrl+y":
			return d.board.Copy(d.dialogs.ShowMessage, d.name, d.plainText())
		case "m":
			if d.subject.TakeOver != nil {
				return d.subject.TakeOver(d.subject.Alerts)
			}
		}
	}
	d.text.Update(msg)
	return nil
}

// canTick reports whether the situation has a playbook whose items the viewer can tick off.
func (d *explanationDialog) canTick() bool {
	c := d.subject.Checklist
	return c.playbookOf(d.subject.Situation) != nil && c.Book != nil
}

// explainNumbered handles a digit: it explains the situation with that number on the panel Now. It
// returns false if there is no such situation.
func (d *explanationDialog) explainNumbered(pressed string) bool {
	others := d.otherSituations()
	if len(pressed) != 1 || pressed[0] < '1' || int(pressed[0]-'1') >= len(others) {
		return false
	}
	subject := d.subject
	subject.Situation = &others[pressed[0]-'1']
	subject.Alerts = subject.Situation.Alerts
	d.setSubject(subject)
	return true
}

// otherSituations returns the situations with a number on the panel Now, or nil if there is only
// one.
func (d *explanationDialog) otherSituations() []situation.Situation {
	if n := len(d.subject.NumberedSituations); n > 1 {
		return d.subject.NumberedSituations[:min(n, 9)]
	}
	return nil
}

// helperActionKeys are the keys that open the actions on the agents who could help: "a" for the first of
// them, and so on.
const helperActionKeys = "abc"

// openHelperActions handles a key in helperActionKeys: it closes the dialog and opens the actions on the
// corresponding agent. It returns false if there is no such agent.
func (d *explanationDialog) openHelperActions(pressed string) bool {
	if d.subject.Situation == nil || len(pressed) != 1 {
		return false
	}
	helpers, index := d.subject.Situation.Help.Helpers, strings.Index(helperActionKeys, pressed)
	if index < 0 || index >= len(helpers) {
		return false
	}
	d.dialogs.Close(d)
	kind, name, _ := floorview.SubjectOf(alert.Key{Scope: alert.User, Code: helpers[index].Username})
	d.board.Scene().Requests.Add(panes.OpenMsg{Kind: kind, Key: name, Channel: d.recordKey().Channel, ShowActions: true})
	return true
}

// plainText returns the content of the dialog without styles.
func (d *explanationDialog) plainText() string {
	return d.name + "\n\n" + ansi.Strip(strings.Join(d.lines(dialog.SheetWidth), "\n")) + "\n"
}

// recordKey returns the key of the record that the dialog explains.
func (d *explanationDialog) recordKey() alert.Key {
	if s := d.subject.Situation; s != nil {
		return s.Place.Key
	}
	return d.alerts[0].alert.Key
}

// minSpacedHeight is the minimum height of a dialog with blank lines, if not all lines are visible.
const minSpacedHeight = 12

// View implements [dialog.Dialog].
func (d *explanationDialog) View(w, h int) []string {
	lines, available := d.lines(w), max(h-2, 0)
	if h < minSpacedHeight && len(lines) > available {
		lines = slices.DeleteFunc(lines, func(line string) bool { return line == "" })
	}
	description := words.DialogKeyFormula()
	if d.showsFormula {
		description = words.DialogKeyCause()
	}
	keys := []style.KeyHint{{Key: "f", Description: d.translate(description)}, {Key: "t", Description: d.translate(words.DialogKeyChart())}}
	if d.subject.TakeOver != nil {
		keys = append(keys, style.KeyHint{Key: "m", Description: d.translate(words.DialogKeyTakeOver())})
	}
	if d.canTick() {
		keys = append(keys, style.KeyHint{Key: "p", Description: d.translate(words.DialogKeyPlaybook())})
	}
	if n := len(d.otherSituations()); n > 0 {
		keys = append(keys, style.KeyHint{Key: d.translate(words.DialogDigits(n)), Description: d.translate(words.DialogKeyOtherSituations())})
	}
	if s := d.subject.Situation; s != nil && len(s.Help.Helpers) > 0 {
		keys = append(keys, style.KeyHint{Key: strings.Join(strings.Split(helperActionKeys[:min(len(s.Help.Helpers), len(helperActionKeys))], ""), " "), Description: d.translate(words.DialogKeyHelpers())})
	}
	keys = append(keys, style.KeyHint{Key: "ctrl+y", Description: d.translate(words.DialogKeyCopy())})
	if len(lines) > available {
		keys = append(keys, style.KeyHint{Key: strings.Join([]string{"up", "down"}, " "), Description: d.translate(words.DialogKeyScroll())})
	}
	lk := d.board.Scene().Look
	var out []string
	if len(lines) > available {
		out = d.text.ViewCounted(lk, lines, 0, 0, w, max(h-1, 0))
	} else {
		out = style.FillLines(d.text.View(lines, 0, 0, w, available), w, max(h-1, 0))
	}
	return append(out, lk.HintLine(w, keys...))[:h]
}

func (d *explanationDialog) lines(w int) []string {
	sc := d.board.Scene()
	if s := d.subject.Situation; s != nil && !d.showsFormula {
		p := &situationWriter{TextBuilder: dialog.TextBuilder{Look: sc.Look, Width: w}, scene: sc}
		p.writeSituation(s, d.ended, d.subject.Checklist)
		head := d.translate(words.DialogWhatItTakes())
		for i := range d.alerts {
			if (&alertWriter{&p.TextBuilder, sc}).writeContactsLeft(&d.alerts[i], head, len(d.alerts) > 1) {
				head = ""
			}
		}
		return p.Lines
	}
	p := &alertWriter{&dialog.TextBuilder{Look: sc.Look, Width: w}, sc}
	for i := range d.alerts {
		if i > 0 {
			p.Text(themes.Border, strings.Repeat(sc.Look.Glyphs.Rule, w))
		}
		p.writeAlert(&d.alerts[i])
	}
	switch s := d.subject.Situation; {
	case s == nil:
		p.Text(themes.Dim, d.translate(words.DialogNoCause()))
	case len(s.Help.Assumptions) > 0:
		p.Heading(d.translate(words.DialogAssumptions()))
		for _, a := range s.Help.Assumptions {
			p.Text(themes.Dim, widgets.TerminalText(sc.Look, a))
		}
	}
	return p.Lines
}

// alertWriter writes sentences about how the values of alerts were computed.
type alertWriter struct {
	*dialog.TextBuilder

	scene *panes.Scene
}

// translate returns a text in the language of the viewer.
func (p *alertWriter) translate(t words.Text) string { return t.In(p.Look.Format.Words) }

// formatFigure returns the figure f as text in the given format.
func (p *alertWriter) formatFigure(format alert.Format, f model.Figure) string {
	return string(p.Look.Format.KPI(nil, format.Unit(), f))
}

func (p *alertWriter) writeAlert(c *explainedAlert) {
	v := p.scene.LiveRenderView()
	// The first of these lines is the text of the alert in the color of its level.
	p.Add(render.AlertDetail(&render.AlertEntry{Alert: c.alert}, &v, p.Width)...)
	if c.ended {
		p.Text(themes.OK, p.translate(words.DialogLastState()))
	}
	p.writeFormula(c)
	p.writeContactsLeft(c, p.translate(words.DialogWhatItTakes()), false)
}

// writeFormula writes the formula of an alert's figure with its inputs and result, the limits and the target.
func (p *alertWriter) writeFormula(c *explainedAlert) {
	x := &c.explanation
	p.Heading(p.translate(words.DialogComputed()))
	p.Text(themes.Text, p.translate(words.Formula(x.Formula)))
	if x.FormulaName != "" {
		p.Text(themes.Dim, p.translate(words.DialogByFormula(x.FormulaName)))
	}
	for _, input := range x.Inputs {
		value := input.Text
		if value == "" {
			value = p.formatFigure(input.Format, input.Value)
		}
		p.Row(themes.Text, "  "+words.FormulaName(input.Name).In(p.Look.Format.Words), value)
	}
	if x.ConditionResult != "" {
		p.Row(themes.Accent, "  "+p.translate(words.DialogConditionMet()), x.ConditionResult)
	} else {
		p.Row(themes.Accent, "  "+p.translate(words.DialogResult()), p.formatFigure(x.Format, x.Result))
	}
	limit := func(name words.Text, l model.Float, format alert.Format) {
		if n, ok := l.Get(); ok {
			p.Row(themes.Dim, "  "+p.translate(name), p.formatFigure(format, model.FigureOf(n)))
		}
	}
	warning, critical := words.DialogWarningFrom(), words.DialogCriticalFrom()
	if x.Direction == alert.HigherIsBetter {
		warning, critical = words.DialogWarningBelow(), words.DialogCriticalBelow()
	}
	limit(warning, x.Thresholds.Warning, x.Format)
	limit(critical, x.Thresholds.Critical, x.Format)
	limit(words.DialogClearsAt(), x.Thresholds.Recovery, x.Format)
	limit(words.DialogTarget(), x.Target, p.targetFormat(x))
	if v := x.Volume; v != nil {
		p.Text(themes.Dim, p.translate(words.DialogVolume(v.MinCalls, words.ContactNouns(x.Key.Channel), v.MinExcessMisses, p.formatFigure(alert.Number, v.Calls))))
	}
}

// targetFormat returns the format of a target. For a service level or an abandon rate, it is a
// percentage, even if the figure of the rule has another format.
func (p *alertWriter) targetFormat(x *alert.Explanation) alert.Format {
	if x.Budget != nil || x.FormulaName != "" {
		return alert.Percent
	}
	return x.Format
}

// writeContactsLeft writes how many contacts must go well until the target is met again, how many may be
// missed before it is missed, or that it is out of reach. If head is not "", it is written as a
// heading. If several is true, the text names the rule. writeContactsLeft returns false if the necessary
// figures are unknown.
func (p *alertWriter) writeContactsLeft(c *explainedAlert, head string, several bool) bool {
	b := c.explanation.Budget
	if b == nil {
		return false
	}
	ch := c.explanation.Key.Channel
	if head != "" {
		p.Heading(head)
	}
	var token themes.Token
	var text words.Text
	switch contacts := words.CountContactsOn(int(b.CallsToRecover), ch); {
	case !b.Recoverable:
		token, text = themes.Warn, words.DialogOutOfReach()
	case b.CallsToRecover > 0 && b.Abandoned:
		token, text = themes.Warn, words.DialogRecoverAbandoned(contacts)
	case b.CallsToRecover > 0:
		token, text = themes.Warn, words.DialogRecover(contacts)
	case b.Abandoned:
		token, text = themes.Text, words.DialogAbandonedLeft(int(b.MissesLeft), words.ContactNoun(ch), words.ContactNouns(ch))
	default:
		token, text = themes.Text, words.DialogLateLeft(int(b.MissesLeft), words.ContactNoun(ch), words.ContactNouns(ch))
	}
	if several {
		text = words.DialogOfRule(alert.RuleTitle(c.alert.Rule), text)
	}
	p.Text(token, p.translate(text))
	return true
}
