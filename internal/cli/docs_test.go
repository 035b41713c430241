package cli

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/lib/terminal"
	"wallboard/internal/lib/testkit"
)

// runDocs runs `wallboard docs` with the pages of this repository.
func runDocs(t *testing.T, args ...string) (code int, out, errs string) {
	t.Helper()
	var o, e bytes.Buffer
	s := cmdutil.Streams{In: strings.NewReader(""), Out: &o, Err: &e, Documents: os.DirFS("../../docs")}
	code = Run(t.Context(), append([]string{"docs"}, args...), s)
	return code, o.String(), e.String()
}

func TestDocs(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		args      string
		code      int
		out, errs string
	}{
		{"", cmdutil.ExitOK, "  kiosk            Wall displays\n", ""},
		{"KIOSK", cmdutil.ExitOK, "# Wall displays\n", ""},
		{"serve.md", cmdutil.ExitOK, "(docs recording)", ""},
		{"--search wall displays", cmdutil.ExitOK, "kiosk: Wall displays\n", ""},
		{"--search xyzzy", cmdutil.ExitFailed, "", `no page contains "xyzzy"`},
		{"dance", cmdutil.ExitUsage, "", "no topic \"dance\"; the topics are: "},
	} {
		var args []string
		if text, ok := strings.CutPrefix(c.args, "--search "); ok {
			args = []string{"--search", text}
		} else if c.args != "" {
			args = []string{c.args}
		}
		code, out, errs := runDocs(t, args...)
		if code != c.code || !strings.Contains(out, c.out) || !strings.Contains(errs, c.errs) {
			t.Errorf("docs %s: exit %d, want %d: %.200s %s", c.args, code, c.code, out, errs)
		}
	}
	if _, out, _ := runDocs(t, "guide"); strings.Contains(out, "](") {
		t.Errorf("the page contains a link: %.80s", out[strings.Index(out, "]("):])
	}
}

// The flag makes [testkit.CheckSection] write the section.
var _ = flag.Bool("update", false, "rewrite the list of docs/user/commands.md")

// TestCommandReference checks that docs/user/commands.md has every command with its short
// description and its subcommands.
func TestCommandReference(t *testing.T) {
	t.Parallel()
	var list strings.Builder
	for _, c := range newRoot(cmdutil.Streams{}, &terminal.Hangups{}).Commands() {
		if c.IsAvailableCommand() && c.Name() != "completion" && c.Name() != "help" {
			fmt.Fprintf(&list, "- `%s`: %s%s\n", c.Name(), c.Short, subcommands(c, ": "))
		}
	}
	testkit.CheckSection(t, "../../docs/user/commands.md", "commands", list.String())
}

// subcommands returns the names of the subcommands of a command after a text, or "" if there are
// none.
func subcommands(cmd *cobra.Command, before string) string {
	var names []string
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			names = append(names, "`"+c.Name()+"`"+subcommands(c, " "))
		}
	}
	if names == nil {
		return ""
	}
	return before + strings.Join(names, ", ")
}

// documentedPages returns the text of the pages for users and administrators, by path.
func documentedPages(t *testing.T) map[string]string {
	t.Helper()
	files, err := filepath.Glob("../../docs/*/*.md")
	if err != nil || len(files) < 15 {
		t.Fatalf("%d pages: %v", len(files), err)
	}
	pages := make(map[string]string)
	for _, f := range append(files, "../../README.md") {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		pages[strings.TrimPrefix(f, "../../")] = string(text)
	}
	return pages
}

var (
	documentedCommand = regexp.MustCompile("(?m)`wallboard ([^`\n]*)`|^(?:    )?(?:\\w+=\\S* )*wallboard ([^`\n]*)$")
	commandWord       = regexp.MustCompile(`'[^']*'|"[^"]*"|\S+`)
)

// TestDocumentedCommands checks that every command line in the documents has a command, and flags and
// arguments that the command accepts.
func TestDocumentedCommands(t *testing.T) {
	t.Parallel()
	count := 0
	for name, page := range documentedPages(t) {
		for _, m := range documentedCommand.FindAllStringSubmatch(page, -1) {
			line := m[1] + m[2]
			count++
			var args []string
			for _, word := range commandWord.FindAllString(line, -1) {
				if strings.ContainsAny(word[:1], "#|>&;") || strings.HasPrefix(word, "2>") || word == "…" || word == "wallboard" {
					break // a comment, syntax of the shell, or another command
				}
				args = append(args, strings.Trim(word, `'"[]`))
			}
			root := newRoot(cmdutil.Streams{}, &terminal.Hangups{})
			setHelpFunctions(root)
			root.InitDefaultHelpCmd()
			cmd, rest, err := root.Find(args)
			if err == nil {
				cmd.InitDefaultHelpFlag()
				err = cmd.ParseFlags(rest)
			}
			if err == nil && len(cmd.Flags().Args()) > 0 {
				err = cmd.ValidateArgs(cmd.Flags().Args())
			}
			if err != nil {
				t.Errorf("%s: wallboard %s: %v", name, line, err)
			}
		}
	}
	if count < 100 {
		t.Errorf("%d command lines, want more", count)
	}
}

// shortenedKey matches a public key that the documents shorten.
var shortenedKey = regexp.MustCompile(`ssh-ed25519 AAAA…`)

// TestDocumentedConfigurations checks that every configuration in the documents is valid.
func TestDocumentedConfigurations(t *testing.T) {
	t.Parallel()
	block := regexp.MustCompile("(?s)```toml\n(.*?)```")
	for name, page := range documentedPages(t) {
		for _, m := range block.FindAllStringSubmatch(page, -1) {
			dir := testkit.PrivateDir(t)
			for _, secret := range []string{"token", "password", "api-key"} {
				if err := os.WriteFile(filepath.Join(dir, secret), []byte("secret"), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			path := filepath.Join(dir, "config.toml")
			text := shortenedKey.ReplaceAllStringFunc(m[1], func(string) string { return testkit.NewAuthorizedKey(t) })
			if strings.Contains(text, "platforms =") {
				text += "[[platform]]\nname = \"Milan\"\nrtd.url = \"https://milan.example/rtd\"\n"
			}
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			_, _, errs := run(t, "config", "check", "--demo", "--config", path)
			for line := range strings.SplitSeq(strings.TrimSpace(errs), "\n") {
				if line != "" && !strings.Contains(line, "no such file") { // files of certificates are missing
					t.Errorf("%s: %s\n%s", name, line, text)
				}
			}
		}
	}
}
