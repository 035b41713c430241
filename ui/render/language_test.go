package render

import (
	"regexp"
	"slices"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"wallboard/internal/alert"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/ui/table"
)

// foreign matches words with a vowel without an accent. They are not in the pseudo-language.
var foreign = regexp.MustCompile(`[a-zA-Z]*[aeiouAEIOU][a-zA-Z]*`)

// untold returns the words of lines that are not in the pseudo-language. It ignores names of the fixture
// and words in texts of the platform.
func untold(lines []string, platform string) []string {
	names := "Billing Gold Lunch Renewals Milano Voice Rossi rossi Anna userStats nps good empty " + platform
	for _, r := range alert.DefaultRules() {
		names += " " + r.Name
	}
	var out []string
	for _, l := range lines {
		for _, w := range foreign.FindAllString(ansi.Strip(l), -1) {
			if len(w) > 2 && !slices.Contains(foreign.FindAllString(names, -1), w) && !slices.Contains(out, w) {
				out = append(out, w)
			}
		}
	}
	return out
}

// TestDetailsAreToldInTheLanguage draws the detail views in the pseudo-language, and finds words that are not in
// the catalogue.
func TestDetailsAreToldInTheLanguage(t *testing.T) {
	t.Parallel()
	snap := snapshot(t)
	link, sub := &snap.Health.Link, snap.Health.Subscription(model.OpUserStats)
	platform := map[string]string{
		"subscription": sub.Reason + " " + sub.Unknown + " " + sub.Lacks + " " + sub.Times + " " + sub.Meanings,
		"link":         link.Endpoint + " " + link.Subprotocol + " " + link.Reason + " " + snap.Health.LastBadFrame,
	}
	for name, draw := range details() {
		v := *view(model.Call)
		options := *v.Options
		options.Words = words.PseudoLanguage()
		v.Options = &options
		if found := untold(draw(snap, &v, 160), platform[name]); len(found) > 0 {
			t.Errorf("%s: %q are not in the catalogue", name, found)
		}
	}
}

// TestColumnsAreToldInTheLanguage checks the headings of all tables in the pseudo-language. They are not cut, and
// filters know the columns by their English titles, too.
func TestColumnsAreToldInTheLanguage(t *testing.T) {
	t.Parallel()
	for _, g := range glossaries() {
		english := g.rows.All()
		l := words.PseudoLanguage()
		if !g.rows.SetLanguage(l) || g.rows.SetLanguage(l) {
			t.Errorf("%s: the language does not change once", g.title)
		}
		for i, c := range g.rows.All() {
			if found := untold([]string{c.Title}, ""); len(found) > 0 || c.Title == "" {
				t.Errorf("%s: the heading of %s is %q", g.title, c.ID, c.Title)
			}
			if w := ansi.StringWidth(c.Title); c.Min < w || c.Align == table.Right && c.Min < w+1 {
				t.Errorf("%s: the heading %q of %s is cut to %d cells", g.title, c.Title, c.ID, c.Min)
			}
			if c.Title == english[i].Title || !slices.Contains(c.Aliases, english[i].Title) {
				t.Errorf("%s: %s is %q in both languages, or a filter does not find it: %q", g.title, c.ID, c.Title, c.Aliases)
			}
		}
	}
}

// TestFiltersFindStatesInBothLanguages searches for the word of a state in English, in the language of
// the view, and for the word that earlier versions used.
func TestFiltersFindStatesInBothLanguages(t *testing.T) {
	t.Parallel()
	v := *view(model.Call)
	options := *v.Options
	options.Words = words.PseudoLanguage()
	v.Options = &options
	rows := NewAgents()
	rows.Update(snapshot(t), &v)
	for i := range rows.Len() {
		s := rows.Record(i)
		word := words.AgentState(s.Status, s.Channel)
		for _, filter := range []string{word.In(nil), word.In(words.PseudoLanguage()), formerStates[s.Status]} {
			if filter != "" && !rows.Matches(i, filter) {
				t.Errorf("the filter %q does not find %s, who is %s", filter, rows.Key(i), s.Status)
			}
		}
	}
	if late := table.ParseFilter("slow>2", rows.All()); len(late.Conditions) != 1 {
		t.Errorf("a former title is not found: %+v", late)
	}
}
