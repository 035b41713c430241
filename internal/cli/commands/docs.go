package commands

import (
	"cmp"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"

	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/lib/textnorm"
)

// documentLink matches a link or a picture in Markdown: "!" for a picture, text and target. Code in
// the text, between the characters 0x60, may contain brackets.
var documentLink = textnorm.NewPattern(`(!?)\[((?:[^\[\]\x60]|\x60[^\x60]*\x60)*)\]\(([^)\s]*)\)`)

// maxDocumentWidth is the width at which `wallboard docs` wraps lines, in columns.
const maxDocumentWidth = 100

// DocsCommand returns `wallboard docs`, which prints the documentation contained in the
// program. The topics are the file names without directory and ".md".
func DocsCommand(s cmdutil.Streams) *cobra.Command {
	var search string
	cmd := &cobra.Command{
		Use:   "docs [TOPIC]",
		Short: "Read the documentation",
		Long: "Docs prints a page of the documentation in Markdown. Without a topic it lists the topics.\n\n" +
			"--search lists the lines of all pages that contain a text, with topic and heading.",
		Example: "wallboard docs kiosk | less\nwallboard docs --search retention",
		Args:    cobra.MaximumNArgs(1),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			pages, _ := readDocuments(s.Documents) // completion has nowhere to report an error
			return pages.topics(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error {
			pages, err := readDocuments(s.Documents)
			if err != nil {
				return err
			}
			var text string
			switch {
			case search != "":
				if text = pages.search(search); text == "" {
					return fmt.Errorf("no page contains %q", search)
				}
			case len(args) == 0:
				text = pages.index()
			default:
				p, ok := pages.find(args[0])
				if !ok {
					return cmdutil.NewUsageError(fmt.Errorf("no topic %q; the topics are: %s", args[0], strings.Join(pages.topics(), ", ")))
				}
				text = p.withoutLinks()
			}
			if s.OnTerminal() {
				text = wrapProse(text, min(maxDocumentWidth, cmp.Or(s.Width(), maxDocumentWidth)))
			}
			return cmdutil.WriteText(s.Out, text)
		},
	}
	cmd.Flags().StringVar(&search, "search", "", "list the lines that contain this text")
	return cmd
}

type document struct {
	topic, text string
}

type documents []document

// readDocuments returns the pages in files, sorted by path.
func readDocuments(files fs.FS) (documents, error) {
	var pages documents
	err := fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path.Ext(name) != ".md" {
			return err
		}
		text, err := fs.ReadFile(files, name)
		pages = append(pages, document{strings.TrimSuffix(path.Base(name), ".md"), string(text)})
		return err
	})
	return pages, err
}

func (ds documents) topics() []string {
	names := make([]string, len(ds))
	for i, d := range ds {
		names[i] = d.topic
	}
	return names
}

// find returns the page of a topic, ignoring case. The bool result is false if there is none.
func (ds documents) find(topic string) (document, bool) {
	for _, d := range ds {
		if strings.EqualFold(d.topic, strings.TrimSuffix(topic, ".md")) {
			return d, true
		}
	}
	return document{}, false
}

// index lists the topics with the titles of their pages.
func (ds documents) index() string {
	var b strings.Builder
	b.WriteString("Topics, for wallboard docs TOPIC:\n\n")
	for _, d := range ds {
		title, _, _ := strings.Cut(strings.TrimPrefix(d.text, "# "), "\n")
		fmt.Fprintf(&b, "  %-16s %s\n", d.topic, title)
	}
	b.WriteString("\nwallboard help COMMAND describes a command, wallboard docs --search TEXT searches all pages.\n")
	return b.String()
}

// search returns the lines that contain text, below their topic and heading. It ignores case
// and accents. It returns "" if there are no such lines.
func (ds documents) search(text string) string {
	var b strings.Builder
	text = textnorm.Fold(text)
	for _, d := range ds {
		heading, written := "", ""
		for line := range strings.SplitSeq(d.withoutLinks(), "\n") {
			if name, ok := strings.CutPrefix(strings.TrimLeft(line, "#"), " "); ok && strings.HasPrefix(line, "#") {
				heading = name
			}
			if !strings.Contains(textnorm.Fold(line), text) {
				continue
			}
			if heading != written || b.Len() == 0 {
				fmt.Fprintf(&b, "\n%s: %s\n\n", d.topic, heading)
				written = heading
			}
			b.WriteString(line + "\n")
		}
	}
	return strings.TrimPrefix(b.String(), "\n")
}

// withoutLinks returns the page without pictures and relative links. A link to another page is
// replaced with its text and topic, and other relative links with their text. Web addresses stay.
func (d document) withoutLinks() string {
	return documentLink().ReplaceAllStringFunc(d.text, func(link string) string {
		m := documentLink().FindStringSubmatch(link)
		target, _, _ := strings.Cut(m[3], "#")
		switch {
		case m[1] == "!":
			return ""
		case strings.Contains(m[3], "://"):
			return link
		case path.Ext(target) == ".md" && !strings.Contains(target, ".github"):
			return m[2] + " (docs " + strings.TrimSuffix(path.Base(target), ".md") + ")"
		}
		return m[2]
	})
}

// wrapProse wraps lines at a width in columns. It leaves tables and code as they are.
func wrapProse(text string, width int) string {
	lines := strings.Split(text, "\n")
	isCode := false
	for i, line := range lines {
		if strings.HasPrefix(line, "```") {
			isCode = !isCode
		}
		if !isCode && !strings.HasPrefix(line, "|") && !strings.HasPrefix(line, "    ") {
			lines[i] = ansi.Wordwrap(line, width, " ")
		}
	}
	return strings.Join(lines, "\n")
}
