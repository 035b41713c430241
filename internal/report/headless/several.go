package headless

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"wallboard/internal/lib/textnorm"
	"wallboard/model"
)

// MultiSpeaker speaks for several platforms, with the platform's name before each line. For a
// single unnamed platform it only passes the lines on. It is not safe for concurrent use.
type MultiSpeaker struct {
	names []string
	all   []*Speaker
	at    int // index of the next speaker
	said  time.Time
}

// NewMultiSpeaker returns a Several for the given speakers.
func NewMultiSpeaker(names []string, all []*Speaker) *MultiSpeaker {
	return &MultiSpeaker{names: names, all: all}
}

// Help lists the commands.
func (s *MultiSpeaker) Help() string {
	if len(s.all) == 1 {
		return SpeakerHelp
	}
	return SpeakerHelp + " Begin with the name of a platform to ask about that one: " + strings.Join(s.names, ", ") + "."
}

// Begun reports whether every speaker has given its first summary.
func (s *MultiSpeaker) Begun() bool {
	return !slices.ContainsFunc(s.all, func(one *Speaker) bool { return !one.Begun() })
}

// Next returns the next line to write, "" if there is none or the last line was written too
// recently.
func (s *MultiSpeaker) Next(now time.Time) string {
	if now.Sub(s.said) < s.all[0].Pace {
		return ""
	}
	for range s.all {
		at := s.at
		s.at = (s.at + 1) % len(s.all)
		if line := s.all[at].Next(); line != "" {
			s.said = now
			return s.named(at, line)
		}
	}
	return ""
}

// named adds the platform's name to a line.
func (s *MultiSpeaker) named(at int, line string) string {
	if s.names[at] == "" {
		return line
	}
	return s.names[at] + ": " + line
}

// Answer returns the answer to a typed line; quit is true if the user wants to leave. A
// line that begins with a platform's name is for that platform. Actions are never applied
// to several platforms at once.
func (s *MultiSpeaker) Answer(line string, now time.Time) (lines []string, quit bool) {
	s.said = now
	if len(s.all) == 1 {
		return s.all[0].Answer(line)
	}
	line = strings.TrimSpace(model.CleanText(line, model.MaxBody))
	for at, name := range s.names {
		if rest, is := after(line, name); is {
			lines, quit = s.all[at].Answer(cmp.Or(rest, "status"))
			return s.each(at, lines), quit
		}
	}
	word, _, _ := strings.Cut(line, " ")
	switch strings.ToLower(word) {
	case "help", "?":
		return []string{s.Help()}, false
	case "status", "alerts":
		for at := range s.all {
			more, _ := s.all[at].Answer(line)
			lines = append(lines, s.each(at, more)...)
		}
		return lines, false
	case "service", "group", "campaign", "agent", "why", "take":
		return []string{"On which platform? Begin with its name: " + strings.Join(s.names, ", ") + "."}, false
	}
	return s.all[0].Answer(line)
}

// each adds the platform's name to all lines.
func (s *MultiSpeaker) each(at int, lines []string) []string {
	for i := range lines {
		lines[i] = s.named(at, lines[i])
	}
	return lines
}

// after returns what follows a name at the beginning of a line.
func after(line, name string) (rest string, is bool) {
	rest, is = textnorm.CutName(line, name)
	if !is || rest != "" && !strings.ContainsAny(rest[:1], " :,") {
		return "", false
	}
	return strings.TrimLeft(rest, " :,"), true
}
