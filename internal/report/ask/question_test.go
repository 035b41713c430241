package ask

import (
	"slices"
	"testing"
	"time"

	"wallboard/internal/alert"
	"wallboard/model/kpi"
)

// asked is when the questions of these tests are asked: a Wednesday.
var asked = time.Date(2026, 3, 18, 14, 30, 0, 0, time.UTC)

func TestParse(t *testing.T) {
	t.Parallel()
	at := func(day, hour, minute int) time.Time { return time.Date(2026, 3, day, hour, minute, 0, 0, time.UTC) }
	for line, want := range map[string]Query{
		"why sales at 14:05":                     {KindWhy, "sales", "", at(18, 14, 5)},
		":why Sales at 14:05?":                   {KindWhy, "Sales", "", at(18, 14, 5)},
		"WHY is Contracts PT red":                {KindWhy, "Contracts PT", "", time.Time{}},
		"why was Réclamations so slow at 9":      {KindWhy, "Réclamations", "", at(18, 9, 0)},
		"why":                                    {KindWhy, "", "", time.Time{}},
		"why sales yesterday at 9:30":            {KindWhy, "sales", "", at(17, 9, 30)},
		"why sales 40 minutes ago":               {KindWhy, "sales", "", at(18, 13, 50)},
		`why "Monday support" at 14:05`:          {KindWhy, "Monday support", "", at(18, 14, 5)},
		"what is wrong with Contracts PT":        {KindWhy, "Contracts PT", "", time.Time{}},
		"what helps sales":                       {KindWhatHelps, "sales", "", time.Time{}},
		"what can I do about sales":              {KindWhatHelps, "sales", "", time.Time{}},
		"who can go at 15":                       {KindWhoCanGo, "", "", at(18, 15, 0)},
		"who can take a break at 3pm?":           {KindWhoCanGo, "", "", at(18, 15, 0)},
		"who can go":                             {KindWhoCanGo, "", "", time.Time{}},
		"compare monday":                         {KindCompare, "", "", at(16, 14, 30)},
		"compare sales with monday at 11:00":     {KindCompare, "sales", "", at(16, 11, 0)},
		"compare 14:05":                          {KindCompare, "", "", at(18, 14, 5)},
		"forecast sales":                         {KindForecast, "sales", "", time.Time{}},
		"how will sales end":                     {KindForecast, "sales", "", time.Time{}},
		"incidents today":                        {KindIncidents, "", "", time.Time{}},
		"what happened at 14:05":                 {KindIncidents, "", "", at(18, 14, 5)},
		"rules":                                  {KindRules, "", "", time.Time{}},
		"rules wait":                             {KindRules, "wait", "", time.Time{}},
		"floor at 9:30":                          {KindFloor, "", "", at(18, 9, 30)},
		"at 14:05":                               {KindFloor, "", "", at(18, 14, 5)},
		"how are we doing?":                      {KindFloor, "", "", time.Time{}},
		"sales at 14:05":                         {KindRecord, "sales", "", at(18, 14, 5)},
		"how is sales":                           {KindRecord, "sales", "", time.Time{}},
		"service level of Sales at 14:05":        {KindRecord, "Sales", "serviceLevel", at(18, 14, 5)},
		"what was the longest wait of sales":     {KindRecord, "sales", "longestWait", time.Time{}},
		"how many are waiting at sales":          {KindRecord, "sales", "queuedCalls", time.Time{}},
		"how many are waiting":                   {KindRecord, "", "queuedCalls", time.Time{}},
		"serviceLevel of sales":                  {KindRecord, "sales", "serviceLevel", time.Time{}},
		"why Sales at Home at 14:05":             {KindWhy, "Sales at Home", "", at(18, 14, 5)},
		"why service  Sales\u00a0":               {KindWhy, "service Sales", "", time.Time{}},
		"why sales at 2026-03-16T11:00:05":       {KindWhy, "sales", "", at(16, 11, 0).Add(5 * time.Second)},
		"why sales at 2026-03-16T12:00:05+01:00": {KindWhy, "sales", "", at(16, 11, 0).Add(5 * time.Second)},
		"why sales at 16:00":                     {KindWhy, "sales", "", at(17, 16, 0)}, // the last 16:00, which was yesterday
		"please why sales":                       {KindWhy, "sales", "", time.Time{}},
		"what would help Groß-Kunden \u0130zmir": {KindWhatHelps, "Groß-Kunden \u0130zmir", "", time.Time{}},
	} {
		if got, ok := Parse(line, asked, time.UTC); !ok || got.Kind != want.Kind || got.Name != want.Name || got.Figure != want.Figure || !got.At.Equal(want.At) {
			t.Errorf("%q is read as %+v (%v), want %+v", line, got, ok, want)
		}
	}
	for _, line := range []string{"", "?", "compare", "compare sales", "compare with today", "why sales at 0001-01-01T00:00:00", "why sales at 25:99", "why sales at 23:00 today", "who can go at 25:00", "floor plan of the office", string(make([]byte, 600))} {
		if got, ok := Parse(line, asked, time.UTC); ok {
			t.Errorf("%q is read as %+v, want no reading", line, got)
		}
	}
}

