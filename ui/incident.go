package ui

import (
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/internal/alert"
	"wallboard/internal/phrases"
	"wallboard/ui/alerts"
	"wallboard/ui/dialog"
	"wallboard/ui/dialogs"
	"wallboard/ui/keymap"
	"wallboard/ui/replay"
)

// noRecordingReason returns the reason why the board cannot rewind.
func (sc *scene) noRecordingReason() string {
	if sc.floor.Replay {
		return "This is a recording itself: its keys and :at 14:05 lead to other times."
	}
	return "Nothing is recorded: [record] of the configuration switches it on."
}

// cannotSaveReason returns the reason why nothing can be saved.
func (sc *scene) cannotSaveReason() string {
	if sc.Memory.Queue != nil && sc.hasRecording() {
		return "Nothing is saved on the server. Whoever runs it can: wallboard record cut."
	}
	return sc.noRecordingReason()
}

// saveIncident saves the recording around the current instant to a file and says where. It
// covers the given alerts, or all active ones if here is empty.
func saveIncident(stack *dialog.Stack, sc *scene, r *replay.Replay, selected []alert.Alert) tea.Cmd {
	if sc.Memory.Save == nil {
		return stack.Say(sc.cannotSaveReason())
	}
	at, zone := sc.floor.Server(sc.Now()), sc.look.Zone()
	if r != nil {
		at = r.At()
	}
	if len(selected) == 0 {
		selected = sc.Alerts.Active()
	}
	from, to := alerts.Incident(at, selected)
	ctx, save := sc.Context, sc.Memory.Save
	return tea.Batch(stack.Say("The incident is being saved."), dialog.Guard(func() tea.Msg {
		path, err := save(ctx, from, to)
		if err != nil {
			return dialog.NoticeMsg{Text: "The incident could not be saved: " + err.Error()}
		}
		return dialog.NoticeMsg{Text: "Saved from " + phrases.Clock(from, zone) + " on: " + path}
	}))
}

// incidentCommands returns the palette's commands for saving, nil if nothing is recorded.
func incidentCommands(k *keymap.Rewind, stack *dialog.Stack, sc *scene, r *replay.Replay, selected []alert.Alert) []dialog.Command {
	if sc.Memory.Save == nil {
		return nil
	}
	return []dialog.Command{{
		Name: "save incident: a file of what happened, for a ticket", Key: k.Save.Help().Key,
		Run: func() tea.Cmd { return saveIncident(stack, sc, r, selected) },
	}}
}

// tryTyped returns the command for a line such as "try longest wait.for=30s..5m". It
// returns nil if the line is no such command or nothing is recorded.
func tryTyped(stack *dialog.Stack, sc *scene, line string) []dialog.Command {
	word, sweep, _ := strings.Cut(strings.TrimSpace(line), " ")
	sweep = strings.TrimSpace(sweep)
	dot, values := strings.LastIndexByte(sweep, '.'), strings.IndexByte(sweep, '=')
	for values > 0 && dot > values { // skip dots within the values
		dot = strings.LastIndexByte(sweep[:dot], '.')
	}
	if sc.Memory.Backtest == nil || !strings.EqualFold(word, "try") || dot < 1 || values < dot {
		return nil
	}
	at := sc.backtestInstant()
	return []dialog.Command{{Name: "try on " + dialogs.BacktestDay(at) + ": " + sweep, Run: func() tea.Cmd {
		return dialogs.OpenBacktest(stack, sc.Names, sc.Memory.Backtest, at, strings.TrimSpace(sweep[:dot]), sweep)
	}}}
}

// backtestInstant returns an instant of the day for backtests: the instant of the replay, or zero
// on a live board.
func (sc *scene) backtestInstant() time.Time {
	if !sc.floor.Replay {
		return time.Time{}
	}
	return sc.floor.Server(sc.floor.Ours).In(sc.look.Zone()) // in the time zone of the header's clock
}

// tryCommands returns commands that backtest the rules of the given alerts on the current
// day.
func tryCommands(stack *dialog.Stack, sc *scene, selected []alert.Alert) (out []dialog.Command) {
	if sc.Memory.Backtest == nil {
		return nil
	}
	seen, at := make(map[string]bool), sc.backtestInstant()
	for i := range selected {
		rule := selected[i].Rule
		if seen[rule] {
			continue
		}
		seen[rule] = true
		out = append(out, dialog.Command{
			Name: "try the rule on " + dialogs.BacktestDay(at) + ": " + rule, Keywords: "backtest sweep replay level duration",
			Run: func() tea.Cmd { return dialogs.OpenBacktest(stack, sc.Names, sc.Memory.Backtest, at, rule, "") },
		})
	}
	return out
}
