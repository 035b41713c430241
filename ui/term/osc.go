package term

import (
	"strings"
	"unicode"
	"unicode/utf8"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"

	"wallboard/internal/lib/terminal"
)

// maxScreenSequence is the longest sequence that GNU Screen passes on, in bytes.
const maxScreenSequence = 768

// MaxClipboard is the longest text for [ClipboardSequence] in bytes: terminals ignore longer ones.
const MaxClipboard = 64 << 10

// ClipboardSequence returns the output that puts a text into the clipboard of the terminal that env
// describes, "" if the terminal would show the output instead. Terminals do not report whether they
// accept the text.
func ClipboardSequence(env []string, text string) string {
	return passThrough(env, ansi.SetSystemClipboard(text))
}

// maxNotification is the longest desktop notification in bytes.
const maxNotification = 250

// NotificationSequence returns the output that shows a notification on the desktop of the terminal that env
// describes, "" if the terminal would show the output instead.
func NotificationSequence(env []string, title, text string) string {
	if strings.HasPrefix(uv.Environ(env).Getenv("TERM"), "rxvt") { // rxvt does not support OSC 9
		return passThrough(env, "\x1b]777;notify;"+cleanNotification(title)+";"+cleanNotification(text)+"\a")
	}
	return passThrough(env, ansi.Notify(cleanNotification(title+": "+text)))
}

// cleanNotification returns a text without control characters, with commas instead of semicolons,
// cut to [maxNotification].
func cleanNotification(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case r == ';':
			return ','
		case r == utf8.RuneError || !unicode.IsPrint(r):
			return -1
		}
		return r
	}, s)
	for len(s) > maxNotification {
		_, size := utf8.DecodeLastRuneInString(s)
		s = s[:len(s)-size]
	}
	return s
}

// passThrough returns the output that sends a sequence to the terminal that runs tmux or Screen, or
// to the terminal itself if neither runs. It returns "" for a terminal that would show the
// sequence. tmux also gets the sequence itself: it handles clipboard sequences, and passes
// sequences on only if allow-passthrough is set.
func passThrough(env []string, sequence string) string {
	e := uv.Environ(env)
	switch name := e.Getenv("TERM"); {
	case terminal.IsPlain(name):
		return ""
	case e.Getenv("TMUX") != "" || strings.HasPrefix(name, "tmux"):
		return sequence + ansi.TmuxPassthrough(sequence)
	case e.Getenv("STY") != "" || strings.HasPrefix(name, "screen"):
		return ansi.ScreenPassthrough(sequence, maxScreenSequence)
	}
	return sequence
}
