package headless

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"wallboard/internal/lib/textnorm"
	"wallboard/internal/words"
	"wallboard/model"
)

// MultiSpeaker combines the speakers of platforms. It prefixes lines with the name of their platform, if it has
// one, except for answers about the only platform. A MultiSpeaker is not safe for concurrent use.
type MultiSpeaker struct {
	platformNames []string
	speakers      []*Speaker
	nextIndex     int // index of the speaker whose turn is next
	lastLineAt    time.Time
}

// NewMultiSpeaker returns a MultiSpeaker that combines the given speakers. names holds the platform name
// of each speaker.
func NewMultiSpeaker(names []string, all []*Speaker) *MultiSpeaker {
	return &MultiSpeaker{platformNames: names, speakers: all}
}

// Help returns a line about the commands.
func (s *MultiSpeaker) Help() string {
	if len(s.speakers) == 1 {
		return s.translate(words.SpeakHelp())
	}
	return s.translate(words.JoinSentences(words.SpeakHelp(), words.SpeakHelpPlatforms(words.NameTexts(s.platformNames))))
}

// translate returns a text in the language of the speakers.
func (s *MultiSpeaker) translate(t words.Text) string { return s.speakers[0].translate(t) }

// IsStarted reports whether all speakers have given their first summaries.
func (s *MultiSpeaker) IsStarted() bool {
	return !slices.ContainsFunc(s.speakers, func(one *Speaker) bool { return !one.IsStarted() })
}

// Next returns the next line to write. It returns "" if there is none, or if it is too soon
// after the previous line.
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

// withPlatformName prefixes line with the name of the platform at the index at.
func (s *MultiSpeaker) withPlatformName(at int, line string) string {
	if s.platformNames[at] == "" {
		return line
	}
	return s.platformNames[at] + ": " + line
}

// Answer returns the answer to a line typed by the user. quit reports whether the user wants to
// quit. With several platforms, a line may begin with the name of the platform that it is for; a
// command about a record, such as "take", must.
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
	}
	if slices.Contains([]string{"service", "group", "campaign", "agent", "why", "take"}, strings.ToLower(word)) || s.speakers[0].question(line) != nil {
		return []string{s.translate(words.SpeakWhichPlatform(words.NameTexts(s.platformNames)))}, false
	}
	return s.speakers[0].Answer(line)
}

// withPlatformNames prefixes each of lines with the name of the platform at the index at.
func (s *MultiSpeaker) withPlatformNames(at int, lines []string) []string {
	for i := range lines {
		lines[i] = s.withPlatformName(at, lines[i])
	}
	return lines
}

// cutPlatformName removes the name of a platform from the beginning of a line. found is false
// if the line does not begin with the name.
func cutPlatformName(line, name string) (rest string, found bool) {
	rest, found = textnorm.CutName(line, name)
	if !found || rest != "" && !strings.ContainsAny(rest[:1], " :,") {
		return "", false
	}
	return strings.TrimLeft(rest, " :,"), true
}

// textCheckInterval is the interval at which text mode looks for changes to report.
const textCheckInterval = 200 * time.Millisecond

// TextSession is a board in text mode.
type TextSession struct {
	Speakers *MultiSpeaker
	Latest   []func() *model.Snapshot // the newest snapshot for each speaker
	// Input delivers the lines of the viewer. If they are not typed interactively, they are handled
	// only after the first snapshot.
	Input         <-chan string
	IsInteractive bool
	Changes       <-chan func() // functions to call, such as changes of the configuration
	Write         func(line string) error
}

// Run writes the lines of the speakers until ctx ends or the viewer types quit. It uses the speakers,
// which no other goroutine may do.
func (c *TextSession) Run(ctx context.Context) error {
	if c.IsInteractive {
		if err := c.Write(c.Speakers.Help()); err != nil {
			return err
		}
	}
	typed := c.Input
	if !c.IsInteractive {
		typed = nil
	}
	tick := time.NewTicker(textCheckInterval)
	defer tick.Stop()
	for {
		now := time.Now()
		for i, one := range c.Speakers.speakers {
			one.Update(c.Latest[i](), now)
		}
		if c.Speakers.IsStarted() {
			typed = c.Input
		}
		if line := c.Speakers.Next(now); line != "" {
			if err := c.Write(line); err != nil {
				return err
			}
		}
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		case change := <-c.Changes:
			change()
		case text := <-typed:
			lines, quit := c.Speakers.Answer(text, time.Now())
			for _, line := range lines {
				if err := c.Write(line); err != nil {
					return err
				}
			}
			if quit {
				return nil
			}
		}
	}
}
