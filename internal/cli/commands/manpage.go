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
)

// manual holds the data that the pages of all commands share.
type manual struct {
	Title, Version, Date string
	// ExitStatus, Files and Environment are the sections of these names, as lines "term|text".
	ExitStatus, Files, Environment string
	Documents                      string    // location of further documents
	Replace                        [2]string // a text in the help of flags, and its replacement
}

// manDate returns the date of manual pages in UTC, as YYYY-MM-DD. It uses epoch, in seconds
// since 1970, or else commitTime, in RFC 3339. If both are missing or invalid, it returns "".
func manDate(epoch, commitTime string) string {
	if n, err := strconv.ParseInt(epoch, 10, 64); err == nil {
		return time.Unix(n, 0).UTC().Format(time.DateOnly)
	}
	if t, err := time.Parse(time.RFC3339, commitTime); err == nil {
		return t.UTC().Format(time.DateOnly)
	}
	return ""
}

// roffEscapes escapes the characters that have a meaning for roff anywhere in a line.
var roffEscapes = strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "`", `\(ga`)

type manPage struct {
	strings.Builder
}

// write appends text to the page. It cannot fail.
func (p *manPage) write(text string) { _, _ = p.WriteString(text) }

// writeAll writes the manual pages of a command and of all commands below it to dir.
func (m *manual) writeAll(cmd *cobra.Command, dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil { //nolint:gosec // manual pages are for all users
		return err
	}
	path := filepath.Join(dir, pageName(cmd)+".1")
	if err := os.WriteFile(path, []byte(m.page(cmd)), 0o644); err != nil { //nolint:gosec // manual pages are for all users
		return err
	}
	for _, child := range cmd.Commands() {
		if child.Hidden || child.Name() == "help" {
			continue
		}
		if err := m.writeAll(child, dir); err != nil {
			return err
		}
	}
	return nil
}

func pageName(cmd *cobra.Command) string { return strings.ReplaceAll(cmd.CommandPath(), " ", "-") }

// page returns the manual page of a command.
func (m *manual) page(cmd *cobra.Command) string {
	cmd.InitDefaultHelpFlag()
	p := &manPage{}
	name := pageName(cmd)
	fmt.Fprintf(&p.Builder, ".TH %q 1 %q %q %q\n.nh\n.ad l\n", strings.ToUpper(name), m.Date, m.Version, m.Title)
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
	p.table("EXIT STATUS", m.ExitStatus)
	p.table("FILES", m.Files)
	p.table("ENVIRONMENT", m.Environment)
	p.seeAlso(cmd, m.Documents)
	return strings.ReplaceAll(p.String(), roffEscapes.Replace(m.Replace[0]), m.Replace[1])
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
func (p *manPage) seeAlso(cmd *cobra.Command, documents string) {
	p.section("SEE ALSO")
	if cmd.HasParent() {
		p.line(pageName(cmd.Parent()) + "(1)")
		p.write(".br\n")
	}
	p.line(documents)
}
