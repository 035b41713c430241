package ui

import (
	"context"
	"reflect"

	tea "charm.land/bubbletea/v2"

	"wallboard/themes"
	"wallboard/ui/dialog"
	"wallboard/ui/look"
	"wallboard/ui/task"
)

// Reload is what a changed configuration makes of a running board.
type Reload struct {
	// Options are those of the new configuration. Source, Context, Now, Retry, Beat,
	// Save, Deeds and Reloads stay those of the board, whatever stands here, and so
	// do Location but at a kiosk, and Keep but Elsewhere.
	Options Options
	// Elsewhere tells that the source has turned to another platform: what the
	// board knows of alerts and figures of the past is of the one before.
	Elsewhere bool
	// Problem says why the new configuration cannot be used; the board stays as
	// it is then, and Options are not looked at. "" takes an earlier one away.
	Problem string
	// Question is asked before the new configuration can be used; nil: none is. One
	// that an earlier change asked is closed.
	Question *Question
	// Notice is said in the footer; "" is nothing.
	Notice string
	// Unchanged tells that the configuration means what it meant before.
	Unchanged bool
	// Taken is called once the board goes by the new Options; nil: nobody asks.
	Taken func()
}

// Question is what somebody at the board has to answer.
type Question struct {
	Title, Text string
	Lines       []string // what is to be known before it is answered
	Yes, No     string   // the buttons
	Word        string   // must be typed before yes can be answered
	Then        func()   // is called on yes; it must not wait
}

// aboutReload is the topic of the question about a changed configuration.
const aboutReload = "configuration"

// askOf asks what a changed configuration wants to know.
func (m *Model) askOf(r Reload) tea.Cmd {
	if q := m.dialogs.Asked(aboutReload); q != nil {
		m.dialogs.Close(q)
		m.touch()
	}
	if r.Question == nil || m.scene.wall != nil {
		return nil
	}
	m.touch()
	q := dialog.Question{
		Topic: aboutReload,
		Name:  r.Question.Title, Text: r.Question.Text, Yes: r.Question.Yes, No: r.Question.No, Word: r.Question.Word,
		Then: func(bool) tea.Cmd { r.Question.Then(); return nil },
	}
	for _, l := range r.Question.Lines {
		q.Lines = append(q.Lines, m.scene.look.Said(themes.Text, l, dialog.QuestionWidth)...)
	}
	return m.dialogs.Ask(q)
}

// reloadMsg brings a changed configuration.
type reloadMsg struct{ reload Reload }

// waitReload waits for the next change of the configuration.
func waitReload(ctx context.Context, reloads <-chan Reload) tea.Cmd {
	if reloads == nil {
		return nil
	}
	return task.Guard(func() tea.Msg {
		select {
		case r, ok := <-reloads:
			if ok {
				return reloadMsg{r}
			}
		case <-ctx.Done():
		}
		return nil
	})
}

// reload takes a changed configuration over, and keeps what the viewer has done:
// his page, selections, filters, what he has opened and frozen.
func (m *Model) reload(r Reload) tea.Cmd {
	cmds := []tea.Cmd{waitReload(m.scene.Context, m.scene.Reloads)}
	if m.problem != r.Problem {
		m.problem = r.Problem
		m.touch()
	}
	if r.Problem == "" && !r.Unchanged {
		cmds = append(cmds, m.adopt(r.Options, r.Elsewhere))
	}
	cmds = append(cmds, m.askOf(r))
	if r.Notice != "" {
		cmds = append(cmds, m.say(r.Notice))
	}
	if r.Taken != nil {
		r.Taken()
	}
	return tea.Batch(cmds...)
}

// adopt goes on by other options.
func (m *Model) adopt(o Options, elsewhere bool) tea.Cmd {
	sc := m.scene
	old := *sc.Options
	o.Source, o.Context, o.Now, o.Retry, o.Reloads = old.Source, old.Context, old.Now, old.Retry, old.Reloads
	o.Beat, o.Save, o.Deeds = old.Beat, old.Save, old.Deeds
	if !elsewhere {
		o.Keep = old.Keep
	}
	if o.Kiosk == nil || old.Kiosk == nil { // that is what the board was opened as
		o.Kiosk, o.Location = old.Kiosk, old.Location
	}
	o = o.withDefaults()
	if elsewhere {
		m.moved()
	} else {
		sc.alerts.Keep(adopted(o.Alerts, old.Alerts))
	}
	rebuild := sc.alerts.Use(o.Alerts, o.Keep) || o.ASCII != old.ASCII || o.Flash != old.Flash ||
		!reflect.DeepEqual(o.Pages, old.Pages) || o.History != old.History
	if o.History != old.History {
		sc.usual.Use(o.History)
	}
	*sc.Options = o
	sc.floor.Names = o.Names
	m.actions.Use(o.Controller)
	m.control = controlOf(o.Controller)
	cmd := m.retheme(old)
	if rebuild {
		sameHistory := o.History == old.History && o.ASCII == old.ASCII && o.Flash == old.Flash
		m.setPages(func() { m.pages.reset(sc.panes(), o.Pages, sameHistory) })
	}
	if sc.wall != nil {
		sc.wall.Follow(sc.setup())
	}
	sc.alerts.Look()
	m.touch()
	return cmd
}

// moved lets go of what is known of another platform. The picture of that is there
// until the next one has come, marked as old.
func (m *Model) moved() {
	sc := m.scene
	sc.alerts.Restart()
	if sc.Source == nil {
		return
	}
	s := sc.Source.Latest()
	if sc.wall != nil {
		s = sc.wall.Take(s, sc.Now())
	}
	sc.floor.Replace(s)
}

// retheme takes the theme of new options, unless it is that of the options
// before: then the viewer may have chosen another one meanwhile.
func (m *Model) retheme(old Options) tea.Cmd {
	sc := m.scene
	auto := sc.LightTheme.Name != ""
	theme, chosen := sc.Theme, sc.look.Chosen
	var cmd tea.Cmd
	if theme.Name == old.Theme.Name && auto == (old.LightTheme.Name != "") {
		theme = sc.asDefined(sc.look.Theme)
	} else if chosen = !auto; auto {
		m.asking, cmd = true, tea.RequestBackgroundColor
	}
	m.relook(func(o *look.Options) { o.Theme, o.Chosen = theme, chosen })
	return cmd
}

// asDefined returns a theme as the present options define it.
func (sc *scene) asDefined(t themes.Theme) themes.Theme {
	for _, now := range append([]themes.Theme{sc.Theme, sc.LightTheme}, sc.Themes...) {
		if now.Name == t.Name {
			return now
		}
	}
	return t
}
