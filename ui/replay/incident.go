package replay

import (
	"path/filepath"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/internal/alert"
	"wallboard/internal/words"
	"wallboard/ui/alerts"
	"wallboard/ui/boarddialogs"
	"wallboard/ui/dialog"
	"wallboard/ui/render"
)

// NoRecordingReason returns a message that tells the viewer why the board cannot rewind.
func (b *BoardArchive) NoRecordingReason() words.Text {
	if b.Floor.Replay {
		return words.ReplayIsRecording()
	}
	return words.ReplayNotRecorded()
}

// cannotSaveReason returns a message that tells the viewer why no incident can be saved.
func (b *BoardArchive) cannotSaveReason() words.Text {
	if b.Queue != nil && b.hasRecording() {
		return words.ReplayNotSavedHere()
	}
	return b.NoRecordingReason()
}

// SaveIncident returns a command that saves the recording around an incident to a file and shows its
// path. With a review, it also saves the review and shows it. If review is nil, the file covers the
// selected alerts until the current instant, or all active alerts if none are selected.
func (b *BoardArchive) SaveIncident(stack *dialog.Stack, selected []alert.Alert, review *boarddialogs.IncidentReview) tea.Cmd {
	if b.Save == nil && review == nil {
		return stack.ShowMessage(b.Look.Translate(b.cannotSaveReason()))
	}
	at, lk := b.Floor.ToServerTime(b.Now()), b.Look
	if b.Replay != nil {
		at = b.Replay.At()
	}
	if review != nil {
		at, selected = review.Incident.EndTime(at), review.Incident.Alerts
	}
	if len(selected) == 0 {
		selected = b.Alerts.Active()
	}
	from, to := alerts.IncidentRange(at, selected)
	ctx, save, missing := b.Context, b.Save, b.cannotSaveReason()
	if review == nil {
		return tea.Batch(stack.ShowMessage(lk.Translate(words.ReplaySaving())), dialog.RecoverPanic(func() tea.Msg {
			path, err := save(ctx, from, to)
			text := words.ReplaySaved(words.ClockOf(from, lk.Zone()), path)
			if err != nil {
				text = words.ReplayIncidentNotSaved(words.TextOf(err))
			}
			return dialog.NoticeMsg{Text: lk.Translate(text)}
		}))
	}
	saveReview := review.Prepare(b.CostFunc(), b.earlierRuleFinder())
	return boarddialogs.OpenReview(stack, review.Incident.Place.Title, func() boarddialogs.SavedReview {
		recording := ""
		var err error
		if save != nil {
			if recording, err = save(ctx, from, to); err != nil {
				recording, missing = "", words.ReplayRecordingNotSaved(words.TextOf(err))
			}
		}
		path, text, err := saveReview(ctx, recording, lk.Translate(missing))
		saved := words.ReplayReviewAndRecording(path, filepath.Base(recording))
		switch {
		case err != nil:
			saved = words.ReplayReviewNotSaved(words.TextOf(err))
		case recording == "":
			saved = words.ReplayReviewOnly(path, missing)
		}
		return boarddialogs.SavedReview{Text: text, Saved: lk.Translate(saved)}
	})
}

// IncidentCommands returns the palette command that saves an incident. It returns nil if saving is
// disabled and review is nil.
func (b *BoardArchive) IncidentCommands(k *Keys, stack *dialog.Stack, selected []alert.Alert, review *boarddialogs.IncidentReview) []dialog.Command {
	if b.Save == nil && review == nil {
		return nil
	}
	name := words.ReplayCommandSave()
	if review != nil {
		name = words.ReplayCommandReview(review.Incident.Place.Title)
	}
	return []dialog.Command{{
		Name: b.Look.Translate(name), Keywords: b.Look.Translate(words.ReplayCommandSaveWords()), Key: k.Save.Help().Key,
		Run: func() tea.Cmd { return b.SaveIncident(stack, selected, review) },
	}}
}

// ParseBacktest returns the command for a line such as "try longest wait.for=30s..5m", which tests a
// rule with several values on a recorded day. It returns nil for any other line, or if backtests
// are disabled.
func (b *BoardArchive) ParseBacktest(stack *dialog.Stack, line string) []dialog.Command {
	word, sweep, _ := strings.Cut(strings.TrimSpace(line), " ")
	sweep = strings.TrimSpace(sweep)
	dot, values := strings.LastIndexByte(sweep, '.'), strings.IndexByte(sweep, '=')
	for values > 0 && dot > values { // skips dots that belong to the values
		dot = strings.LastIndexByte(sweep[:dot], '.')
	}
	if b.Backtest == nil || !strings.EqualFold(word, "try") || dot < 1 || values < dot {
		return nil
	}
	at := b.backtestInstant()
	return []dialog.Command{{Name: b.Look.Translate(words.ReplayCommandTry(boarddialogs.BacktestDayText(at), sweep)), Run: func() tea.Cmd {
		return boarddialogs.OpenBacktest(stack, b.Names, b.Backtest, at, strings.TrimSpace(sweep[:dot]), sweep)
	}}}
}

// backtestInstant returns a time on the day on which rules are tested: the replayed time during a
// replay, or the zero time, which means today, on a live board.
func (b *BoardArchive) backtestInstant() time.Time {
	if !b.Floor.Replay {
		return time.Time{}
	}
	return b.Floor.ToServerTime(b.Floor.LocalNow).In(b.Look.Zone()) // in the time zone of the clock in the header
}

// BacktestCommands returns a palette command for each rule of the selected alerts. The command
// tests the rule on the day on the screen. BacktestCommands returns nil if backtests are disabled.
func (b *BoardArchive) BacktestCommands(stack *dialog.Stack, selected []alert.Alert) (out []dialog.Command) {
	if b.Backtest == nil {
		return nil
	}
	seen, at := make(map[string]bool), b.backtestInstant()
	for i := range selected {
		rule := selected[i].Rule
		if seen[rule] {
			continue
		}
		seen[rule] = true
		out = append(out, dialog.Command{
			Name: b.Look.Translate(words.ReplayCommandTest(boarddialogs.BacktestDayText(at), render.RuleLabel(rule, b.Look.Format.Words))), Keywords: b.Look.Translate(words.ReplayCommandTestWords()),
			Run: func() tea.Cmd { return boarddialogs.OpenBacktest(stack, b.Names, b.Backtest, at, rule, "") },
		})
	}
	return out
}
