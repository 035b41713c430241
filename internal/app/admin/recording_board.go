package admin

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/app"
	"wallboard/internal/config"
	"wallboard/internal/lib/textnorm"
	"wallboard/internal/record"
	"wallboard/ui"
	"wallboard/ui/pages"
	"wallboard/ui/replay"
	"wallboard/ui/term"
)

// BoardOptions returns the options of a board for a replay. They come from the configuration, which
// it changes: for codes without a configured name, it adds the names in the recording. If reopen is
// nil, the board cannot save parts of the recording or run backtests.
func BoardOptions(c *config.Config, player *record.Replay, in record.Info, reopen app.RecordingOpener) (ui.Options, error) {
	AddNames(c, in)
	o, err := app.UIOptions(c, nil)
	o.Kiosk = nil
	if zone := in.About.Location(); zone != nil {
		o.Display.Location = zone
	}
	o.Archive = replay.Archive{
		Replayed: player,
		Engine:   func() (*alert.Engine, error) { return app.NewEngine(c, c.Names()) }, HideShifts: !c.Record.AgentShifts,
		Rules: func() alert.Options { return c.AlertOptions(c.Names()) },
		Zone:  in.ForeignZone(time.Local),
	}
	if reopen != nil {
		o.Archive.Backtest = app.NewBacktest(c, reopen)
		o.Archive.Save = func(ctx context.Context, from, to time.Time) (string, error) {
			r, err := reopen()
			if err != nil {
				return "", err
			}
			return app.SaveIncident(ctx, c, r, from, to)
		}
	}
	app.LogAccess(&o.Archive, c, slog.New(slog.DiscardHandler)) // a failure to log the access was already reported when the recording was opened
	return o, err
}

// AddNames adds the names in a recording to a configuration. Configured names take precedence.
func AddNames(c *config.Config, in record.Info) {
	for _, code := range in.About.Codes {
		c.RTD.Names = append(c.RTD.Names, config.Name{Kind: code.Kind, Code: code.Code, Name: code.Name})
	}
}

// DrawCast draws a part of a recording and calls s.Frame with each frame.
func DrawCast(ctx context.Context, c *config.Config, s CastOptions) error {
	o, err := BoardOptions(c, s.Replay, s.Info, nil)
	if err != nil {
		return err
	}
	names := pages.Names()
	for _, page := range o.Navigation.Pages {
		names = append(names, page.Name)
	}
	if s.Page != "" && !slices.ContainsFunc(names, func(name string) bool { return textnorm.SameName(name, s.Page) }) {
		return app.ConfigError{Err: fmt.Errorf("--page %q: want one of %s", s.Page, strings.Join(names, ", "))}
	}
	o.Navigation.StartPage, o.Display.ASCII, o.Display.Flash, o.Display.Mouse = cmp.Or(s.Page, o.Navigation.StartPage), false, false, false
	return ui.DrawClip(ctx, o, ui.Clip{
		Size: term.Size{Width: s.Width, Height: s.Height}, From: s.From, To: s.To, Step: s.Step, WriteFrame: s.Frame,
	})
}
