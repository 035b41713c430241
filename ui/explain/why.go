package explain

import (
	tea "charm.land/bubbletea/v2"

	"wallboard/alert"
	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/dialog"
	"wallboard/ui/form"
	"wallboard/ui/look"
	"wallboard/ui/panes"
	"wallboard/ui/render"
)

// whyDialog takes alerts apart: what they were computed from, what it takes to be well
// again, and what changed. It follows the engine, frozen picture or not.
type whyDialog struct {
	board  Board
	name   string
	causes []cause
	text   dialog.Scroller
}

// cause is one alert, as it was when it was last active.
type cause struct {
	alert alert.Alert
	why   alert.Explanation
	over  bool
}

// Why explains what is wrong, one alert after the other.
func Why(on *dialog.Stack, b Board, alerts []alert.Alert) tea.Cmd {
	sc := b.Scene()
	v := sc.LiveView()
	d := &whyDialog{board: b, name: "Why: " + v.Where(alerts[0].Key, sc.Floor.Newest.Users)}
	for _, a := range alerts {
		d.causes = append(d.causes, cause{alert: a})
	}
	d.look()
	return on.Open(d)
}

// look asks the engine again.
func (d *whyDialog) look() {
	latest := d.board.Scene().Alarms.Latest
	for i := range d.causes {
		c := &d.causes[i]
		x, err := d.board.ExplainAlert(c.alert.ID)
		if c.over = err != nil; !c.over {
			c.why = x
		}
		if e := latest.Entry(c.alert.ID); e != nil {
			c.alert = e.Alert
		}
	}
}

// Title implements [dialog.Dialog].
func (d *whyDialog) Title() string { return d.name }

// Size implements [dialog.Dialog].
func (d *whyDialog) Size(maxW, maxH int) (w, h int) {
	d.look()
	w = min(dialog.SheetWidth, maxW)
	return w, min(len(d.lines(w)), maxH)
}

// Update implements [dialog.Dialog].
func (d *whyDialog) Update(msg tea.Msg) tea.Cmd {
	d.text.Obey(msg)
	return nil
}

// View implements [dialog.Dialog].
func (d *whyDialog) View(w, h int) []string {
	lines := d.lines(w)
	if len(lines) <= h {
		return d.text.View(lines, 0, 0, w, h)
	}
	out := d.text.View(lines, 0, 0, w, max(h-1, 0))
	return append(out, d.board.Scene().Look.Hints(w, look.Hint{Key: "up down", Does: "scroll"}))[:h]
}

func (d *whyDialog) lines(w int) []string {
	sc := d.board.Scene()
	p := &causeProse{Prose: dialog.Prose{Look: sc.Look, Width: w}, sc: sc}
	told := map[string]bool{}
	for i := range d.causes {
		if i > 0 {
			p.Text(themes.Border, look.Rules(sc.Look.Glyphs.Rule, w))
		}
		c := &d.causes[i]
		p.cause(c)
		if x := c.why.Causes; x != nil && !told[x.Effect.Name] { // once is enough
			told[x.Effect.Name] = true
			p.changes(x)
			p.left(c)
		}
	}
	return p.Lines
}

// causeProse writes what alerts were computed from.
type causeProse struct {
	dialog.Prose

	sc *panes.Scene
}

// figure writes a figure in a format.
func (p *causeProse) figure(as alert.Format, f model.Figure) string {
	return string(p.Look.Format.KPI(nil, as, f))
}

func (p *causeProse) cause(c *cause) {
	v := p.sc.LiveView()
	// Its first line is the alert's text, which has the colour of its level.
	p.Add(render.IncidentDetail(&render.Entry{Alert: c.alert}, &v, p.Width)...)
	if c.over {
		p.Text(themes.OK, "It is over. This is how it was last:")
	}
	p.formula(c)
	p.budget(c)
}

