package alerts

import (
	"errors"
	"strconv"
	"strings"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"wallboard/internal/alert"
	"wallboard/internal/phrases"
	"wallboard/model"
	"wallboard/model/contact"
	"wallboard/ui/dialog"
	"wallboard/ui/style"
)

// defaultSnooze is the length of a snooze that the form proposes.
const defaultSnooze = "15m"

// Silences returns the active snoozes of viewers and the active silences of the configuration,
// sorted by the time at which they end. Names are masked.
func (w *BoardAlerts) Silences() []alert.ActiveSilence { return w.silences }

// Snooze opens a form that snoozes the given alerts. If there are no alerts, the form snoozes
// everything. If all given alerts are already silent, Snooze asks whether to end the snooze
// instead. user is the name of the viewer.
func (w *BoardAlerts) Snooze(dialogs *dialog.Stack, alerts []alert.Alert, user string) tea.Cmd {
	if len(alerts) > 0 && allSilent(alerts) {
		return w.askEndSnooze(dialogs, alerts, user)
	}
	title, zone := w.title(alerts), dialogs.Look().Zone()
	fields := []dialog.Field{{
		ID: "for", Label: "For how long", Value: defaultSnooze, Required: true, MaxLength: 20,
		Hint: "15m, 1h30m, or until a time of day like 14:15",
		Check: func(s string) error {
			_, err := w.parseSpan(s, zone)
			return err
		},
	}}
	d := dialog.NewForm(dialogs, "Snooze: "+titleOrEverything(title), "Snooze", fields, zone)
	d.Remark = func() string {
		said := "It stays on the screen, dimmed. No bell, no message and no line of status tells of it, on any board of this user. "
		if w.visibleToOthers {
			said = "It stays on the screens, dimmed. No bell, no message and no line of status tells anybody of it. "
		}
		if len(alerts) == 0 || highestLevel(alerts) == alert.Critical {
			return said + "It ends by itself."
		}
		return said + "It ends by itself, and what becomes critical is told at once."
	}
	d.OnSubmit = func() tea.Cmd {
		span, err := w.parseSpan(d.Fields.Value("for"), zone)
		if err != nil {
			return d.Say(err.Error())
		}
		dialogs.Close(d)
		return dialogs.Say(w.snooze(dialogs.Look(), alerts, user, span))
	}
	return dialogs.Open(d)
}

func allSilent(alerts []alert.Alert) bool {
	for i := range alerts {
		if alerts[i].SilentUntil.IsZero() {
			return false
		}
	}
	return true
}

func highestLevel(alerts []alert.Alert) alert.Level {
	level := alert.Normal
	for i := range alerts {
		level = max(level, alerts[i].Level)
	}
	return level
}

// askEndSnooze asks the viewer whether to end the snoozes of the alerts.
func (w *BoardAlerts) askEndSnooze(dialogs *dialog.Stack, alerts []alert.Alert, user string) tea.Cmd {
	return dialogs.Ask(dialog.Question{
		Name: "Silent until " + phrases.Clock(alerts[0].SilentUntil, dialogs.Look().Zone()), Text: "End the snooze of " + w.title(alerts) + " now?",
		YesLabel: "End the snooze", OnYes: func(bool) tea.Cmd { return dialogs.Say(w.endSnoozes(alerts, user)) },
	})
}

// endSnoozes ends the snoozes of the alerts. If alerts is empty, it ends all snoozes. It returns a
// message for the viewer, also if recording the action fails.
func (w *BoardAlerts) endSnoozes(alerts []alert.Alert, user string) string {
	if err := w.recordAction(&Action{Kind: Wake, By: user, RecordNames: titleOrEverything(w.title(alerts))}); err != nil {
		return "Still silent: " + err.Error()
	}
	n := w.engine.Silencer().EndSnoozes(alerts, w.serverNow())
	w.Refresh()
	if n == 0 {
		return "It is silent by the configuration: see [[silence]]."
	}
	return "No longer silent: " + titleOrEverything(w.title(alerts)) + "."
}

// snooze silences the alerts for the duration span. If alerts is empty, it silences everything. It
// returns a message for the viewer, also if recording the action fails.
func (w *BoardAlerts) snooze(lk *style.Look, alerts []alert.Alert, user string, span time.Duration) string {
	z := alert.NewSnooze(alerts, w.title(alerts), user, span, w.serverNow())
	if err := w.recordAction(&Action{Kind: Snooze, By: user, RecordNames: titleOrEverything(z.Title), Critical: z.Level >= alert.Critical, Until: z.Until}); err != nil {
		return "Not snoozed: " + err.Error()
	}
	w.engine.Silencer().Snooze(z)
	w.Refresh()
	return "Silent until " + phrases.Clock(z.Until, lk.Zone()) + ": " + titleOrEverything(z.Title) + "."
}

