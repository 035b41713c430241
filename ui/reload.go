package ui

import (
	"context"
	"maps"
	"reflect"

	tea "charm.land/bubbletea/v2"

	"wallboard/themes"
	"wallboard/ui/dialog"
	"wallboard/ui/task"
)

// Reload is what a changed configuration makes of a running board.
type Reload struct {
	// Options are those of the new configuration. Source, Context, Now, Retry, Beat,
	// Save, Tables, Commands, Beside and Reloads stay those of the board, whatever stands here, and so
	// do Location but at a kiosk, and Deeds but Elsewhere.
	Options Options
	// Elsewhere tells that the source has turned to another platform: what the
	// board knows of alerts and earlier figures is of the one before.
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

// ask puts a question, and takes away the one that an earlier change asked.
func (q *Question) ask(on *dialog.Stack) tea.Cmd {
	if before := on.Asked(aboutReload); before != nil {
		on.Close(before)
	}
	if q == nil {
		return nil
	}
	out := dialog.Question{
		Topic: aboutReload,
		Name:  q.Title, Text: q.Text, Yes: q.Yes, No: q.No, Word: q.Word,
		Then: func(bool) tea.Cmd { q.Then(); return nil },
	}
	for _, l := range q.Lines {
		out.Lines = append(out.Lines, on.Look().Said(themes.Text, l, dialog.QuestionWidth)...)
	}
	return on.Ask(out)
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
// their page, selections, filters, what they have opened and frozen.
func (m *Model) reload(r Reload) tea.Cmd {
	cmds := []tea.Cmd{waitReload(m.scene.Context, m.scene.Reloads)}
	if m.problem != r.Problem {
		m.problem = r.Problem
		m.touch()
	}
	if r.Problem == "" && !r.Unchanged {
		cmds = append(cmds, m.adopt(r.Options, r.Elsewhere))
	}
	if r.Question != nil || m.dialogs.Asked(aboutReload) != nil {
		m.touch()
	}
	if m.scene.wall == nil { // nobody at a kiosk can answer
		cmds = append(cmds, r.Question.ask(m.dialogs))
	}
	if r.Notice != "" {
		cmds = append(cmds, m.say(r.Notice))
	}
	if r.Taken != nil {
		r.Taken()
	}
	return tea.Batch(cmds...)
}

// following returns the options that a board goes on by which has had others: see
// [Reload].
func (o Options) following(old *Options, elsewhere bool) Options {
	o.Source, o.Context, o.Now, o.Retry, o.Reloads = old.Source, old.Context, old.Now, old.Retry, old.Reloads
	o.Beat, o.Marked, o.Save, o.Tables, o.Commands, o.Beside = old.Beat, old.Marked, old.Save, old.Tables, old.Commands, old.Beside
	o.Memory.Coming = old.Memory.Coming
	if o.Memory.Open != nil && old.Memory.Open == nil { // whether it records was decided at the start
		o.Memory.Open = nil
	}
	if !elsewhere {
		o.Deeds = old.Deeds
	}
	if o.Kiosk == nil || old.Kiosk == nil { // that is what the board was opened as
		o.Kiosk, o.Location = old.Kiosk, old.Location
	}
	return o.withDefaults()
}

// adopt goes on by other options.
func (m *Model) adopt(o Options, elsewhere bool) tea.Cmd {
	sc := m.scene
	old := *sc.Options
	o = o.following(&old, elsewhere)
	if elsewhere {
		sc.moved()
	}
	rebuild := sc.alerts.Use(o.Alerts) || o.ASCII != old.ASCII || o.Flash != old.Flash ||
		!reflect.DeepEqual(o.Pages, old.Pages) || o.History != old.History
	otherKeys := !maps.Equal(o.Keys, old.Keys)
	if otherKeys {
		*m.keys = keyMapOf(o.Keys)
		m.keys.Retry.SetEnabled(o.Retry != nil)
		m.keys.NextPlatform.SetEnabled(len(o.Beside) > 0)
		rebuild = true
	}
	if o.History != old.History {
		sc.baseline.Use(o.History)
	}
	*sc.Options = o
	if !elsewhere {
		sc.renamed()
	}
	sc.outlook.Use(o.Alerts, o.Breaks)
	sc.worked.Forget()
	sc.floor.Names = o.Names
	m.actions.Use(o.Controller)
	m.control = controlOf(o.Controller)
	cmd := m.themer.follow(&old)
	m.restyle()
	if rebuild {
		sameHistory := !otherKeys && o.History == old.History && o.ASCII == old.ASCII && o.Flash == old.Flash
		m.pages.reset(sc.panes(), o.Pages, sameHistory)
		sc.nowKeys = nowKeys(m.keys, &m.pages, sc.floor.Past)
	}
	if sc.wall != nil {
		sc.wall.Follow(sc.setup())
	}
	if m.reel.Looks() {
		sc.alerts.Look()
	} else {
		sc.alerts.Unseen()
	}
	m.touch()
	return cmd
}

// renamed shows the newest picture as the source has it now: people may be called
// otherwise in it.
func (sc *scene) renamed() {
	if sc.Source == nil {
		return
	}
	if s := sc.Source.Latest(); s != nil {
		sc.floor.Replace(s)
	}
}

// moved lets go of what is known of another platform. The picture of that is there
// until the next one has come, marked as old.
func (sc *scene) moved() {
	sc.alerts.Restart()
	sc.outlook.Restart()
	sc.worked.Forget()
	if sc.Source == nil {
		return
	}
	sc.floor.Leap(sc.Source.Latest())
}
