package cli

import (
	"context"
	"log/slog"
	"os"
	"slices"

	"wallboard/internal/app"
	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/cli/commands"
	"wallboard/internal/config"
	"wallboard/internal/history"
	"wallboard/internal/lib/powersave"
	"wallboard/model/resource"
	"wallboard/themes"
	"wallboard/ui/pages"
	"wallboard/ui/panes"
)

// loadOptions returns the options for loading a configuration. They contain the names of
// themes, pages, panes, operations and keys that a configuration may use.
func loadOptions() config.Options {
	lib, _ := themes.OpenLibrary(config.ThemesDir()) // broken themes are reported when they are used
	return config.Options{
		Themes: slices.Concat([]string{"auto"}, lib.Names(), lib.BrokenNames()),
		Pages:  pages.Names(), PageKeys: pages.PageKeys(), CheckKeys: pages.KeyProblems, Panes: paneKinds(),
		RESTOperations: operationNames(), HistoryOperations: history.Operations(), CheckPublicKey: app.CheckPublicKey,
	}
}

// runBoard shows a board of the configured platforms on the screen or in text mode.
func (b *commandSetup) runBoard(ctx context.Context) error {
	sources, err := b.sources.boardSources()
	if err != nil {
		return err
	}
	return b.showBoards(ctx, sources...)
}

// showBoards runs the feeds of the platforms and shows the board until the viewer quits. It applies
// changes of the configuration to all platforms.
func (b *commandSetup) showBoards(ctx context.Context, sources ...app.ConfigSource) error {
	if b.textMode.enabled {
		return b.showText(ctx, sources...)
	}
	defer powersave.AvoidEarlyCollections(powersave.BoardGCPercent)()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go powersave.AdjustBoardMemory(ctx, len(sources))
	c, _, err := sources[0]()
	if err != nil {
		return err
	}
	if !b.Streams.OnTerminal() || os.Getenv("TERM") == "dumb" {
		return commands.ErrNoTerminal
	}
	level := new(slog.LevelVar)
	log, closeLog := b.StartLog(c, level)
	defer closeLog()
	defer b.hangups.AddHandler(logReopener(b.Setup))()
	board, err := b.environment().OpenLocalBoard(ctx, sources, log, level)
	if err != nil {
		return err
	}
	defer board.Close()
	if b.metrics != "" {
		if err := board.ServeMetrics(ctx, b.metrics, b.metricsNames, b.Streams.Err); err != nil {
			return err
		}
	}
	if b.notify {
		if err := board.StartNotifier(ctx); err != nil {
			return err
		}
	}
	defer b.Streams.RestoreOnQuit()()
	return board.Show(ctx)
}

// logReopener returns a handler for SIGHUP that reopens the log. The handler returns false, so
// SIGHUP still ends the program.
func logReopener(s *cmdutil.Setup) func() bool {
	return func() bool {
		s.ReopenLog()
		return false
	}
}

// paneKinds returns the kinds of panes that a configuration may use.
func paneKinds() []config.PaneKind {
	kinds := panes.PaneKinds()
	out := make([]config.PaneKind, len(kinds))
	for i, k := range kinds {
		out[i] = config.PaneKind(k)
	}
	return out
}

func operationNames() []string {
	var names []string
	for _, o := range resource.Operations() {
		names = append(names, string(o))
	}
	return names
}
