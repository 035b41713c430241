package commands

import (
	"errors"
	"os/exec"
	"strconv"
	"time"

	"wallboard/internal/alert/statefile"
	"wallboard/internal/app"
	"wallboard/internal/app/admin"
	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/config"
	"wallboard/internal/textformat"
	"wallboard/internal/words"

	"github.com/spf13/cobra"
)

// ConfigCommand returns `wallboard config`.
func ConfigCommand(s *cmdutil.Setup) *cobra.Command {
	return cmdutil.NewGroup("config", "Work with the configuration", newConfigInit(s), newConfigCheck(s), newConfigSchema(s))
}

func newConfigSchema(s *cmdutil.Setup) *cobra.Command {
	return &cobra.Command{
		Use: "schema", Short: "Print the JSON schema of the configuration, for editors",
		Long: "Schema prints a JSON schema (draft 7) with all keys, their types, descriptions, defaults and possible values. Editors\n" +
			"that know TOML complete and check the configuration with it: write the schema to a file and name it in the first\n" +
			"line of the configuration, for example #:schema ./wallboard.schema.json.",
		Example: "wallboard config schema > ~/.config/wallboard/wallboard.schema.json",
		RunE:    func(*cobra.Command, []string) error { return cmdutil.WriteText(s.Streams.Out, config.Schema()) },
	}
}

func newConfigCheck(s *cmdutil.Setup) *cobra.Command {
	demo := false
	cmd := &cobra.Command{
		Use: "check", Short: "Check the configuration and print all errors",
		Long: "Check reads the configuration, also the files in conf.d, and prints every error with its file and line and what to\n" +
			"write. It also prints the names of earlier versions, which still work, with the line to write instead. It sends\n" +
			"nothing to the platform.",
		RunE: func(*cobra.Command, []string) error {
			c, err := s.LoadAll(demo)
			if err != nil {
				return err
			}
			if err := admin.CheckConfig(c, demo); err != nil {
				return err
			}
			if err := missingProgramsError(c, time.Now()); err != nil {
				return err
			}
			text := ""
			for _, old := range c.OldNames() {
				text += old.String() + "\n"
			}
			for _, warning := range app.KeyWarnings(c) {
				text += "warning: " + warning + "\n"
			}
			for _, p := range words.CheckFolder(config.WordsDir(), nil) {
				text += "warning: " + p.String() + "\n"
			}
			text += s.Path()
			if n := len(c.Files()) - 1; n > 0 {
				text += " and " + textformat.CountWithNoun(n, "file", "files") + " in " + config.DropInDir(s.Path())
			}
			return cmdutil.WriteText(s.Streams.Out, text+": ok\n")
		},
	}
	cmd.Flags().BoolVar(&demo, "demo", false, "check it for the demo, which needs neither addresses nor secrets")
	return cmd
}

// missingProgramsError returns an error that lists the configured programs that cannot be run and the
// calendars with problems. Only the command config check uses it; a board starts without them.
func missingProgramsError(c *config.Config, now time.Time) error {
	var problems config.Errors
	add := func(key, problem, remedy string) {
		file, line := c.Place(key)
		problems = append(problems, config.Problem{File: file, Line: line, Key: key, Problem: problem, Remedy: remedy})
	}
	check := func(key string, command []string) {
		if len(command) == 0 {
			return
		}
		if _, err := exec.LookPath(command[0]); err != nil {
			add(key, "the program cannot be run: "+lookupReason(err), "write its full path, and check that it is executable")
		}
	}
	for i := range c.Notify {
		check("notify["+strconv.Itoa(i)+"].command", c.Notify[i].Command)
	}
	for i := range c.Commands {
		check("command["+strconv.Itoa(i)+"].run", c.Commands[i].Run)
	}
	for i := range c.Calendars {
		if problem, remedy := statefile.CheckCalendar(c.Calendars[i].File, time.Local, now); problem != "" {
			add("calendar["+strconv.Itoa(i)+"].file", problem, remedy)
		}
	}
	if len(problems) == 0 {
		return nil
	}
	return problems
}

// lookupReason returns the reason why a program was not found, without the name of the program.
func lookupReason(err error) string {
	if e, ok := errors.AsType[*exec.Error](err); ok {
		err = e.Err
	}
	return err.Error()
}
