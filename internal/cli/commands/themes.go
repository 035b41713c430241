package commands

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/charmbracelet/colorprofile"
	"github.com/spf13/cobra"

	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/cli/operations"
	"wallboard/internal/config"
	"wallboard/internal/lib/terminal"
	"wallboard/themes"
	"wallboard/ui/style"
)

// themeEntry is the entry of a theme in the JSON output of `wallboard themes`.
type themeEntry struct {
	Name        string `json:"name"`
	Source      string `json:"source"` // embedded or user
	Background  string `json:"background"`
	Description string `json:"description"`
	File        string `json:"file,omitempty"`
}

func newThemeEntry(t themes.Theme) themeEntry {
	l := themeEntry{Name: t.Name, Source: "embedded", Background: t.BackgroundKind(), Description: t.Description, File: t.File}
	if t.File != "" {
		l.Source = "user"
	}
	return l
}

// ThemesCommand returns `wallboard themes`.
func ThemesCommand(setup *cmdutil.Setup) *cobra.Command {
	var dir string
	cmd := &cobra.Command{
		Use: "themes", Short: "List the themes of the board",
		Long: "Themes lists what ui.theme of the configuration can name: the embedded themes, and those of yours in\n" +
			config.ThemesDir() + ".\n\n" +
			"A theme of yours is a file there, called after the theme. It names what it starts from and what differs:\n\n" +
			"  extends = \"dark\"\n" +
			"  [palette]\n" +
			"  green = \"#7fd992\"\n" +
			"  [tokens]\n" +
			"  stateReady = { fg = \"green\", bold = true }\n\n" +
			"One with the name of an embedded theme takes its place.",
		RunE: func(*cobra.Command, []string) error {
			library, broken := themes.OpenLibrary(dir)
			rows := make([]themeEntry, 0, len(library.Themes()))
			for _, t := range library.Themes() {
				rows = append(rows, newThemeEntry(t))
			}
			err := operations.PrintList(setup, "themes", rows,
				operations.Column{Head: "NAME", Path: "name"}, operations.Column{Head: "SOURCE", Path: "source"}, operations.Column{Head: "BACKGROUND", Path: "background"}, operations.Column{Head: "DESCRIPTION", Path: "description"})
			return cmp.Or(err, cmdutil.NewUsageError(broken))
		},
	}
	cmd.PersistentFlags().StringVar(&dir, "dir", config.ThemesDir(), "directory of your themes")
	cmd.AddCommand(newThemesShow(setup.Streams, &dir), newThemesCheck(setup, &dir))
	return cmd
}

func newThemesShow(s cmdutil.Streams, dir *string) *cobra.Command {
	var all, ascii bool
	cmd := &cobra.Command{
		Use: "show NAME...", Short: "Show what themes look like", Args: cobra.ArbitraryArgs,
		Long:    "Show draws every token of a theme in the colours that this terminal has.",
		Example: "wallboard themes show colour-blind\nwallboard themes show --all | less -R",
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			library, _ := themes.OpenLibrary(*dir) // invalid themes cannot be shown anyway
			return library.Names(), cobra.ShellCompDirectiveNoFileComp
		},
	}
	cmd.Flags().BoolVar(&all, "all", false, "every theme")
	cmd.Flags().BoolVar(&ascii, "ascii", false, "draw with ASCII characters only")
	cmd.RunE = func(_ *cobra.Command, names []string) error {
		library, broken := themes.OpenLibrary(*dir)
		if all == (len(names) > 0) {
			return cmdutil.NewUsageError(fmt.Errorf("name a theme, or give --all; there are %s", strings.Join(library.Names(), ", ")))
		}
		var looks []themes.Theme
		for _, name := range names {
			t, err := library.Load(name)
			if err != nil {
				return cmdutil.NewUsageError(err)
			}
			looks = append(looks, t)
		}
		if all {
			looks = library.Themes()
		}
		out := colorprofile.NewWriter(s.Out, os.Environ())
		for _, t := range looks {
			if err := cmdutil.WriteText(out, style.ThemePreview(t, style.PreviewWidth, ascii || !terminal.IsUnicodeLocale(os.Getenv))); err != nil {
				return err
			}
		}
		if !all {
			return nil
		}
		return cmdutil.NewUsageError(broken)
	}
	return cmd
}

// themeCheck is the result for a theme in the JSON output of `wallboard themes check`.
type themeCheck struct {
	themeEntry
	Remarks []string `json:"remarks"` // texts that may be hard to read, and states that may be hard to distinguish
}

func newThemesCheck(setup *cmdutil.Setup, dir *string) *cobra.Command {
	return &cobra.Command{
		Use: "check FILE...", Short: "Check theme files and print all errors",
		Long: "Check says what keeps a file from being a theme. Of a theme it says what will be hard to see: text without\n" +
			"contrast, and states that look alike, also to readers who are colour-blind.",
		Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, files []string) error {
			library, _ := themes.OpenLibrary(*dir) // errors in other themes do not matter
			var errs []error
			checked := []themeCheck{}
			for _, file := range files {
				t, err := library.CheckFile(file)
				if err != nil {
					errs = append(errs, err)
					continue
				}
				checked = append(checked, themeCheck{newThemeEntry(t), append([]string{}, t.CheckReadability()...)})
			}
			if err := writeCheckedThemes(setup, checked); err != nil {
				return err
			}
			return cmdutil.NewUsageError(errors.Join(errs...))
		},
	}
}

func writeCheckedThemes(setup *cmdutil.Setup, checked []themeCheck) error {
	if setup.JSON {
		return cmdutil.WriteJSON(setup.Streams.Out, checked)
	}
	for _, t := range checked {
		text := t.File + ": ok\n"
		if len(t.Remarks) > 0 {
			text = t.File + ": can be used, but is not easy to see:\n  " + strings.Join(t.Remarks, "\n  ") + "\n"
		}
		if err := cmdutil.WriteText(setup.Streams.Out, text); err != nil {
			return err
		}
	}
	return nil
}
