package commands

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/config"
)

// exitStatus is the section EXIT STATUS of all manual pages, as lines "term|text".
const exitStatus = "0|success; for an action on the platform: confirmed\n" +
	"1|failure; for an action on the platform: refused or failed\n" +
	"2|wrong command line or configuration\n" +
	"3|an action on the platform was not sent\n" +
	"4|the outcome of an action on the platform is unknown\n" +
	"10, 11|status: the worst situation is a warning, or critical"

// manFiles is the section FILES of all manual pages, as lines "term|text".
const manFiles = "~/.config/wallboard/config.toml|the configuration; services use /etc/wallboard/config.toml\n" +
	"~/.config/wallboard/themes/|themes of your own\n" +
	"~/.local/state/wallboard/|the log wallboard.log, the audit file audit.jsonl, recordings, settings of tables, the host key of the server\n" +
	"~/.cache/wallboard/|answers of the statistical data service\n" +
	"/var/lib/wallboard/|state of the services of a package"

// manEnvironment is the section ENVIRONMENT of all manual pages, as lines "term|text".
const manEnvironment = "XDG_CONFIG_HOME, XDG_STATE_HOME, XDG_CACHE_HOME|directories that replace ~/.config, ~/.local/state and ~/.cache\n" +
	"CREDENTIALS_DIRECTORY|directory with files of secrets, set by systemd\n" +
	"LANG, LC_ALL, LC_CTYPE|a locale other than UTF-8 restricts the screen to ASCII\n" +
	"TERM, COLORTERM, NO_COLOR|the abilities of the terminal; NO_COLOR disables colors\n" +
	"TZ|time zone, unless the configuration sets one\n" +
	"SSH_AUTH_SOCK|the SSH agent of view\n" +
	"WALLBOARD_URL, WALLBOARD_REST_URL, WALLBOARD_HISTORY_URL, WALLBOARD_USER|defaults of config init\n" +
	"SOURCE_DATE_EPOCH|date of the pages that man writes, in seconds since 1970"

// roffEscapes escapes the characters that have a meaning for roff anywhere in a line.
var roffEscapes = strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "`", `\(ga`)

type manPage struct {
	strings.Builder
}

// write appends text to the page. It cannot fail.
func (p *manPage) write(text string) { _, _ = p.WriteString(text) }

// ManCommand returns `wallboard man`, which writes manual pages. It replaces the command man of
// fang, which writes a single page with the date of the run.
func ManCommand(s cmdutil.Streams) *cobra.Command {
	var dir string
	cmd := &cobra.Command{
		Use:     "man [command]",
		Short:   "Write the manual page of a command",
		Long:    "Man writes the manual page of a command, by default of wallboard itself. With --dir it writes the pages of all commands.",
		Example: "wallboard man serve check | man -l -\nwallboard man --dir ~/.local/share/man/man1",
		Args:    cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			date := pageDate(os.Getenv("SOURCE_DATE_EPOCH"), readBuild().Time)
			if dir != "" {
				return writeManPages(cmd.Root(), dir, date)
			}
			page, rest, err := cmd.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return cmdutil.NewUsageError(fmt.Errorf("no command %q", strings.Join(args, " ")))
			}
			return cmdutil.WriteText(s.Out, manPageOf(page, date))
		},
	}
	cmd.Flags().StringVar(&dir, "dir", "", "directory for the pages of all commands")
	return cmd
}

// pageDate returns the date of the manual pages in UTC, as YYYY-MM-DD. It uses epoch, in seconds
// since 1970, or else commitTime, in RFC 3339. If both are missing or invalid, it returns "".
func pageDate(epoch, commitTime string) string {
	if n, err := strconv.ParseInt(epoch, 10, 64); err == nil {
		return time.Unix(n, 0).UTC().Format(time.DateOnly)
	}
	if t, err := time.Parse(time.RFC3339, commitTime); err == nil {
		return t.UTC().Format(time.DateOnly)
	}
	return ""
}

// writeManPages writes the manual pages of a command and of all commands below it to dir.
func writeManPages(cmd *cobra.Command, dir, date string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil { //nolint:gosec // manual pages are for all users
		return err
	}
	path := filepath.Join(dir, pageName(cmd)+".1")
	if err := os.WriteFile(path, []byte(manPageOf(cmd, date)), 0o644); err != nil { //nolint:gosec // manual pages are for all users
		return err
	}
	for _, child := range cmd.Commands() {
		if child.Hidden || child.Name() == "help" {
			continue
		}
		if err := writeManPages(child, dir, date); err != nil {
			return err
		}
	}
	return nil
}

