package ui

import (
	tea "charm.land/bubbletea/v2"

	"wallboard/alert"
	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/dialog"
	"wallboard/ui/form"
	"wallboard/ui/look"
	"wallboard/ui/render"
)

// why is the dialog that takes alerts apart: what they were computed from, what
// it takes to be well again, and what changed. It follows the engine, frozen
// picture or not.
type why struct {
	sc     *scene
	name   string
	causes []cause
	text   dialog.Scroller
}

// cause is one alert, as it was when it was last active.
type cause struct {
	alert   alert.Alert
	why     alert.Explanation
	over    bool
	someone func(username string) string // what people call a user
}

// askWhy explains what is wrong with what the viewer points at.
func (m *Model) askWhy() tea.Cmd {
	here := m.alertsHere()
	if len(here) == 0 {
		return m.noAlertHere()
	}
	v := m.scene.panes().LiveView()
	d := &why{sc: m.scene, name: "Why: " + v.Where(here[0].Key, m.scene.floor.Newest.Users)}
	for _, a := range here {
		d.causes = append(d.causes, cause{alert: a, someone: m.scene.floor.AgentName})
	}
	d.look()
	return m.dialogs.Open(d)
}

// look asks the engine anew.
func (d *why) look() {
	for i := range d.causes {
		c := &d.causes[i]
		x, err := d.sc.Alerts.ExplainAlert(c.alert.ID)
		if c.over = err != nil; !c.over {
			c.why = x
		}
		if e := d.sc.alerts.Latest().Entry(c.alert.ID); e != nil {
			c.alert = e.Alert
		}
	}
}

// Title implements [dialog.Dialog].
func (d *why) Title() string { return d.name }

// Size implements [dialog.Dialog].
func (d *why) Size(maxW, maxH int) (w, h int) {
	d.look()
	w = min(dialog.SheetWidth, maxW)
	return w, min(len(d.lines(w)), maxH)
}

// Update implements [dialog.Dialog].
func (d *why) Update(msg tea.Msg) tea.Cmd {
	d.text.Obey(msg)
	return nil
}

// View implements [dialog.Dialog].
func (d *why) View(w, h int) []string {
	sc := d.sc
	lines := d.lines(w)
	if len(lines) <= h {
		return d.text.View(lines, 0, 0, w, h)
	}
	out := d.text.View(lines, 0, 0, w, max(h-1, 0))
	return append(out, sc.look.Hints(w, look.Hint{Key: "up down", Does: "scroll"}))[:h]
}

func (d *why) lines(w int) []string {
	p := &prose{sc: d.sc, w: w}
	told := map[string]bool{}
	for i := range d.causes {
		if i > 0 {
			p.text(themes.Border, look.Rules(d.sc.look.Glyphs.Rule, w))
		}
		c := &d.causes[i]
		p.cause(c)
		if x := c.why.Causes; x != nil && !told[x.Effect.Name] { // once is enough
			told[x.Effect.Name] = true
			p.changes(x)
			p.left(c)
		}
	}
	return p.lines
}

// prose writes explanations in lines of at most w cells.
type prose struct {
	sc    *scene
	w     int
	lines []string
}

func (p *prose) text(t themes.Token, s string) {
	p.lines = append(p.lines, p.sc.look.Said(t, s, p.w)...)
}

func (p *prose) head(s string) {
	p.lines = append(p.lines, "")
	p.text(themes.Title, s)
}

// row writes cells of fixed widths: the first to the left, above the others where
// there is no room beside them, the others to the right.
func (p *prose) row(t themes.Token, first string, cells ...string) {
	const widest = 12
	cell := min(widest, p.w/len(cells))
	l := look.NewLine(p.w, p.sc.look.Glyphs.Ellipsis)
	left := p.w - cell*len(cells)
	if look.Width(first) > left {
		p.text(t, first)
		first = ""
	}
	l.Add(p.sc.look.Style(t), look.Fit(first, left, p.sc.look.Glyphs.Ellipsis))
	for _, c := range cells {
		c = look.Cut(c, cell-1, p.sc.look.Glyphs.Ellipsis)
		l.Space(themes.Style{}, cell-look.Width(c)).Add(p.sc.look.Style(t), c)
	}
	p.lines = append(p.lines, l.End(themes.Style{}))
}

// figure writes a figure in a format.
func (p *prose) figure(as alert.Format, f model.Figure) string {
	return string(p.sc.look.Format.KPI(nil, as, f))
}

func (p *prose) cause(c *cause) {
	v := p.sc.panes().LiveView()
	// Its first line is the alert's text, which has the colour of its level.
	p.lines = append(p.lines, render.IncidentDetail(&render.Entry{Alert: c.alert}, &v, p.w)...)
	if c.over {
		p.text(themes.OK, "It is over. This is how it was last:")
	}
	p.formula(c)
	p.budget(c)
}

