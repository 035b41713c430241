package cli

import (
	"os"
	"slices"

	"charm.land/fang/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"

	"wallboard/internal/lib/textnorm"
)

// cleanArguments removes invisible characters from args, which may have been pasted with them.
// It also replaces the flag --help of the root command with the command help, because fang's
// own help queries the background color of the terminal and may wait forever for an answer.
func cleanArguments(root *cobra.Command, args []string) []string {
	out := make([]string, len(args))
	for i, a := range args {
		out[i] = textnorm.TrimArgument(a)
	}
	if cmd, rest, err := root.Find(out); err == nil && cmd == root && (slices.Contains(rest, "--help") || slices.Contains(rest, "-h")) {
		return []string{"help"}
	}
	return out
}

// setHelpFunctions makes the help of all commands work without querying the terminal. It uses only
// basic colors, which are readable on any background.
func setHelpFunctions(root *cobra.Command) {
	show := func(cmd *cobra.Command, words []string) {
		defer detachStdin()()
		root.HelpFunc()(cmd, words)
	}
	var setAll func(cmd *cobra.Command)
	setAll = func(cmd *cobra.Command) {
		for _, child := range cmd.Commands() {
			child.SetHelpFunc(show)
			setAll(child)
		}
	}
	setAll(root)
	root.SetHelpCommand(&cobra.Command{
		Use: "help [command]", Short: "Help about any command",
		RunE: func(_ *cobra.Command, words []string) error {
			cmd, _, err := root.Find(words)
			if err != nil {
				return err
			}
			cmd.InitDefaultHelpFlag()
			show(cmd, nil)
			return nil
		},
	})
}

// detachStdin replaces the standard input with the null device until restore is called. It
// prevents fang from querying the terminal, because fang does so only if it can read the answer.
func detachStdin() (restore func()) {
	if !term.IsTerminal(os.Stdin.Fd()) {
		return func() {}
	}
	devNull, err := os.Open(os.DevNull)
	if err != nil {
		return func() {}
	}
	previous := os.Stdin
	os.Stdin = devNull
	return func() { os.Stdin = previous; _ = devNull.Close() }
}

// helpColours returns colors for the help that are readable on any background.
func helpColours(c lipgloss.LightDarkFunc) fang.ColorScheme {
	s := fang.AnsiColorScheme(c)
	none := lipgloss.NoColor{}
	s.Base, s.Description, s.Argument, s.Help, s.Dash = none, none, none, none, none
	s.Codeblock, s.Program, s.DimmedArgument = none, lipgloss.Cyan, none
	s.Comment = lipgloss.BrightBlack
	return s
}
