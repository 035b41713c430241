package alerts

import (
	"strings"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"wallboard/internal/alert"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/model/contact"
	"wallboard/ui/dialog"
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
	if len(alerts) > 0 && allSilenced(alerts) {
		return w.askEndSnooze(dialogs, alerts, user)
	}
	lk := dialogs.Look()
	zone := lk.Zone()
	fields := []dialog.Field{{
		ID: "for", Label: lk.Translate(words.AlertsHowLong()), Value: defaultSnooze, Required: true, MaxLength: 20,
		Hint: lk.Translate(words.AlertsHowLongHint()),
		Check: func(s string) error {
			_, err := w.parseSnoozeDuration(s, zone)
			return err
		},
	}}
	d := dialog.NewForm(dialogs, lk.Translate(words.AlertsSnoozeTitle(w.titleOrEverything(alerts))), lk.Translate(words.AlertsSnoozeButton()), fields, zone)
	d.Remark = func() string {
		effect, end := words.AlertsSnoozeOwn(), words.AlertsSnoozeEndsCritical()
		if w.visibleToOthers {
			effect = words.AlertsSnoozeShared()
		}
		if len(alerts) == 0 || highestLevel(alerts) == alert.Critical {
			end = words.AlertsSnoozeEnds()
		}
		return dialogs.Look().Translate(words.JoinSentences(effect, end))
	}
	d.OnSubmit = func() tea.Cmd {
		span, err := w.parseSnoozeDuration(d.Fields.Value("for"), zone)
		if err != nil {
			return d.ShowMessage(dialogs.Look().Translate(words.TextOf(err)))
		}
		dialogs.Close(d)
		return dialogs.ShowMessage(dialogs.Look().Translate(w.snooze(zone, alerts, user, span)))
	}
	return dialogs.Open(d)
}

func allSilenced(alerts []alert.Alert) bool {
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
	lk := dialogs.Look()
	return dialogs.OpenQuestionDialog(dialog.Question{
		Name: lk.Translate(words.AlertsSilentUntil(words.ClockOf(alerts[0].SilentUntil, lk.Zone()))), Text: lk.Translate(words.AlertsEndQuestion(w.title(alerts))),
		YesLabel: lk.Translate(words.AlertsEndSnooze()), OnYes: func(bool) tea.Cmd { return dialogs.ShowMessage(dialogs.Look().Translate(w.endSnoozes(alerts, user))) },
	})
}

// endSnoozes ends the snoozes of the alerts. If alerts is empty, it ends all snoozes. It returns a
// message for the viewer, also if recording the action fails.
func (w *BoardAlerts) endSnoozes(alerts []alert.Alert, user string) words.Text {
	title := w.titleOrEverything(alerts)
	if err := w.recordAction(&Action{Kind: EndSnooze, UserName: user, RecordNames: title.In(nil)}); err != nil {
		return words.AlertsStillSilent(words.TextOf(err))
	}
	n := w.engine.Silencer().EndSnoozes(alerts, w.serverNow())
	w.Refresh()
	if n == 0 {
		return words.AlertsConfigured()
	}
	return words.AlertsNoLongerSilent(title)
}

// snooze silences the alerts for the duration span. If alerts is empty, it silences everything. It
// returns a message for the viewer, also if recording the action fails. The snooze and the action
// are stored with their titles, which are in English.
func (w *BoardAlerts) snooze(zone *time.Location, alerts []alert.Alert, user string, span time.Duration) words.Text {
	z, title := alert.NewSnooze(alerts, w.title(alerts).In(nil), user, span, w.serverNow()), w.titleOrEverything(alerts)
	if err := w.recordAction(&Action{Kind: Snooze, UserName: user, RecordNames: title.In(nil), Critical: z.Level >= alert.Critical, Until: z.Until}); err != nil {
		return words.AlertsNotSnoozed(words.TextOf(err))
	}
	w.engine.Silencer().Snooze(z)
	w.Refresh()
	return words.AlertsSnoozed(words.ClockOf(z.Until, zone), title)
}

func (w *BoardAlerts) serverNow() time.Time { return w.floor.ToServerTime(w.floor.LocalNow) }

// titleOrEverything returns the title of the alerts, or "everything" if there are none.
func (w *BoardAlerts) titleOrEverything(alerts []alert.Alert) words.Text {
	if len(alerts) == 0 {
		return words.AlertsEverything()
	}
	return w.title(alerts)
}

