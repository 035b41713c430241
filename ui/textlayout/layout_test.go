package textlayout_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"wallboard/themes"
	"wallboard/ui/textlayout"
)

// plainInk draws without styles.
func plainInk(t *testing.T) textlayout.PenSettings {
	t.Helper()
	theme, err := themes.LoadEmbedded("monochrome")
	if err != nil {
		t.Fatal(err)
	}
	return textlayout.PenSettings{Theme: theme, ASCII: true}
}

// block returns a block with a number of lines.
func block(title string, lines int) textlayout.Block {
	return textlayout.Block{Title: title, Draw: func(p *textlayout.Pen) {
		for range lines {
			p.Line(textlayout.PlainSpan(title), textlayout.NewSpan("line", themes.Dim))
		}
	}}
}

// TestLayout checks that blocks go into the shortest column, that an empty block is omitted,
// and that every line has the requested width.
func TestLayout(t *testing.T) {
	t.Parallel()
	heading := textlayout.Block{Draw: func(p *textlayout.Pen) { p.Line(textlayout.PlainSpan("Heading")) }}
	for _, tt := range []struct {
		width  int
		height int    // lines below the heading
		first  string // titles in the first line of the columns
	}{
		{0, 0, ""},
		{60, 3 + 1 + 2 + 1 + 2, "one"},
		{110, 2 + 1 + 2, "one two"}, // block three is below block two
		{200, 3, "one two three"},
	} {
		lines := textlayout.Layout(plainInk(t), tt.width, heading, block("one", 2), block("nothing", 0), block("two", 1), block("three", 1))
		if tt.width == 0 {
			if len(lines) != 0 {
				t.Errorf("no width: %q", lines)
			}
			continue
		}
		for _, l := range lines {
			if w := ansi.StringWidth(l); w != tt.width {
				t.Errorf("width %d: a line of %d cells: %q", tt.width, w, l)
			}
		}
		text := ansi.Strip(strings.Join(lines, "\n"))
		titles := slices.DeleteFunc(strings.Fields(strings.Split(text, "\n")[1]), func(s string) bool { return strings.Trim(s, "-") == "" })
		if got := strings.Join(titles, " "); got != tt.first || len(lines) != tt.height+1 || strings.Contains(text, "nothing") {
			t.Errorf("width %d: titles %q in %d lines, want %q in %d:\n%s", tt.width, got, len(lines)-1, tt.first, tt.height, text)
		}
	}
}

// TestPen draws pairs, a grid and a paragraph that are wider than their room.
func TestPen(t *testing.T) {
	t.Parallel()
	p := &textlayout.Pen{PenSettings: plainInk(t), Width: 24}
	p.LabeledValues(textlayout.NewLabeledValue("Waiting", textlayout.PlainSpan("3")), textlayout.NewLabeledValue("A label of many words", textlayout.PlainSpan("12345")))
	p.BlankLine()
	p.Grid([]textlayout.Column{textlayout.LeftColumn("Name"), textlayout.RightColumn("Now")},
		[]textlayout.Span{textlayout.PlainSpan("a name that is too long"), textlayout.PlainSpan("7")})
	p.Paragraph(textlayout.PlainSpan("a text that takes two lines"))
	want := []string{
		"Waiting                3", "A label of many words 1~", "",
		"Name                 Now", "a name that is too~    7", "a text that takes two", "lines",
	}
	var got []string
	for _, l := range p.Lines {
		if w := ansi.StringWidth(l); w != p.Width {
			t.Errorf("a line of %d cells: %q", w, l)
		}
		got = append(got, strings.TrimRight(ansi.Strip(l), " "))
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestTruncate(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		text          string
		w             int
		ascii         bool
		middle, words string
	}{
		{"short", 10, false, "short", "short"},
		{"one two three", 9, false, "one …hree", "one two …"},
		{"one two three", 9, true, "one ~hree", "one ..."},
	} {
		if got := textlayout.TruncateMiddle(tt.text, tt.w, 0, tt.ascii); got != tt.middle {
			t.Errorf("the middle of %q is cut to %q, want %q", tt.text, got, tt.middle)
		}
		if got := textlayout.TruncateWords(tt.text, tt.w, tt.ascii); got != tt.words {
			t.Errorf("%q is cut after a word to %q, want %q", tt.text, got, tt.words)
		}
	}
}

// TestTruncateMiddleKeepsCell checks that the cell to keep stays visible, at every width from 5 cells
// on.
func TestTruncateMiddleKeepsCell(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		text string
		w    int
		keep int
		want string
	}{
		{"Rossi Anna (a.rossi)", 20, 13, "Rossi Anna (a.rossi)"},
		{"Rossi Anna (a.rossi)", 14, 13, "Rossi…a.rossi)"},
		{"Rossi Anna (b.rossi)", 14, 13, "Rossi…b.rossi)"},
		{"Rossi Anna (a.rossi)", 8, 13, "Ro…a.ro…"},
		{"Rossi Anna (a.rossi)", 5, 13, "R…a.…"},
		{"Rossi Anna (a.rossi)", 14, 3, "Rossi A…rossi)"},
		{"Rossi Anna (anna.rossi2)", 12, 24, "Rossi …ssi2)"},
	} {
		got := textlayout.TruncateMiddle(tt.text, tt.w, tt.keep, false)
		if got != tt.want {
			t.Errorf("%q with %d cells, keeping cell %d: %q, want %q", tt.text, tt.w, tt.keep, got, tt.want)
		}
		if n := ansi.StringWidth(got); n > tt.w {
			t.Errorf("%q has %d cells, more than %d", got, n, tt.w)
		}
	}
}
