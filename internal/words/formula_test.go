package words

import (
	"regexp"
	"strings"
	"testing"

	"wallboard/model"
	"wallboard/model/kpi"
)

// TestFormula writes formulas in words.
func TestFormula(t *testing.T) {
	t.Parallel()
	for formula, want := range map[string]string{
		"hangupCalls / receivedCalls":                                                       "abandoned calls / callers",
		"queuedCalls == 0 ? 0 : maxTimeCallOnQueue":                                         "0 if callers waiting is 0, otherwise the longest wait",
		"queuedCalls > 0 and loggedUsers == 0":                                              "callers waiting > 0 and agents logged in is 0",
		`status in ["WNR"] ? timeInState : 0`:                                               "time in the state if state is wrap-up, otherwise 0",
		"queuedCalls > 0 and readyUsers == 0 ? (known(longestWait) ? longestWait : 20) : 0": "(the longest wait if the longest wait is known, otherwise 20) if callers waiting > 0 and agents ready is 0, otherwise 0",
		"readyUsers == 0 ? queuedCalls > 0 ? 1 : 2 : 3":                                     "(1 if callers waiting > 0, otherwise 2) if agents ready is 0, otherwise 3",
		"max(readyUsers ? 1 : 2, 3) / loggedUsers":                                          "max(1 if agents ready, otherwise 2, 3) / agents logged in",
		"(readyUsers ? 1": "(agents ready ? 1",
		"parkedCalls > 3": "parked calls > 3",
		`status in ["WNR", "BUSY"] and readyUsers >= 2`:                 "state is one of [wrap-up, talking] and agents ready at least 2",
		"answeredCallsUnderSpeedLimit / calls of the service's formula": "calls answered in time / calls counted by the service's formula",
		"(hangupCalls - shortCalls) / (receivedCalls - shortCalls)":     "(abandoned calls - short abandoned calls) / (callers - short abandoned calls)",
	} {
		if got := Formula(formula).In(nil); got != want {
			t.Errorf("%s:\n got %q,\nwant %q", formula, got, want)
		}
	}
}

// TestNoFieldNamesInFormulas puts every formula of the catalogue in words.
func TestNoFieldNamesInFormulas(t *testing.T) {
	t.Parallel()
	camel := regexp.MustCompile(`[a-z][A-Z]`)
	for _, f := range kpi.Figures() {
		for i := range f.Forms {
			if got := Formula(f.Forms[i].Formula).In(nil); camel.MatchString(got) {
				t.Errorf("%s: %q", f.Name, got)
			}
		}
	}
}

// FuzzFormula checks any text as a formula; the time must grow linearly.
func FuzzFormula(f *testing.F) {
	f.Add("a ? b : c")
	f.Add(" ? : ")
	f.Add(strings.Repeat("a ? b : ", 20))
	f.Fuzz(func(_ *testing.T, s string) { Formula(s) })
}

// TestEveryFigureHasTexts checks that each built-in figure has a title and a word, and the texts for the places
// where it is shown.
func TestEveryFigureHasTexts(t *testing.T) {
	t.Parallel()
	for _, f := range kpi.Figures() {
		texts := map[string]Text{"title": FigureTitle(f.Name, ""), "word": firstText(figureTexts[f.Name].formulaWord)}
		if f.Tile > 0 {
			texts["tile"] = FigureTile(f.Name)
		}
		if f.Column > 0 {
			texts["report"] = FigureReportHeading(f.Name)
		}
		for i := range f.Forms {
			if f.Forms[i].HasColumn {
				texts["heading"] = FigureHeading(f.Name)
			}
			if f.Forms[i].InDetail {
				texts["label"] = FigureLabel(f.Name, model.ScopeService)
			}
		}
		for what, text := range texts {
			if text.IsZero() {
				t.Errorf("%s has no %s", f.Name, what)
			}
		}
	}
	if service, user := FigureTitle("occupancy", model.ScopeService), FigureTitle("occupancy", model.ScopeUser); service.Equal(user) {
		t.Errorf("the title of a share of heads and of a share of time is %q", service.In(nil))
	}
	if !FigureTitle("nps", "").IsZero() || !FigureHeading("longestWait").IsZero() {
		t.Error("a figure that does not exist, or has no column, has a text")
	}
}

// TestEverySubscriptionHasATitle checks that titles are unique and that nouns are words.
func TestEverySubscriptionHasATitle(t *testing.T) {
	t.Parallel()
	titles := make(map[string]bool)
	for _, o := range model.Operations() {
		title, noun := SubscriptionTitle(o.Name).In(nil), RecordNouns(o.Name).In(nil)
		if titles[title] || title == string(o.Name) {
			t.Errorf("%s: the title %q is none, or that of two", o.Name, title)
		}
		titles[title] = true
		if noun == "figures" || strings.Contains(noun, "Stats") {
			t.Errorf("%s: %q is no noun", o.Name, noun)
		}
	}
	if got := RecordNouns("chatbotStats").In(nil); got != "figures" {
		t.Errorf("an unknown operation is called %q", got)
	}
}

// TestListShortfall describes incomplete lists.
func TestListShortfall(t *testing.T) {
	t.Parallel()
	for want, list := range map[string]model.Incomplete{
		"10 of 12":               {Got: 10, Total: 12},
		"10, and there are more": {Got: 10, Total: -1, More: true},
		"10 of 12; the list changed while it was read, one may be missing": {Got: 10, Total: 12, Changed: true},
	} {
		if got := ListShortfall(&list).In(nil); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestServiceLevelFormulas(t *testing.T) {
	t.Parallel()
	seen := make(map[string]bool)
	for _, f := range model.ServiceLevelFormulas() {
		seen[ServiceLevelFormula(f).In(nil)] = true
	}
	if len(seen) != 3 {
		t.Errorf("formulas %v, want three different ones", seen)
	}
}
