package table

import (
	"testing"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// TestNarrow checks that the fast path for narrow characters agrees with both width methods.
func TestNarrow(t *testing.T) {
	t.Parallel()
	for r := rune(0x80); r <= utf8.MaxRune; r++ {
		if !isNarrow(r) {
			continue
		}
		for _, s := range []string{string(r), "a" + string(r) + "a"} {
			want := utf8.RuneCountInString(s)
			if g, w := ansi.StringWidth(s), ansi.StringWidthWc(s); g != want || w != want {
				t.Errorf("%U is taken as one cell; %q is %d or %d wide", r, s, g, w)
			}
		}
	}
	for _, s := range []string{"José – 80 %", "▲▼▌█▁", "⣿⡀", "│┃"} {
		if n, ok := plainWidth(s); !ok || n != utf8.RuneCountInString(s) {
			t.Errorf("plain(%q) = %d, %v", s, n, ok)
		}
	}
}

func TestCellText(t *testing.T) {
	t.Parallel()
	m := New()
	tests := []struct {
		text  string
		width int
		align AlignMode
		want  string
	}{
		{"abc", 5, Left, "abc  "},
		{"abc", 5, Right, "  abc"},
		{"abc", 6, Center, " abc  "},
		{"abcdef", 5, Left, "abcd…"},
		{"abcdef", 5, Right, "abcd…"},
		{"12345", 1, Right, "…"},
		{"Ünïté", 4, Left, "Ünï…"},
		{"日本語", 6, Left, "日本語"},
		{"日本語", 5, Left, "日本…"},
		{"日本語", 4, Left, "日… "},
		{"日本語", 4, Right, " 日…"},
		{"日", 1, Left, "…"},
		{"a\tb\nc", 6, Left, "a b c "},
		{"a\x00\xffb", 6, Left, "a\ufffd\ufffdb  "},
		{"", 2, Left, "  "},
		{"abc", 0, Left, ""},
	}
	for _, tt := range tests {
		m.painter.startLine("")
		m.painter.writeText([]byte(tt.text), tt.width, tt.align, &m.appearance)
		if got := ansi.Strip(string(m.painter.finishLine(""))); got != tt.want {
			t.Errorf("%q in %d cells: %q, want %q", tt.text, tt.width, got, tt.want)
		}
	}
}

// TestRawCells checks that a gauge or badge in a selected row does not end the style of the selection.
func TestRawCells(t *testing.T) {
	t.Parallel()
	m := New()
	m.painter.startLine("\x1b[7m")
	m.painter.writeRawText([]byte("\x1b[31mab\x1b[mc"), 5, Right, &m.appearance, "\x1b[1m")
	want := "\x1b[7m  \x1b[m\x1b[7m\x1b[1m\x1b[31mab\x1b[m\x1b[7m\x1b[1mc\x1b[m\x1b[7m\x1b[m"
	if got := string(m.painter.finishLine("")); got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	for text, want := range map[string]bool{
		"plain": true, "\x1b[1;38:5:3mx\x1b[m": true, "\x1b[2J": false, "\x1b[": false, "\x1b[1": false,
		"\x1b]0;t": false, "a\nb": false, "\u009b1m": false, "\xff": false,
	} {
		if got := onlyStyles([]byte(text)); got != want {
			t.Errorf("onlyStyles(%q) = %v", text, got)
		}
	}
}
