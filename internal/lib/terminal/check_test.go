package terminal

import "testing"

func TestFrame(t *testing.T) {
	t.Parallel()
	for _, s := range []string{
		"", "plain\nlines", "\x1b[1;38;2;10;20;30mbold\x1b[0m", "\x1b[4:3mcurly\x1b[m", "café ▁▂▃ ⣿ 日本", "👩‍🚒",
	} {
		if err := CheckFrame(s); err != nil {
			t.Errorf("%q: %v", s, err)
		}
	}
	for _, s := range []string{
		"\r", "\t", "\a", "\x00", "\x7f", "\x1b", "\x1b[2J", "\x1b[1;1H", "\x1b[?25l", "\x1b]0;title\a", "\x1b[3", "\x1b[1m\x1b[",
		"\u009b31m", "\u0085", "\u202eevil", "\u2066x", "\ufeff", "\ue000", "\u2028", "\xff", "a\xc3", "\U000e0041",
	} {
		if CheckFrame(s) == nil {
			t.Errorf("%q is let through", s)
		}
	}
}

func TestStream(t *testing.T) {
	t.Parallel()
	for _, s := range []string{
		"\x1b[?1049h\x1b[2J\x1b[H", "\x1b[?2026$p", "\x1b[>4;2m", "\x1b]2;Wallboard\x07", "\x1b]11;?\x1b\\", "\x1b]111\x07", "a\r\nb\x1b[3C",
		"\x1b[=1;1u", "\x1bP+q524742\x1b\\", "\x1b]10;#ffffff\x07text",
	} {
		if err := CheckStream([]byte(s), false); err != nil {
			t.Errorf("%q: %v", s, err)
		}
	}
	for _, s := range []string{
		"\x1b]52;c;aGVsbG8=\x07", "\x1b]8;;http://x\x1b\\", "\x1b]2;ti\u202etle\x07", "\x1bc", "\x1b[5i", "\x1bP$q\x1b\\", "\a", "\x1b_x\x1b\\",
		"\x1b]2;never ends", "\u009b2J", "\x1b[999", "\x1b#8", "\x0e",
	} {
		if CheckStream([]byte(s), false) == nil {
			t.Errorf("%q is let through", s)
		}
	}
	if err := CheckStream([]byte("a\ab"), true); err != nil {
		t.Errorf("a bell that may ring: %v", err)
	}
}
