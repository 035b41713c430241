package headless

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"wallboard/internal/lib/textnorm"
	"wallboard/model"
)

// MultiSpeaker speaks for several platforms, with the platform's name before each line. With a
// single unnamed platform it passes the lines on unchanged. It is not safe for concurrent use.
type MultiSpeaker struct {
	platformNames []string
	speakers      []*Speaker
	nextIndex     int // index of the next speaker
	lastLineAt    time.Time
}

// NewMultiSpeaker returns a MultiSpeaker for the given speakers.
func NewMultiSpeaker(names []string, all []*Speaker) *MultiSpeaker {
	return &MultiSpeaker{platformNames: names, speakers: all}
}

// Help lists the commands.
func (s *MultiSpeaker) Help() string {
	if len(s.speakers) == 1 {
		return SpeakerHelp
	}
	return SpeakerHelp + " Begin with the name of a platform to ask about that one: " + strings.Join(s.platformNames, ", ") + "."
}

// IsStarted reports whether every speaker has given its first summary.
func (s *MultiSpeaker) IsStarted() bool {
	return !slices.ContainsFunc(s.speakers, func(one *Speaker) bool { return !one.IsStarted() })
}

// Next returns the next line to write, "" if there is none or the last line was written too
// recently.
func (s *MultiSpeaker) Next(now time.Time) string {
	if now.Sub(s.lastLineAt) < s.speakers[0].MinLineInterval {
		return ""
	}
	for range s.speakers {
		at := s.nextIndex
		s.nextIndex = (s.nextIndex + 1) % len(s.speakers)
		if line := s.speakers[at].Next(); line != "" {
			s.lastLineAt = now
			return s.withPlatformName(at, line)
		}
	}
	return ""
}

// withPlatformName adds the platform's name to a line.
func (s *MultiSpeaker) withPlatformName(at int, line string) string {
	if s.platformNames[at] == "" {
		return line
	}
	return s.platformNames[at] + ": " + line
}

// Answer returns the answer to a typed line; quit is true if the user wants to leave. A
// line that begins with a platform's name is for that platform. Actions are never applied
// to several platforms at once.
func (s *MultiSpeaker) Answer(line string, now time.Time) (lines []string, quit bool) {
	s.lastLineAt = now
	if len(s.speakers) == 1 {
		return s.speakers[0].Answer(line)
	}
	line = strings.TrimSpace(model.CleanText(line, model.MaxBody))
	for at, name := range s.platformNames {
		if rest, is := cutPlatformName(line, name); is {
			lines, quit = s.speakers[at].Answer(cmp.Or(rest, "status"))
			return s.withPlatformNames(at, lines), quit
		}
	}
	word, _, _ := strings.Cut(line, " ")
	switch strings.ToLower(word) {
	case "help", "?":
		return []string{s.Help()}, false
	case "status", "alerts":
		for at := range s.speakers {
			more, _ := s.speakers[at].Answer(line)
			lines = append(lines, s.withPlatformNames(at, more)...)
		}
		return lines, false
	case "service", "group", "campaign", "agent", "why", "take":
		return []string{"On which platform? Begin with its name: " + strings.Join(s.platformNames, ", ") + "."}, false
	}
	return s.speakers[0].Answer(line)
}

// withPlatformNames adds the platform's name to all lines.
func (s *MultiSpeaker) withPlatformNames(at int, lines []string) []string {
	for i := range lines {
		lines[i] = s.withPlatformName(at, lines[i])
	}
	return lines
}

// cutPlatformName returns the rest of a line that begins with the name of a platform.
func cutPlatformName(line, name string) (rest string, found bool) {
	rest, found = textnorm.CutName(line, name)
	if !found || rest != "" && !strings.ContainsAny(rest[:1], " :,") {
		return "", false
	}
	return strings.TrimLeft(rest, " :,"), true
}
