package breaks_test

import (
	"strings"
	"testing"
	"time"

	"wallboard/internal/alert/breaks"
)

// TestGuess checks real names of breaks in six languages.
func TestGuess(t *testing.T) {
	t.Parallel()
	for kind, names := range map[breaks.Kind]string{
		breaks.Lunch: "LUNCH|Lunch break|LunchBreak2|lunch_1|Mittagspause|Mittag|Pause déjeuner|PAUSE_DEJEUNER|Almuerzo|" +
			"Pausa comida|Pausa pranzo|PRANZO|Almoço|Hora de almoço|Lunch (team B)",
		breaks.Restroom: "WC|Toilet|Restroom break|bio break|Comfort-Break|Toilettenpause|Toilettes|Baño|Aseo|Pausa bagno|Banheiro|Casa de banho",
		breaks.Training: "TRAINING|Training CRM|e-learning|Schulung|Fortbildung Neukunden|Formation produit|Formación|Capacitación|Formazione|Formação|Treinamento",
		breaks.Coaching: "Coaching|COACHING_TL|One-to-one|1:1|Einzelgespräch|Side by side|Accompagnement|Acompañamiento|Affiancamento|Acompanhamento",
		breaks.Meeting:  "MEETING|Team meeting|Stand-up|Besprechung|Teamsitzung|Réunion|Reunión de equipo|Riunione|Reunião",
		breaks.OfficeWork: "BACKOFFICE|Back-Office|Office work|Büroarbeit|Sachbearbeitung|Travail administratif|Trabajo administrativo|" + //nolint:misspell // Spanish
			"Lavoro d'ufficio|Trabalho administrativo", //nolint:misspell // Portuguese
		breaks.ShortBreak: "PAUSE|Break|Short break|Coffee break|Kaffeepause|Pausen|Kurzpause|Raucherpause|Pause café|Pausa|Pausa caffè|Descanso|Intervalo|Pause 1",
	} {
		for name := range strings.SplitSeq(names, "|") {
			if got := breaks.GuessKind(name); got != kind {
				t.Errorf("%q is %q, want %q", name, got, kind)
			}
		}
	}
}

// TestNoGuess checks names of no kind, of two kinds, and words inside other words.
func TestNoGuess(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		"", "__", "Training lunch", "Lunch meeting", "Training break", "Meeting pause", "Coffee and lunch", "Coaching training",
		"Brunch", "Launch", "Breakfast", "Breakdown", "Systembreakdown", "Pausenraum", "Mittagsbesprechungsraum", "Teamwork", "Wcag", "Restaurant",
		"Trainingsplatz", "Newsroom", "Officer", "Cafeteria", "Administrator", "No lunch", "Lunch cover", "After lunch", "ohne Pause", "Sans pause",
		"Technical issue", "Project", "Ticket 4711", "1", "昼休み",
	} {
		if got := breaks.GuessKind(name); got != "" {
			t.Errorf("%q is taken for %q", name, got)
		}
	}
}

// TestAccentOfItsOwn checks letters with combining accents.
func TestAccentOfItsOwn(t *testing.T) {
	t.Parallel()
	if got := breaks.GuessKind("Re\u0301union"); got != breaks.Meeting {
		t.Errorf("it is %q", got)
	}
}

// TestBook checks that the configuration overrides the guess, and the reported source.
func TestBook(t *testing.T) {
	t.Parallel()
	b := breaks.NewAllowances([]breaks.Rule{
		{Code: "P1", Kind: breaks.Lunch},
		{Code: "LUNCH_NIGHT", Limit: 20 * time.Minute},
		{Code: "MEETING_ROOM", Kind: breaks.Other},
		{Code: "PAUSE", Kind: breaks.Training, Limit: 5 * time.Minute},
		{Code: "TEA"}, // the code has only a limit per day
		{Kind: breaks.Coaching, Limit: 30 * time.Minute},
	}, func(code string) string {
		if code == "P7" {
			return "Toilette"
		}
		return code
	})
	for code, want := range map[string]breaks.Allowance{
		"P1":           {Kind: breaks.Lunch, Limit: time.Hour, Source: breaks.SourceConfigured},
		"LUNCH":        {Kind: breaks.Lunch, Limit: time.Hour, Source: breaks.SourceGuessed},
		"LUNCH_NIGHT":  {Kind: breaks.Lunch, Limit: 20 * time.Minute, Source: breaks.SourceConfigured},
		"PAUSE":        {Kind: breaks.Training, Limit: 5 * time.Minute, Source: breaks.SourceConfigured},
		"TEA":          {Kind: breaks.ShortBreak, Limit: 15 * time.Minute, Source: breaks.SourceGuessed},
		"COACHING":     {Kind: breaks.Coaching, Limit: 30 * time.Minute, Source: breaks.SourceGuessed},
		"P7":           {Kind: breaks.Restroom, Limit: 10 * time.Minute, Source: breaks.SourceGuessed},
		"MEETING_ROOM": {Source: breaks.SourceConfigured},
		"P8":           {Source: breaks.SourceGuessed},
	} {
		got, ok := b.ForCode(code)
		if got != want || ok != (want.Limit > 0) {
			t.Errorf("%s may take %+v (%v), want %+v", code, got, ok, want)
		}
	}
	if _, ok := b.ByKind("LUNCH_NIGHT"); ok {
		t.Error("a code with a limit of its own goes by its kind")
	}
	if _, ok := (*breaks.Allowances)(nil).ForCode("LUNCH"); ok {
		t.Error("the nil book knows something")
	}
	if _, ok := b.ForCode(""); ok {
		t.Error("no code is of a kind")
	}
}

// TestKindsHaveLimits checks that each kind has a limit and terms.
func TestKindsHaveLimits(t *testing.T) {
	t.Parallel()
	if n := len(breaks.Kinds()); n < 3 {
		t.Errorf("%d kinds", n)
	}
	for _, k := range breaks.Kinds() {
		if k.DefaultLimit() < 10*time.Minute || k.DefaultLimit() > 4*time.Hour {
			t.Errorf("%s may take %v", k, k.DefaultLimit())
		}
		if got := breaks.GuessKind(string(k)); got != k {
			t.Errorf("%q is %q", k, got)
		}
	}
}