// formula says what was computed from what, and what it is measured by.
func (p *causeProse) formula(c *cause) {
	x := &c.why
	p.Head("How it is computed")
	p.Text(themes.Text, x.Formula)
	if x.FormulaName != "" {
		p.Text(themes.Dim, "Service level by formula: "+x.FormulaName)
	}
	for _, in := range x.Inputs {
		value := in.Text
		if value == "" {
			value = p.figure(in.Format, in.Value)
		}
		p.Row(themes.Text, "  "+in.Name, value)
	}
	if x.Met != "" {
		p.Row(themes.Accent, "  is the condition met", x.Met)
	} else {
		p.Row(themes.Accent, "  result", p.figure(x.Format, x.Result))
	}
	limit := func(name string, l model.Float, as alert.Format) {
		if n, ok := l.Get(); ok {
			p.Row(themes.Dim, "  "+name, p.figure(as, model.FigureOf(n)))
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
		p.Text(themes.Dim, "Judged from "+p.Look.Count(v.MinCalls)+" calls on, and when "+p.Look.Count(v.MinOver)+
			" more than the level allows went wrong. It stands on "+p.figure(alert.Number, v.Calls)+".")
	}
}

// targetFormat is how a target is written: that of a service level or an abandon
// rate is a share, whatever the rule computes from it.
func (p *causeProse) targetFormat(x *alert.Explanation) alert.Format {
	if x.Budget != nil || x.FormulaName != "" {
		return alert.Percent
	}
	return x.Format
}

// budget says what it takes to be well again.
func (p *causeProse) budget(c *cause) {
	b := c.why.Budget
	if b == nil {
		return
	}
	count := func(n int64) string { return string(p.Look.Format.Count(nil, n)) }
	p.Head("What it takes")
	switch {
	case !b.Recoverable:
		p.Text(themes.Warn, "No run of calls brings the target back today.")
	case b.ToRecover > 0:
		p.Text(themes.Warn, count(b.ToRecover)+" calls in a row must go well to reach the target again.")
	default:
		p.Text(themes.Text, count(b.MissesLeft)+" calls may still be missed today within the target.")
	}
}

// changes compares the last 15 minutes with those before.
func (p *causeProse) changes(c *alert.Causes) {
	p.Head("What changed: the last 15 minutes, and the 15 before")
	switch {
	case !c.Effect.Now.Known() || !c.Effect.Then.Known():
		p.Text(themes.Dim, "The board has not watched for half an hour yet: there is not enough to compare.")
		return
	case !c.Unexplained.Known():
		p.Text(themes.Dim, "One of these figures is not known, so nobody can say how much each of them did.")
	}
	p.Row(themes.Dim, "", "before", "now", "calls", "share")
	part := func(f model.Figure) string {
		n, ok := f.Get()
		if !ok {
			return p.figure(alert.Number, f)
		}
		text := string(p.Look.Format.Decimal(nil, n))
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
		p.Row(t, "  "+f.Name, p.figure(f.Format, f.Then), p.figure(f.Format, f.Now), calls, of)
	}
	p.Row(themes.Accent, "  "+c.Effect.Name, p.figure(c.Effect.Format, c.Effect.Then), p.figure(c.Effect.Format, c.Effect.Now),
		part(c.Effect.Part), "")
	for _, f := range c.Factors {
		row(themes.Text, f)
	}
	rest := c.Effect.Share
	if explained, ok := rest.Get(); ok {
		rest = model.FigureOf(1 - explained)
	}
	p.Row(themes.Warn, "  unexplained", "", "", part(c.Unexplained), p.figure(alert.Percent, rest))
}

// left names the agents who went.
func (p *causeProse) left(c *cause) {
	const most = 8
	left := c.why.Causes.Left
	if len(left) == 0 {
		return
	}
	p.Head("Who went in the last 15 minutes")
	for _, d := range left[:min(len(left), most)] {
		what := "not ready"
		switch {
		case d.LoggedOut:
			what = "logged out"
		case d.Activity != "":
			what += ", " + p.sc.Floor.Names.Of(model.NameActivity, d.Activity)
		}
		text := "  " + string(p.Look.Format.Clock(nil, d.At)) + "  " + p.sc.Floor.AgentName(d.Username) + ": " + what
		p.Add(form.Wrap(text, p.Width)...)
	}
	if more := len(left) - most; more > 0 {
		p.Text(themes.Dim, "  and "+p.Look.Count(more)+" more")
	}
}
