package alerts

import (
	"errors"
	"strconv"
	"strings"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"wallboard/alert"
	"wallboard/model"
	"wallboard/ui/dialog"
	"wallboard/ui/form"
	"wallboard/ui/look"
	"wallboard/ui/palette"
)

// usualSnooze is how long a snooze is that nobody gives another length.
const usualSnooze = "15m"

// Silences are those that are in force, the first to end first. Names that must not
// be seen are taken out.
func (w *Watch) Silences() []alert.Quiet { return w.silences }

// Snooze asks for how long some alerts are to be quiet, none for everything; where
// all of them are already, whether they are to be heard again. user is who asks.
func (w *Watch) Snooze(on *dialog.Stack, alerts []alert.Alert, user string) tea.Cmd {
	if len(alerts) > 0 && allSilent(alerts) {
		return w.askWake(on, alerts, user)
	}
	title, zone := w.title(alerts), on.Look().Zone()
	fields := []form.Field{{
		ID: "for", Label: "For how long", Value: usualSnooze, Required: true, Max: 20,
		Hint: "15m, 1h30m, or until a time of day like 14:15",
		Check: func(s string) error {
			_, err := w.span(s, zone)
			return err
		},
	}}
	d := dialog.NewForm(on, "Snooze: "+titleOr(title), "Snooze", fields, zone)
	d.About = func() string {
		said := "It stays on the screen, dimmed. No bell, no message and no line of status tells of it, on any board of this user. "
		if w.company {
			said = "It stays on the screens, dimmed. No bell, no message and no line of status tells anybody of it. "
		}
		if len(alerts) == 0 || worst(alerts) == alert.Critical {
			return said + "It ends by itself."
		}
		return said + "It ends by itself, and what becomes critical is told at once."
	}
	d.Done = func() tea.Cmd {
		span, err := w.span(d.Fields.Value("for"), zone)
		if err != nil {
			return d.Say(err.Error())
		}
		on.Close(d)
		return on.Say(w.snooze(on.Look(), alerts, user, span))
	}
	return on.Open(d)
}

func allSilent(alerts []alert.Alert) bool {
	for i := range alerts {
		if alerts[i].Silent.IsZero() {
			return false
		}
	}
	return true
}

func worst(alerts []alert.Alert) alert.Level {
	level := alert.Normal
	for i := range alerts {
		level = max(level, alerts[i].Level)
	}
	return level
}

// askWake asks whether snoozed alerts are to be heard again.
func (w *Watch) askWake(on *dialog.Stack, alerts []alert.Alert, user string) tea.Cmd {
	return on.Ask(dialog.Question{
		Name: "Silent until " + clockOf(on.Look(), alerts[0].Silent), Text: "End the snooze of " + w.title(alerts) + " now?",
		Yes: "End the snooze", Then: func(bool) tea.Cmd { return on.Say(w.wake(alerts, user)) },
	})
}

// wake ends the snoozes of some alerts, none for all of them, and says so.
func (w *Watch) wake(alerts []alert.Alert, user string) string {
	if err := w.record(&Deed{Kind: Wake, By: user, About: titleOr(w.title(alerts))}); err != nil {
		return "Still silent: " + err.Error()
	}
	n := w.engine.Silencer().Wake(alerts, w.now())
	w.Look()
	if n == 0 {
		return "It is silent by the configuration: see [[silence]]."
	}
	return "No longer silent: " + titleOr(w.title(alerts)) + "."
}

// snooze keeps alerts quiet for a while and says so.
func (w *Watch) snooze(lk *look.Look, alerts []alert.Alert, user string, span time.Duration) string {
	z := alert.NewSnooze(alerts, w.title(alerts), user, span, w.now())
	if err := w.record(&Deed{Kind: Snooze, By: user, About: titleOr(z.Title), Grave: z.Level >= alert.Critical, Until: z.Until}); err != nil {
		return "Not snoozed: " + err.Error()
	}
	w.engine.Silencer().Snooze(z)
	w.Look()
	return "Silent until " + clockOf(lk, z.Until) + ": " + titleOr(z.Title) + "."
}

func (w *Watch) now() time.Time { return w.floor.Server(w.floor.Ours) }

func clockOf(lk *look.Look, t time.Time) string { return t.In(lk.Zone()).Format("15:04") }

// titleOr is the title of a silence, which of everything has none.
func titleOr(title string) string {
	if title == "" {
		return "everything"
	}
	return title
}

