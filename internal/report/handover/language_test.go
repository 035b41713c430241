package handover

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"wallboard/internal/alert"
	"wallboard/internal/alert/situation"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/model/contact"
)

var letters = regexp.MustCompile(`\p{L}{3,}`)

// untranslated returns the words of a text in the pseudo-language that have no accents and so are not
// in the catalogue, except for the known ones.
func untranslated(text, known string) (out []string) {
	for _, word := range letters.FindAllString(text, -1) {
		hasAccent := strings.ContainsFunc(word, func(r rune) bool { return r > 0x7f })
		if !hasAccent && strings.ContainsAny(word, "aeiouAEIOU") && !slices.Contains(strings.Fields(known), word) && !slices.Contains(out, word) {
			out = append(out, word)
		}
	}
	return out
}

// TestLanguage writes a report, a review and a report about a day in the pseudo-language. Only names, and texts of
// the platform, of viewers and of packages that are not converted have no accents.
func TestLanguage(t *testing.T) {
	t.Parallel()
	r := busyShift(4)
	r.Actions, r.Site, r.input.Words = nil, "Bolzano", words.PseudoLanguage()
	r.Health = model.Health{Link: model.Link{State: model.LinkUp}, Cuts: 1, Subscriptions: []model.Subscription{{Name: model.OpServices, State: model.SubLive}}}
	r.Situations = *r.Situations.In(words.PseudoLanguage())
	r.Situations.Live[0].Ack = alert.Ack{By: "Anna", Note: "on it.", At: morning}
	if text := Markdown(r); !strings.Contains(text, "on it.") || strings.Contains(text, "on it..") {
		t.Errorf("the note has two full stops:\n%s", text)
	}
	in := r.Situations.Live[0].IncidentSummary()
	in.Ended, in.Alerts = r.At, []alert.Alert{{Rule: "wait", Since: morning, Raised: morning, Ack: alert.Ack{By: "Anna", At: morning}}}
	review := r.ReviewOf(in, []situation.Playbook{{Rule: "wait", EndCondition: "over"}})
	review.MeasureCost(t.Context(), nil)
	day := DayReport{Date: morning, CreatedAt: morning, Comparisons: []contact.Comparison{{Day: contact.Day{Kind: contact.Inbound, Date: morning}}}}
	for name, text := range map[string]string{
		"report": Markdown(r), "review": ReviewMarkdown(review), "subject": NewDocument(&r, "").Subject,
		"day": DayFormatters(words.PseudoLanguage())[FormMarkdown](day) + DayFormatters(words.PseudoLanguage())[FormText](day),
	} {
		const names = "Bolzano UTC Service Renewals Anna past wait over ASA AHT"
		// Headlines, causes and forecasts are strings in the report; formulas and headings of figures belong to package kpi.
		const strangers = "callers waiting longest one available times many calls come before answered time abandoned Contacts midnight about"
		if found := untranslated(text, names+" "+strangers); len(found) > 0 {
			t.Errorf("%s: not in the catalogue: %q\n%s", name, found, text)
		}
	}
}
