package commands

import (
	"context"
	"errors"
	"io/fs"
	"os"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"

	"wallboard/internal/app/admin"
	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/config"
	"wallboard/internal/lib/terminal"
	"wallboard/internal/words"
	"wallboard/themes"
	"wallboard/ui/setup"
)

// Guide runs the guided start, and then opens the demo or the board.
type Guide struct {
	Setup     *cmdutil.Setup
	Demo      func(context.Context) error // opens the demo
	OpenBoard func(context.Context) error // opens the board on the written configuration
}

// SetupCommand returns `wallboard setup`.
func SetupCommand(g *Guide) *cobra.Command {
	return &cobra.Command{
		Use: "setup", Short: "Write a first configuration, one question at a time",
		Long: "Setup asks for your language, the address of your platform and a login, tries them at once, shows what it found, and writes the\n" +
			"configuration with the names, targets and limits that you choose. esc goes back, ctrl+c ends it; nothing is written\n" +
			"before the last question. A configuration that is there already is kept beside the new one.\n\n" +
			"`wallboard` alone does the same if there is no configuration. Setup needs a terminal; in scripts use\n" +
			"`wallboard config init`.",
		Example: "wallboard setup\nwallboard setup --config ~/wall.toml",
		RunE:    func(cmd *cobra.Command, _ []string) error { return g.Run(cmd.Context()) },
	}
}

// Open opens the board. If there is no configuration yet, it calls [Guide.Run] instead, unless
// the board is in text mode, in which questions are impossible.
func (g *Guide) Open(ctx context.Context, inTextMode bool) error {
	if !inTextMode && g.isNeeded() {
		return g.Run(ctx)
	}
	return g.OpenBoard(ctx)
}

// isNeeded reports whether the guided start must run: there is no configuration at the default
// path, and there is a terminal for its questions. It returns false if --config or --platform
// is set.
func (g *Guide) isNeeded() bool {
	if g.Setup.ConfigPath != "" || g.Setup.Platform != "" || !g.hasTerminal() {
		return false
	}
	_, err := os.Lstat(g.Setup.Path())
	return errors.Is(err, fs.ErrNotExist)
}

// hasTerminal reports whether there is a terminal for questions.
func (g *Guide) hasTerminal() bool {
	in, ok := g.Setup.Streams.In.(term.File)
	return ok && term.IsTerminal(in.Fd()) && g.Setup.Streams.OnTerminal() && os.Getenv("TERM") != "dumb"
}

// Run asks the questions of the guided start, and then opens the demo or the board, as the
// user has chosen. It returns an error if there is no terminal.
func (g *Guide) Run(ctx context.Context) error {
	if !g.hasTerminal() {
		return cmdutil.NewUsageError(errors.New("setup needs a terminal; in scripts use `wallboard config init --url ADDRESS --user NAME`"))
	}
	path := g.Setup.Path()
	o := setup.Options{Path: path, Backend: admin.NewBackend(path, g.Setup.Streams.Example, g.Setup.Options), In: g.Setup.Streams.In, Out: g.Setup.Streams.Out}
	_, err := os.Lstat(path)
	o.Exists = err == nil
	if err := config.CheckDir(path); err != nil {
		o.Problem = err.Error()
	} else if err := admin.CheckWritable(path); err != nil {
		o.Problem, o.Unwritable = err.Error()+"; --config names another file", true
	}
	lib, _ := themes.OpenLibrary(config.ThemesDir()) // only the embedded themes are used
	if o.Display.Theme, err = lib.Load(themes.DefaultName); err != nil {
		return err
	}
	if o.Display.LightTheme, err = lib.Load("light"); err != nil {
		return err
	}
	o.Display.ASCII = !terminal.IsUnicodeLocale(os.Getenv)
	words.AvailableLanguages.AddFolder(config.WordsDir()) // the command config check reports problems
	o.Display.Language = words.AvailableLanguages.ForLocale(os.Getenv)
	outcome, language, err := runGuide(ctx, g.Setup.Streams, o)
	if err != nil {
		return err
	}
	switch outcome {
	case setup.OutcomeDemo:
		g.Setup.Language = language
		return g.Demo(ctx)
	case setup.OutcomeOpenBoard:
		return g.OpenBoard(ctx)
	case setup.OutcomeWritten:
		return cmdutil.WriteText(g.Setup.Streams.Out, "wrote "+path+"\n")
	case setup.OutcomeQuit:
	}
	return cmdutil.WriteText(g.Setup.Streams.Out, "Nothing was written. `wallboard setup` asks again, `wallboard demo` needs no platform.\n")
}

// runGuide runs the guide and restores the terminal if the program receives SIGQUIT.
func runGuide(ctx context.Context, s cmdutil.Streams, o setup.Options) (_ setup.Outcome, language string, _ error) {
	defer s.RestoreOnQuit()()
	return setup.Run(ctx, o)
}
