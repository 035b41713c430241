package plain

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"wallboard/model"
)

// Several says how the floors of several platforms are doing, each line with the name of
// its platform. Of one platform without a name it says what that has to say. It belongs to
// one goroutine.
type Several struct {
	names []string
	all   []*Speaker
	at    int // whose turn it is to say something
	said  time.Time
}

// NewSeveral returns what has speakers speak in turns, each with the name of its platform.
func NewSeveral(names []string, all []*Speaker) *Several { return &Several{names: names, all: all} }

// Help says what can be typed.
func (s *Several) Help() string {
	if len(s.all) == 1 {
		return Help
	}
	return Help + " Begin with the name of a platform to ask about that one: " + strings.Join(s.names, ", ") + "."
}

// Begun reports whether each has said how its floor is.
func (s *Several) Begun() bool {
	return !slices.ContainsFunc(s.all, func(one *Speaker) bool { return !one.Begun() })
}

// Next returns the next line that should be written at a time, "" when there is nothing to
// say or the last line was only just written, whoever it was of.
func (s *Several) Next(now time.Time) string {
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

// named is a line with the name of its platform before it.
func (s *Several) named(at int, line string) string {
	if s.names[at] == "" {
		return line
	}
	return s.names[at] + ": " + line
}

// Answer returns the lines that answer what was typed at a time; quit tells that nothing
// more is to be said. What begins with the name of a platform is about that one. Nothing is
// done on several at once.
func (s *Several) Answer(line string, now time.Time) (lines []string, quit bool) {
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

// each are lines of a platform.
func (s *Several) each(at int, lines []string) []string {
	for i := range lines {
		lines[i] = s.named(at, lines[i])
	}
	return lines
}

// after returns what follows a name at the beginning of a line.
func after(line, name string) (rest string, is bool) {
	if len(line) < len(name) || !strings.EqualFold(line[:len(name)], name) {
		return "", false
	}
	rest = line[len(name):]
	if rest != "" && !strings.ContainsAny(rest[:1], " :,") {
		return "", false
	}
	return strings.TrimLeft(rest, " :,"), true
}