func pageName(cmd *cobra.Command) string { return strings.ReplaceAll(cmd.CommandPath(), " ", "-") }

func manPageOf(cmd *cobra.Command, date string) string {
	cmd.InitDefaultHelpFlag()
	p := &manPage{}
	name := pageName(cmd)
	fmt.Fprintf(&p.Builder, ".TH %q 1 %q %q \"Wallboard\"\n.nh\n.ad l\n", strings.ToUpper(name), date, "wallboard "+Version())
	p.section("NAME")
	p.line(name + " - " + cmd.Short)
	p.section("SYNOPSIS")
	p.line(cmd.UseLine())
	if cmd.HasAvailableSubCommands() {
		p.write(".br\n")
		p.line(cmd.CommandPath() + " command")
	}
	p.section("DESCRIPTION")
	p.paragraphs(cmp.Or(cmd.Long, cmd.Short+"."))
	p.commands(cmd)
	p.options("OPTIONS", cmd.NonInheritedFlags())
	p.options("GENERAL OPTIONS", cmd.InheritedFlags())
	if cmd.Example != "" {
		p.section("EXAMPLES")
		p.write(".nf\n")
		p.lines(cmd.Example)
		p.write(".fi\n")
	}
	p.table("EXIT STATUS", exitStatus)
	p.table("FILES", manFiles)
	p.table("ENVIRONMENT", manEnvironment)
	p.seeAlso(cmd)
	// Show the usual configuration directory instead of that of the user who runs the command.
	return strings.ReplaceAll(p.String(), roffEscapes.Replace(filepath.Dir(config.DefaultPath())), "~/.config/wallboard")
}

func (p *manPage) section(title string) { fmt.Fprintf(&p.Builder, ".SH %s\n", title) }

func (p *manPage) line(text string) {
	text = roffEscapes.Replace(text)
	if strings.HasPrefix(text, ".") {
		text = `\&` + text
	}
	p.write(text + "\n")
}

func (p *manPage) lines(text string) {
	for line := range strings.SplitSeq(text, "\n") {
		p.line(line)
	}
}

// paragraphs writes text, whose paragraphs are separated by empty lines. It writes indented
// lines unchanged.
func (p *manPage) paragraphs(text string) {
	for i, paragraph := range strings.Split(strings.TrimSpace(text), "\n\n") {
		if i > 0 {
			p.write(".PP\n")
		}
		for line := range strings.SplitSeq(paragraph, "\n") {
			if strings.HasPrefix(line, " ") {
				p.write(".br\n")
			}
			p.line(line)
		}
	}
}

// term writes an entry of a definition list.
func (p *manPage) term(term, text string) {
	p.write(".TP\n.B ")
	p.line(term)
	p.line(text)
}

// table writes a section with an entry for each line "term|text" of rows.
func (p *manPage) table(title, rows string) {
	p.section(title)
	for row := range strings.SplitSeq(rows, "\n") {
		term, text, _ := strings.Cut(row, "|")
		p.term(term, text)
	}
}

// commands writes a list of the subcommands of cmd.
func (p *manPage) commands(cmd *cobra.Command) {
	if !cmd.HasAvailableSubCommands() {
		return
	}
	p.section("COMMANDS")
	for _, child := range cmd.Commands() {
		if child.IsAvailableCommand() {
			p.term(pageName(child)+"(1)", child.Short)
		}
	}
}

// options writes a section about flags.
func (p *manPage) options(title string, flags *pflag.FlagSet) {
	if !flags.HasAvailableFlags() {
		return
	}
	p.section(title)
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		kind, usage := pflag.UnquoteUsage(f)
		term := "--" + f.Name
		if f.Shorthand != "" {
			term = "-" + f.Shorthand + ", " + term
		}
		if kind != "" {
			term += " " + kind
		}
		if f.DefValue != "" && f.DefValue != "false" && f.DefValue != "0" && f.DefValue != "0s" && f.DefValue != "[]" {
			usage += " (default " + f.DefValue + ")"
		}
		p.term(term, strings.ReplaceAll(usage, "\n", " "))
	})
}

// seeAlso writes a section that refers to the page of the parent command and to the documents.
func (p *manPage) seeAlso(cmd *cobra.Command) {
	p.section("SEE ALSO")
	if cmd.HasParent() {
		p.line(pageName(cmd.Parent()) + "(1)")
		p.write(".br\n")
	}
	p.line("wallboard docs, /usr/share/doc/wallboard")
}