func (w *BoardAlerts) serverNow() time.Time { return w.floor.ToServerTime(w.floor.LocalNow) }

// titleOrEverything returns title, or "everything" if title is "".
func titleOrEverything(title string) string {
	if title == "" {
		return "everything"
	}
	return title
}

// title returns the names of the records to which the alerts belong: "Contracts PT, Billing EN and
// 2 more". It returns "" if there are no alerts.
func (w *BoardAlerts) title(alerts []alert.Alert) string {
	var names []string
	seen := make(map[alert.Key]bool)
	for i := range alerts {
		k := alerts[i].Key
		if seen[k] {
			continue
		}
		seen[k] = true
		name := k.Name(w.floor.Names, w.floor.Shown)
		switch k.Scope { //nolint:exhaustive // other scopes have named codes
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
	errSpanFormat = errors.New("write how long, like 15m or 1h30m, or a time of day, like 14:15")
	errSpanRange  = errors.New("a snooze lasts a minute at least, and 12 hours at most")
)

// parseSpan parses the length of a snooze: a duration, or the time of day at which the snooze ends.
// A number without a unit is a number of minutes. The error is a sentence for the viewer.
func (w *BoardAlerts) parseSpan(text string, zone *time.Location) (time.Duration, error) {
	text = strings.ToLower(strings.TrimSpace(text))
	span, err := time.ParseDuration(strings.ReplaceAll(text, " ", ""))
	if err != nil {
		span, err = time.ParseDuration(text + "m")
	}
	if err != nil {
		now := w.serverNow().In(zone)
		end, ok := contact.NextTimeOfDay(strings.TrimSpace(strings.TrimPrefix(text, "until")), now)
		if !ok {
			return 0, errSpanFormat
		}
		span = end.Sub(now)
	}
	if span < alert.ShortestSnooze || span > alert.LongestSnooze {
		return 0, errSpanRange
	}
	return span, nil
}

// SnoozeCommands returns the palette commands for snoozes. selected holds the alerts about the
// selected record. The palette shows the key snoozeKey next to the first command.
func (w *BoardAlerts) SnoozeCommands(dialogs *dialog.Stack, selected []alert.Alert, user string, snoozeKey key.Binding) []dialog.Command {
	var out []dialog.Command
	if len(selected) > 0 {
		out = append(out, dialog.Command{
			Name: "snooze " + w.title(selected), Keywords: "silence quiet mute",
			Run: func() tea.Cmd { return w.Snooze(dialogs, selected, user) },
		})
	}
	out = append(out, dialog.Command{
		Name: "snooze everything", Keywords: "silence quiet mute all",
		Run: func() tea.Cmd { return w.Snooze(dialogs, nil, user) },
	})
	out[0].Key = snoozeKey.Help().Key
	if len(w.silences) > 0 {
		out = append(out, dialog.Command{
			Name: "end every snooze", Keywords: "wake silence quiet mute hear again",
			Run: func() tea.Cmd { return dialogs.Say(w.endSnoozes(nil, user)) },
		})
	}
	return out
}

// ParseSnooze returns the command for a line such as "snooze 15m" or "snooze all 1h". It returns
// nil for any other line. With the word "all" or "everything", the command snoozes everything,
// otherwise the alerts in selected.
func (w *BoardAlerts) ParseSnooze(dialogs *dialog.Stack, line string, selected []alert.Alert, user string) []dialog.Command {
	rest, ok := strings.CutPrefix(strings.ToLower(strings.TrimSpace(line)), "snooze ")
	if !ok {
		return nil
	}
	targets, all := selected, false
	for _, word := range []string{"all ", "everything "} {
		if span, ok := strings.CutPrefix(strings.TrimSpace(rest), word); ok {
			targets, rest, all = nil, span, true
		}
	}
	span, err := w.parseSpan(strings.TrimPrefix(strings.TrimSpace(rest), "for "), dialogs.Look().Zone())
	if err != nil || len(targets) == 0 && !all {
		return nil
	}
	until := phrases.Clock(w.serverNow().Add(span), dialogs.Look().Zone())
	return []dialog.Command{{
		Name: "snooze " + titleOrEverything(w.title(targets)) + " until " + until,
		Run:  func() tea.Cmd { return dialogs.Say(w.snooze(dialogs.Look(), targets, user, span)) },
	}}
}