// title names the records of alerts: "Contracts PT, Billing EN and 2 more"; "" for
// everything.
func (w *Watch) title(alerts []alert.Alert) string {
	var names []string
	seen := make(map[alert.Key]bool)
	for i := range alerts {
		k := alerts[i].Key
		if seen[k] {
			continue
		}
		seen[k] = true
		name := k.Name(w.floor.Names)
		switch k.Scope { //nolint:exhaustive // the others have the names of their codes
		case alert.Feed:
			name = "connection"
		case alert.Floor:
			name = "the whole floor"
		case alert.User:
			name = w.floor.AgentName(k.Code)
		}
		if k.Channel != "" && k.Channel != model.Call {
			name += " (" + strings.ToLower(string(k.Channel)) + ")"
		}
		names = append(names, name)
	}
	const most = 2
	switch n := len(names); {
	case n > most+1:
		return strings.Join(names[:most], ", ") + " and " + strconv.Itoa(n-most) + " more"
	default:
		return strings.Join(names, ", ")
	}
}

var (
	errSpan  = errors.New("write how long, like 15m or 1h30m, or a time of day, like 14:15")
	errShort = errors.New("a snooze lasts a minute at least, and 12 hours at most")
)

// span reads how long a snooze is to be: a length, minutes without a unit, or the
// time of day when it ends.
func (w *Watch) span(text string, zone *time.Location) (time.Duration, error) {
	text = strings.ToLower(strings.TrimSpace(text))
	span, err := time.ParseDuration(strings.ReplaceAll(text, " ", ""))
	if err != nil {
		span, err = time.ParseDuration(text + "m")
	}
	if err != nil {
		at, wrong := time.Parse("15:04", strings.TrimSpace(strings.TrimPrefix(text, "until")))
		if wrong != nil {
			return 0, errSpan
		}
		now := w.now().In(zone)
		end := time.Date(now.Year(), now.Month(), now.Day(), at.Hour(), at.Minute(), 0, 0, now.Location())
		if !end.After(now) {
			end = end.AddDate(0, 0, 1)
		}
		span = end.Sub(now)
	}
	if span < alert.ShortestSnooze || span > alert.LongestSnooze {
		return 0, errShort
	}
	return span, nil
}

// Commands are those of the palette about silences, of which a key does the first. here
// are the alerts about what the viewer points at.
func (w *Watch) Commands(on *dialog.Stack, here []alert.Alert, user string, does key.Binding) []palette.Command {
	var out []palette.Command
	if len(here) > 0 {
		out = append(out, palette.Command{
			Name: "snooze " + w.title(here), Also: "silence quiet mute",
			Run: func() tea.Cmd { return w.Snooze(on, here, user) },
		})
	}
	out = append(out, palette.Command{
		Name: "snooze everything", Also: "silence quiet mute all",
		Run: func() tea.Cmd { return w.Snooze(on, nil, user) },
	})
	out[0].Key = does.Help().Key
	if len(w.silences) > 0 {
		out = append(out, palette.Command{
			Name: "end every snooze", Also: "wake silence quiet mute hear again",
			Run: func() tea.Cmd { return on.Say(w.wake(nil, user)) },
		})
	}
	return out
}

// Typed returns the command of a line like "snooze 15m" or "snooze all 1h": nil
// where it is none. Without "all" it is about here, and where that is nothing about
// everything.
func (w *Watch) Typed(on *dialog.Stack, line string, here []alert.Alert, user string) []palette.Command {
	rest, is := strings.CutPrefix(strings.ToLower(strings.TrimSpace(line)), "snooze ")
	if !is {
		return nil
	}
	about, all := here, false
	for _, word := range []string{"all ", "everything "} {
		if short, is := strings.CutPrefix(strings.TrimSpace(rest), word); is {
			about, rest, all = nil, short, true
		}
	}
	span, err := w.span(strings.TrimPrefix(strings.TrimSpace(rest), "for "), on.Look().Zone())
	if err != nil || len(about) == 0 && !all {
		return nil
	}
	until := clockOf(on.Look(), w.now().Add(span))
	return []palette.Command{{
		Name: "snooze " + titleOr(w.title(about)) + " until " + until,
		Run:  func() tea.Cmd { return on.Say(w.snooze(on.Look(), about, user, span)) },
	}}
}
