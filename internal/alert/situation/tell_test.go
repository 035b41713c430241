package situation

import (
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"wallboard/internal/alert"
	"wallboard/internal/simulator/demo"
	"wallboard/internal/simulator/world"
	"wallboard/internal/words"
	"wallboard/model"
)

// storyTexts returns all texts of a situation that do not come from the platform or from rules.
func (sit *Situation) storyTexts(zone *time.Location) []string {
	clock := func(t time.Time) string { return t.In(zone).Format("15:04") }
	headline := sit.Headline
	for i := range sit.Alerts {
		headline = strings.ReplaceAll(headline, sit.Alerts[i].Sentence().In(sit.messages.words), "")
	}
	story := sit.IncidentSummary()
	out := append([]string{sit.Place.Title, headline, sit.ShortHeadline(), story.Period(sit.Since.Add(time.Minute), clock)}, sit.CauseLines()...)
	if sit.messages.queueSize == (queueSize{}) {
		out[2] = ""
	}
	for i := range sit.Causes {
		c := &sit.Causes[i]
		out = append(append(out, c.ShortText(), c.Basis), c.Steps...)
	}
	label, phrases := sit.HelpPhrases()
	out = append(append(append(out, label), phrases...), sit.Help.Assumptions...)
	for i := range sit.Help.Helpers {
		out = append(out, sit.Help.Helpers[i].Description())
	}
	return out
}

// allTexts returns all texts of a view that do not come from the platform or from rules.
func (v *View) allTexts(zone *time.Location) []string {
	out := []string{v.QuietLine, v.UnattendedText(), v.TodaySummary(), v.QuietStatement("")}
	for _, list := range [][]Situation{v.Live, v.Today, v.HeldBack} {
		for i := range list {
			out = append(out, list[i].storyTexts(zone)...)
		}
	}
	for i := range v.Recovered {
		if !v.Recovered[i].headline.IsZero() && v.Recovered[i].Waiting > 0 {
			out = append(out, v.Recovered[i].Headline)
		}
		out = append(out, causeLines(v.Recovered[i].causes)...)
	}
	return out
}

// untranslated returns the words of a text in the pseudo-language that have no accents although they have a vowel.
func untranslated(text string, names map[string]bool) []string {
	fields := strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) })
	return slices.DeleteFunc(fields, func(w string) bool {
		return names[w] || !strings.ContainsAny(strings.ToLower(w), "aeiouy") || strings.ContainsFunc(w, func(r rune) bool { return r > unicode.MaxASCII })
	})
}

// addNames adds the words in the names on a floor.
func addNames(names map[string]bool, s *model.Snapshot) {
	add := func(texts ...string) {
		for _, t := range texts {
			for w := range strings.FieldsFuncSeq(t, func(r rune) bool { return !unicode.IsLetter(r) }) {
				names[w] = true
			}
		}
	}
	for u := range s.Users.All() {
		add(u.Username.String(), u.Name.String(), u.Surname.String())
		add(u.Services...)
		add(u.Skillsets...)
	}
	for u := range s.UserStats.All() {
		add(u.Name.String(), u.Surname.String(), u.ActivityCode.String())
	}
	for r := range s.Services.All() {
		add(r.Code.String())
	}
	for r := range s.Groups.All() {
		add(r.Code.String())
	}
	for r := range s.Campaigns.All() {
		add(r.Name)
	}
}

// TestEverythingIsTranslated plays an hour with incidents and writes the situations of each minute in the
// pseudo-language: each word must be in the catalogue or be a name.
func TestEverythingIsTranslated(t *testing.T) {
	t.Parallel()
	start := time.Date(2026, 3, 2, 11, 0, 0, 0, time.UTC)
	day := demo.NewPastDay(world.Options{Seed: 1, Agents: 60, Drama: true, Start: start, Clock: start})
	e, err := alert.New(alert.Options{Rules: alert.DefaultRules(), Goal: alert.DefaultGoal()})
	if err != nil {
		t.Fatal(err)
	}
	watch := New(Options{Goal: func(string) alert.Goal { return alert.DefaultGoal() }, Zone: time.UTC})
	pseudo, told, bad, names := words.PseudoLanguage(), make(map[string]bool), make(map[string]bool), make(map[string]bool)
	for s, err := range day.Snapshots(t.Context(), day.Start(), 10*time.Second) {
		if err != nil {
			t.Fatal(err)
		}
		now := s.At
		if now.Sub(day.Start()) > time.Hour {
			break
		}
		changes := e.Evaluate(s, now)
		v := watch.Update(s, e.Active(), changes, now)
		if addNames(names, s); now.Second() >= 10 {
			continue
		}
		for _, text := range v.In(pseudo).allTexts(time.UTC) {
			told[text] = true
			if found := untranslated(text, names); len(found) > 0 && !bad[text] {
				bad[text] = true
				t.Errorf("%q is not in the catalogue, in: %s", found, text)
			}
		}
		if again := v.In(pseudo).In(nil); !slices.Equal(again.allTexts(time.UTC), v.allTexts(time.UTC)) {
			t.Errorf("in English again: %q, want %q", again.allTexts(time.UTC), v.allTexts(time.UTC))
		}
		if len(bad) > 10 {
			t.FailNow()
		}
	}
	t.Logf("%d texts", len(told))
	if len(told) < 200 {
		t.Errorf("only %d texts", len(told))
	}
}

// TestPlacesAreTold checks the titles of places that have no name of their own, and of channels.
func TestPlacesAreTold(t *testing.T) {
	t.Parallel()
	v := &View{At: time.Unix(1, 0), Live: []Situation{
		{Place: Place{alert.Key{Scope: alert.Feed}, "The feed"}},
		{Place: Place{alert.Key{Scope: alert.Floor, Channel: model.Chat}, "The floor · chat"}},
		{Place: Place{alert.Key{Scope: alert.Service, Code: "A", Channel: model.MailACD}, "A · B · mail"}, Headline: "Recorded."},
	}}
	for i, want := range []string{"[Théë féëéëd]", "[Théë flóöóör] · [cháät]", "A · B · [máäíïl]"} {
		if got := v.In(words.PseudoLanguage()).Live[i].Place.Title; got != want {
			t.Errorf("the title is %q, want %q", got, want)
		}
	}
	if got := v.In(words.PseudoLanguage()).Live[2].Headline; got != "Recorded." {
		t.Errorf("the recorded headline is %q", got)
	}
}

// TestRecordedQueuesAreTold checks that the recorded size of a queue appears in the viewer's language.
// Other recorded headlines do not change.
func TestRecordedQueuesAreTold(t *testing.T) {
	t.Parallel()
	for headline, isTold := range map[string]bool{"Peak 3 callers, longest wait 1:05.": true, "30.0 % abandoned (3 of 10).": false} {
		in := &model.Incident{Scope: "service", Code: "A", Channel: model.Call, Title: "A", Headline: headline, Waiting: 3, Longest: 65, Ended: time.Unix(9, 0)}
		list := []EndedSituation{entryOf(in, in.Ended).EndedSituation}
		if got := endedIn(list, words.PseudoLanguage())[0].Headline; (len(untranslated(got, nil)) == 0) != isTold {
			t.Errorf("%q is told as %q", headline, got)
		}
		if got := endedIn(list, nil)[0].Headline; got != headline {
			t.Errorf("%q is told as %q in English", headline, got)
		}
	}
}