// title returns the names of the records to which the alerts belong: "Contracts PT, Billing EN and
// 2 more". It returns the zero Text if there are no alerts.
func (w *BoardAlerts) title(alerts []alert.Alert) words.Text {
	var names []words.Text
	seen := make(map[alert.Key]bool)
	for i := range alerts {
		k := alerts[i].Key
		if seen[k] {
			continue
		}
		seen[k] = true
		name := words.Name(k.Name(w.floor.Names, w.floor.Shown))
		switch k.Scope { //nolint:exhaustive // other scopes have named codes
		case alert.Feed:
			name = words.AlertsConnection()
		case alert.Floor:
			name = words.AlertsWholeFloor()
		case alert.User:
			name = words.Name(w.floor.AgentName(k.Code))
		}
		if k.Channel != "" && k.Channel != model.Call {
			name = words.AlertsPlaceOn(name, words.ChannelInSentence(k.Channel))
		}
		names = append(names, name)
	}
	const most = 2
	switch n := len(names); {
	case n == 0:
		return words.Text{}
	case n > most+1:
		return words.SituationAndMore(names[:most], n-most)
	default:
		return words.List(names)
	}
}

var (
	errSnoozeFormat = words.NewError(words.AlertsSpanFormat(), nil)
	errSnoozeRange  = words.NewError(words.AlertsSpanRange(), nil)
)

// parseSnoozeDuration parses the length of a snooze: a duration, or the time of day at which the snooze ends.
// A number without a unit is a number of minutes. The error is a sentence for the viewer.
func (w *BoardAlerts) parseSnoozeDuration(text string, zone *time.Location) (time.Duration, error) {
	text = strings.ToLower(strings.TrimSpace(text))
	span, err := time.ParseDuration(strings.ReplaceAll(text, " ", ""))
	if err != nil {
		span, err = time.ParseDuration(text + "m")
	}
	if err != nil {
		now := w.serverNow().In(zone)
		end, ok := contact.NextTimeOfDay(strings.TrimSpace(strings.TrimPrefix(text, "until")), now)
		if !ok {
			return 0, errSnoozeFormat
		}
		span = end.Sub(now)
	}
	if span < alert.ShortestSnooze || span > alert.LongestSnooze {
		return 0, errSnoozeRange
	}
	return span, nil
}

// SnoozeCommands returns the palette commands for snoozes. selected holds the alerts about the
// selected record. The palette shows the key snoozeKey next to the first command.
func (w *BoardAlerts) SnoozeCommands(dialogs *dialog.Stack, selected []alert.Alert, user string, snoozeKey key.Binding) []dialog.Command {
	lk := dialogs.Look()
	var out []dialog.Command
	if len(selected) > 0 {
		out = append(out, dialog.Command{
			Name: lk.Translate(words.AlertsCommandSnooze(w.title(selected))), Keywords: lk.Translate(words.AlertsCommandSnoozeWords()),
			Run: func() tea.Cmd { return w.Snooze(dialogs, selected, user) },
		})
	}
	out = append(out, dialog.Command{
		Name: lk.Translate(words.AlertsCommandSnoozeAll()), Keywords: lk.Translate(words.AlertsCommandSnoozeAllWords()),
		Run: func() tea.Cmd { return w.Snooze(dialogs, nil, user) },
	})
	out[0].Key = snoozeKey.Help().Key
	if len(w.silences) > 0 {
		out = append(out, dialog.Command{
			Name: lk.Translate(words.AlertsCommandEndAll()), Keywords: lk.Translate(words.AlertsCommandEndAllWords()),
			Run: func() tea.Cmd { return dialogs.ShowMessage(dialogs.Look().Translate(w.endSnoozes(nil, user))) },
		})
	}
	return out
}

// ParseSnooze returns the command for a line such as "snooze 15m" or "snooze all 1h". It returns
// nil for any other line, and if there is nothing to snooze. With the word "all" or "everything",
// the command snoozes everything, otherwise the alerts in selected.
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
	span, err := w.parseSnoozeDuration(strings.TrimPrefix(strings.TrimSpace(rest), "for "), dialogs.Look().Zone())
	if err != nil || len(targets) == 0 && !all {
		return nil
	}
	lk := dialogs.Look()
	zone := lk.Zone()
	return []dialog.Command{{
		Name: lk.Translate(words.AlertsCommandSnoozeUntil(w.titleOrEverything(targets), words.ClockOf(w.serverNow().Add(span), zone))),
		Run: func() tea.Cmd {
			return dialogs.ShowMessage(dialogs.Look().Translate(w.snooze(zone, targets, user, span)))
		},
	}}
}
