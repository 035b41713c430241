package headless

import (
	"slices"
	"strings"
	"testing"
	"time"

	"wallboard/internal/words"
)

// TestSeveral checks the lines about two platforms, each with the name of its platform and at a common pace,
// and the answers to lines about one platform, about both, and about an unknown one.
func TestSeveral(t *testing.T) {
	t.Parallel()
	milan, rome := newFloor(t), newFloor(t)
	s := NewMultiSpeaker([]string{"Milan", "Rome"}, []*Speaker{milan.speaker, rome.speaker})
	now := milan.now
	said := func(after time.Duration) string {
		now = now.Add(after)
		for _, f := range []*floor{milan, rome} {
			f.speaker.Update(f.store.Publish(now, f.health), now)
		}
		return s.Next(now)
	}
	first := said(0)
	if line := said(time.Second); line != "" || !strings.HasPrefix(first, "Milan: ") || s.IsStarted() {
		t.Errorf("first %q, a second later %q", first, line)
	}
	if line := said(time.Second); !strings.HasPrefix(line, "Rome: ") || !s.IsStarted() {
		t.Errorf("then %q", line)
	}
	for line, want := range map[string][]string{
		"rome status":   {"Rome: "},
		"ROME":          {"Rome: "},
		"rome: status":  {"Rome: "},
		"Romeo status":  {`"Romeo" is not a command.`},
		"status":        {"Milan: ", "Rome: "},
		"take Sales":    {"Which platform? Begin with its name: Milan, Rome."},
		"why Sales":     {"Which platform? Begin with its name: Milan, Rome."},
		"milan why Foo": {"Milan: "},
		"help":          {words.SpeakHelp().In(nil) + " Begin with the name of a platform"},
		"":              nil,
	} {
		got, quit := s.Answer(line, now)
		if quit || !slices.EqualFunc(got, want, strings.HasPrefix) {
			t.Errorf("%q is answered with %q, want what begins with %q", line, got, want)
		}
	}
	if got, quit := s.Answer("quit", now); !quit || !slices.Equal(got, []string{"Goodbye."}) {
		t.Errorf("quit is answered with %q", got)
	}
}

func TestAfter(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{"zu\u0308rich: status": "status", "Zürich": "", "zürichsee": "no", "zurich status": "no"} {
		rest, is := cutPlatformName(line, "Zürich")
		if is != (want != "no") || is && rest != want {
			t.Errorf("%q: %q, %v", line, rest, is)
		}
	}
}
