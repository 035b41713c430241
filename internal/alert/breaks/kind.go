package breaks

import "time"

// Kind is a kind of break.
type Kind string

// Kinds. The configuration assigns Other to a code whose name wrongly suggests a kind.
const (
	Lunch      Kind = "lunch"
	Restroom   Kind = "restroom"
	Training   Kind = "training"
	Coaching   Kind = "coaching"
	Meeting    Kind = "meeting"
	OfficeWork Kind = "office work"
	ShortBreak Kind = "short break"
	Other      Kind = "other"
)

// Kinds returns all kinds except Other.
func Kinds() []Kind {
	return []Kind{Lunch, Restroom, Training, Coaching, Meeting, OfficeWork, ShortBreak}
}

// DefaultLimit returns the default limit per break of the kind, or 0 for [Other] and unknown kinds.
func (k Kind) DefaultLimit() time.Duration {
	switch k {
	case Lunch:
		return time.Hour
	case Restroom:
		return 10 * time.Minute
	case Training:
		return 4 * time.Hour
	case Coaching:
		return time.Hour
	case Meeting:
		return 90 * time.Minute
	case OfficeWork:
		return 2 * time.Hour
	case ShortBreak:
		return 15 * time.Minute
	case Other:
	}
	return 0
}

// terms returns the words and phrases that identify a kind, in lower case and without accents, in
// English, German, French, Spanish, Italian and Portuguese.
func (k Kind) terms() []string {
	switch k {
	case Lunch:
		return []string{
			"lunch", "lunchtime", "lunchbreak", "lunchpause", "dinner", "supper", "meal", "mealbreak",
			"mittag", "mittagspause", "mittagessen", "mittagszeit", "essen", "essenspause", "abendessen",
			"dejeuner", "repas", "diner", "comida", "almuerzo", "cena", "pranzo", "almoco", "jantar", "refeicao",
		}
	case Restroom:
		return []string{
			"restroom", "toilet", "toilets", "wc", "bathroom", "washroom", "loo", "bio break", "biobreak", "comfort break",
			"toilette", "toiletten", "toilettenpause", "klo", "biopause", "bio pause", "toilettes", "sanitaires",
			"aseo", "aseos", "bano", "banos", "bagno", "pausa fisiologica", "banheiro", "casa de banho",
		}
	case Training:
		return []string{
			"training", "trainings", "course", "e learning", "elearning", "workshop", "seminar", "webinar",
			"schulung", "schulungen", "weiterbildung", "fortbildung", "unterweisung", "lehrgang", "kurs",
			"formation", "cours", "formacion", "capacitacion", "entrenamiento", "curso", "formazione", "addestramento", "corso",
			"formacao", "treinamento", "treino",
		}
	case Coaching:
		return []string{
			"coaching", "coachings", "mentoring", "one to one", "one on one", "1 1", "1 to 1", "1 on 1", "side by side",
			"einzelgesprach", "feedbackgesprach", "mitarbeitergesprach", "accompagnement", "acompanamiento", "tutoria",
			"affiancamento", "acompanhamento", "mentoria",
		}
	case Meeting:
		return []string{
			"meeting", "meetings", "teammeeting", "briefing", "debriefing", "huddle", "standup", "stand up",
			"besprechung", "teambesprechung", "sitzung", "teamsitzung", "dienstbesprechung", "jour fixe",
			"reunion", "reunions", "reuniones", "riunione", "riunioni", "reuniao", "reunioes",
		}
	case OfficeWork:
		return []string{
			"office work", "backoffice", "back office", "admin", "administration", "administrative", "paperwork", "desk work",
			"buro", "buroarbeit", "sachbearbeitung", "verwaltung", "travail administratif", "administratif", "administratifs",
			"travail de bureau", "trabajo administrativo", "administrativo", "trabajo de oficina", "oficina", //nolint:misspell // Spanish
			"lavoro d ufficio", "lavoro di ufficio", "lavoro ufficio", "amministrazione", "trabalho administrativo", "retaguarda", //nolint:misspell // Portuguese
			"trabalho de escritorio", "escritorio",
		}
	case ShortBreak:
		return []string{
			"coffee", "coffeebreak", "tea", "smoke", "smoking", "cigarette", "short break", "screen break",
			"kaffee", "kaffeepause", "kurzpause", "raucherpause", "rauchen", "raucher", "zigarette", "bildschirmpause", "teepause",
			"cafe", "fumer", "cigarrillo", "fumar", "caffe", "sigaretta", "fumo", "cigarro", "lanche", "pausa breve", "pausa corta", "pausa curta",
			"pause courte",
		}
	case Other:
	}
	return nil
}

// breakTerms returns the words for any break. A name with no other known word means a short break.
// Next to a word for lunch, a restroom or a short break, such a word adds nothing. Next to a word
// of another kind, it makes the name ambiguous, because a break during a training is not the
// training.
func breakTerms() []string {
	return []string{"break", "breaks", "pause", "pausen", "pauses", "pausa", "pausas", "descanso", "intervalo", "intervallo", "rest"}
}

// negations returns words that reverse the meaning of a name. For example, an agent who covers a
// colleague's lunch is not at lunch.
func negations() []string {
	return []string{
		"no", "not", "non", "without", "before", "after", "pre", "post", "cover", "covering", "kein", "keine", "nicht", "ohne", "vor", "nach",
		"vertretung", "pas", "sans", "avant", "apres", "sin", "antes", "despues", "senza", "prima", "dopo", "nao", "sem", "depois",
	}
}
