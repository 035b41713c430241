package ui

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"wallboard/internal/words"
	"wallboard/internal/words/catalogue"
	"wallboard/ui/pages"
)

// TestFit draws every page in every language and fails on headings, labels and sentences that are cut within a word, and,
// also in the longer pseudo-language, on texts that are not told completely. It draws German and the pseudo-language, and all
// languages if the environment variable FIT_ALL is set. It writes the screens to the folder FIT_DIR, if
// that is set.
func TestFit(t *testing.T) {
	t.Parallel()
	tags := []string{"de", "pseudo"}
	if os.Getenv("FIT_ALL") != "" {
		tags = append(words.AvailableLanguages.Tags(), "pseudo")
	}
	for _, tag := range tags {
		t.Run(tag, func(t *testing.T) {
			t.Parallel()
			l := words.PseudoLanguage()
			if tag != "pseudo" {
				l, _ = words.AvailableLanguages.Lookup(tag)
			}
			texts := newToldTexts(tag)
			for _, size := range [][2]int{{40, 12}, {80, 24}, {120, 40}, {200, 60}} {
				b := newBoard(t, size[0], size[1], func(o *Options) { o.Display.Language = l })
				for p := range pages.StandardCount {
					b.press(pageKey(p))
					name := fmt.Sprintf("%s-%dx%d-%s", tag, size[0], size[1], p)
					screen := b.text()
					if dir := os.Getenv("FIT_DIR"); dir != "" {
						if err := os.WriteFile(filepath.Join(dir, name+".txt"), []byte(screen), 0o600); err != nil {
							t.Fatal(err)
						}
					}
					for _, broken := range texts.broken(screen) {
						t.Errorf("%s: %s", name, broken)
					}
				}
			}
		})
	}
}

// toldTexts finds the messages of a language on a screen.
type toldTexts struct {
	all string // all messages, each between line feeds
}

func newToldTexts(tag string) *toldTexts {
	var b strings.Builder
	for _, f := range catalogue.Files(tag) {
		lines, _ := catalogue.ReadLines(f.Name, f.Text)
		for _, line := range lines {
			b.WriteString("\n" + line.Text)
		}
	}
	return &toldTexts{b.String() + "\n"}
}

var (
	cutText      = regexp.MustCompile(`([^│┃─━╭╮╰╯▌ ]+(?: [^│┃─━╭╮╰╯▌ ]+)*)…`)
	untoldText   = regexp.MustCompile(`[{}]|%!|\(\)| ,|\pL[.;!?]\pLl{2}|,\pL`)
	wordBoundary = regexp.MustCompile(`[ \n{}|:(\["„«]`)
)

// broken returns what is wrong on a screen.
func (x *toldTexts) broken(screen string) (out []string) {
	for line := range strings.Lines(screen) {
		for _, m := range cutText.FindAllStringSubmatch(line, -1) {
			if what := m[1]; x.isCut(what) {
				out = append(out, fmt.Sprintf("%q is cut within a word: %s", what, strings.TrimSpace(line)))
			}
		}
		if m := untoldText.FindString(line); m != "" {
			out = append(out, fmt.Sprintf("%q is not a text: %s", m, strings.TrimSpace(line)))
		}
	}
	return slices.Compact(out)
}

// isCut reports whether a text before an ellipsis is the beginning of a message.
func (x *toldTexts) isCut(before string) bool {
	fields := strings.Fields(before)
	end := fields[len(fields)-1]
	if n := len(fields); n > 1 {
		end = fields[n-2] + " " + end
	}
	for rest := x.all; ; {
		i := strings.Index(rest, end)
		if i < 0 {
			return false
		}
		after := strings.TrimPrefix(rest[i+len(end):], " ")
		if i > 0 && wordBoundary.MatchString(rest[i-1:i]) && !strings.HasPrefix(after, "…") && !strings.HasPrefix(after, "\n") {
			return true
		}
		rest = rest[i+len(end):]
	}
}