// formula says what was computed from what, and what it is measured by.
func (p *prose) formula(c *cause) {
	x := &c.why
	p.head("How it is computed")
	p.text(themes.Text, x.Formula)
	if x.FormulaName != "" {
		p.text(themes.Dim, "Service level by formula: "+x.FormulaName)
	}
	for _, in := range x.Inputs {
		value := in.Text
		if value == "" {
			value = p.figure(in.Format, in.Value)
		}
		p.row(themes.Text, "  "+in.Name, value)
	}
	if x.Met != "" {
		p.row(themes.Accent, "  is the condition met", x.Met)
	} else {
		p.row(themes.Accent, "  result", p.figure(x.Format, x.Result))
	}
	limit := func(name string, l model.Float, as alert.Format) {
		if n, ok := l.Get(); ok {
			p.row(themes.Dim, "  "+name, p.figure(as, model.FigureOf(n)))
		}
	}
	worse := "from"
	if x.Direction == alert.Higher {
		worse = "below"
	}
	limit("warning "+worse, x.Thresholds.Warning, x.Format)
	limit("critical "+worse, x.Thresholds.Critical, x.Format)
	limit("well again at", x.Thresholds.Recovery, x.Format)
	limit("target", x.Target, p.targetFormat(x))
	if v := x.Volume; v != nil {
		p.text(themes.Dim, "Judged from "+p.sc.look.Count(v.MinCalls)+" calls on, and when "+p.sc.look.Count(v.MinOver)+
			" more than the level allows went wrong. It stands on "+p.figure(alert.Number, v.Calls)+".")
	}
}

// targetFormat is how a target is written: that of a service level or an abandon
// rate is a share, whatever the rule computes from it.
func (p *prose) targetFormat(x *alert.Explanation) alert.Format {
	if x.Budget != nil || x.FormulaName != "" {
		return alert.Percent
	}
	return x.Format
}

// budget says what it takes to be well again.
func (p *prose) budget(c *cause) {
	b := c.why.Budget
	if b == nil {
		return
	}
	count := func(n int64) string { return string(p.sc.look.Format.Count(nil, n)) }
	p.head("What it takes")
	switch {
	case !b.Recoverable:
		p.text(themes.Warn, "No run of calls brings the target back today.")
	case b.ToRecover > 0:
		p.text(themes.Warn, count(b.ToRecover)+" calls in a row must go well to reach the target again.")
	default:
		p.text(themes.Text, count(b.MissesLeft)+" calls may still be missed today within the target.")
	}
}

// changes compares the last 15 minutes with those before.
func (p *prose) changes(c *alert.Causes) {
	p.head("What changed: the last 15 minutes, and the 15 before")
	switch {
	case !c.Effect.Now.Known() || !c.Effect.Then.Known():
		p.text(themes.Dim, "The board has not watched for half an hour yet: there is not enough to compare.")
		return
	case !c.Unexplained.Known():
		p.text(themes.Dim, "One of these figures is not known, so nobody can say how much each of them did.")
	}
	p.row(themes.Dim, "", "before", "now", "calls", "share")
	part := func(f model.Figure) string {
		n, ok := f.Get()
		if !ok {
			return p.figure(alert.Number, f)
		}
		text := string(p.sc.look.Format.Decimal(nil, n))
		if n > 0 {
			text = "+" + text
		}
		return text
	}
	row := func(t themes.Token, f alert.Factor) {
		calls, of := part(f.Part), p.figure(alert.Percent, f.Share)
		if f.Part.NA() {
			calls, of = "", "" // it has no part in the change
		}
		p.row(t, "  "+f.Name, p.figure(f.Format, f.Then), p.figure(f.Format, f.Now), calls, of)
	}
	p.row(themes.Accent, "  "+c.Effect.Name, p.figure(c.Effect.Format, c.Effect.Then), p.figure(c.Effect.Format, c.Effect.Now),
		part(c.Effect.Part), "")
	for _, f := range c.Factors {
		row(themes.Text, f)
	}
	rest := c.Effect.Share
	if explained, ok := rest.Get(); ok {
		rest = model.FigureOf(1 - explained)
	}
	p.row(themes.Warn, "  unexplained", "", "", part(c.Unexplained), p.figure(alert.Percent, rest))
}

// left names the agents who went.
func (p *prose) left(c *cause) {
	const most = 8
	left := c.why.Causes.Left
	if len(left) == 0 {
		return
	}
	p.head("Who went in the last 15 minutes")
	for _, d := range left[:min(len(left), most)] {
		what := "not ready"
		switch {
		case d.LoggedOut:
			what = "logged out"
		case d.Activity != "":
			what += ", " + p.sc.Names.Of(model.NameActivity, d.Activity)
		}
		text := "  " + string(p.sc.look.Format.Clock(nil, d.At)) + "  " + c.someone(d.Username) + ": " + what
		p.lines = append(p.lines, form.Wrap(text, p.w)...)
	}
	if more := len(left) - most; more > 0 {
		p.text(themes.Dim, "  and "+p.sc.look.Count(more)+" more")
	}
}