// TestParseOwnFigures checks that a question may name a figure of the configuration.
func TestParseOwnFigures(t *testing.T) {
	t.Parallel()
	own := []alert.KPI{{Name: "fcr", Title: "First contact resolution"}}
	for line, want := range map[string]Query{
		"fcr of sales":                          {Kind: KindRecord, Name: "sales", Figure: "fcr"},
		"first contact resolution of sales":     {Kind: KindRecord, Name: "sales", Figure: "fcr"},
		"compare fcr of sales with 40m ago":     {Kind: KindCompare, Name: "sales", Figure: "fcr", At: time.Date(2026, 3, 18, 13, 50, 0, 0, time.UTC)},
		"compare fcr of sales with monday":      {Kind: KindCompare, Name: "sales", Figure: "fcr", At: time.Date(2026, 3, 16, 14, 30, 0, 0, time.UTC)},
		"what is the first contact resolution?": {Kind: KindRecord, Figure: "fcr"},
		"what was the service level of sales":   {Kind: KindRecord, Name: "sales", Figure: "serviceLevel"},
	} {
		got, ok := Parse(line, asked, time.UTC, own...)
		if !ok || got != want {
			t.Errorf("%q is read as %+v (%v), want %+v", line, got, ok, want)
		}
		if again, ok := Parse(got.Interpretation(asked, time.UTC), asked, time.UTC, own...); !ok || again != got && got.At.IsZero() {
			t.Errorf("%q is read as %q, which is read as %+v", line, got.Interpretation(asked, time.UTC), again)
		}
	}
}

// TestReadingAgain checks that parsing the reading of a question gives an equal query.
func TestReadingAgain(t *testing.T) {
	t.Parallel()
	for _, line := range append(Examples(), "what helps sales at 9", "compare sales with monday", "why") {
		q, ok := Parse(line, asked, time.UTC)
		reading := q.Interpretation(asked, time.UTC)
		if again, same := Parse(reading, asked, time.UTC); !ok || q.At.IsZero() && (!same || again != q) || reading == "" {
			t.Errorf("%q is read as %q, which is read as %+v (%v), want %+v (%v)", line, reading, again, same, q, ok)
		}
	}
}

// TestGrammar checks that each kind of question has openings, and that the figures exist.
func TestGrammar(t *testing.T) {
	t.Parallel()
	for _, k := range []Kind{KindFloor, KindRecord, KindWhy, KindWhatHelps, KindWhoCanGo, KindCompare, KindForecast, KindIncidents, KindRules} {
		if k.opening() == "" {
			t.Errorf("no question of the kind %s", k)
		}
	}
	counters := []string{"queuedCalls", "readyUsers", "loggedUsers", "receivedCalls", "answeredCalls"}
	for _, f := range grammar()["figures"] {
		if kpi.FigureNamed(f.name) == nil && !slices.Contains(counters, f.name) {
			t.Errorf("%s is no figure", f.name)
		}
	}
	if len(Examples()) < 5 || len(grammar()) != 3 {
		t.Errorf("%d examples, %d sections", len(Examples()), len(grammar()))
	}
}

func FuzzParse(f *testing.F) {
	for _, line := range Examples() {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		q, ok := Parse(line, asked, time.UTC)
		if ok && q.Kind == "" || ok && q.Kind != KindWhoCanGo && q.At.After(asked) {
			t.Errorf("%q is read as %+v", line, q)
		}
		IsQuestion(line)
	})
}
