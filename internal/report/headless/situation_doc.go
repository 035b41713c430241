package headless

import (
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/alert/diagnosis"
	"wallboard/internal/alert/situation"
	"wallboard/model"
)

// situationDoc is the JSON form of a situation. Agents are named as on the board.
type situationDoc struct {
	ID           string    `json:"id"`
	Severity     string    `json:"severity"` // critical, warning or today
	Scope        string    `json:"scope"`
	Code         string    `json:"code"`
	Channel      string    `json:"channel"`
	Title        string    `json:"title"`
	Text         string    `json:"text"`
	Since        time.Time `json:"since"`
	FromStart    bool      `json:"fromStart"` // the situation may have begun before the program started
	Affected     int       `json:"hurts"`     // number of contacts or agents affected
	TimesToday   int       `json:"timesToday"`
	TotalSeconds float64   `json:"secondsToday"` // total duration today
	// Why holds the causes as sentences. If the causes are unknown, it contains a sentence
	// that names the missing data.
	Why             []string      `json:"why"`
	Causes          []causeDoc    `json:"causes"`
	Help            helpDoc       `json:"help"`
	UnverifiedSince *time.Time    `json:"unverifiedSince"`
	TakenOver       *takenOverDoc `json:"takenOver"`
	Alerts          []string      `json:"alerts"` // IDs of the alerts of the situation
}

// causeDoc is a cause of a situation, with its figures.
type causeDoc struct {
	Kind   string   `json:"kind"`
	Text   string   `json:"text"`
	Share  *float64 `json:"share"`  // share of the missing work that the cause accounts for, 0 to 1; null: unknown, or the only cause
	Agents *float64 `json:"agents"` // number of agents to which the cause is equivalent
	Before *float64 `json:"then"`   // value of the figure before the change
	Now    *float64 `json:"now"`
	Unit   string   `json:"unit"`  // unit of Before and Now
	Basis  string   `json:"basis"` // text that says what Before refers to
	Steps  []string `json:"steps"`
}

// helpDoc holds the measures that a supervisor can take in a situation.
type helpDoc struct {
	Texts  []string          `json:"texts"`
	Needed []agentsNeededDoc `json:"needed"` // at most one element
	// ClearsInSeconds is the time until the queue is expected to clear on its own, or the
	// upper limit of this time if ClearsWithin is true. It is the estimate on the boards, or
	// null if they show none.
	ClearsInSeconds *float64    `json:"clearsByItselfInSeconds"`
	ClearsWithin    bool        `json:"clearsByItselfWithin"`
	KeepUpAgents    int         `json:"moreToKeepUp"` // additional agents needed to keep up with arrivals; 0: none, or unknown
	Helpers         []helperDoc `json:"who"`
	Assumptions     []string    `json:"assumptions"`
}

type agentsNeededDoc struct {
	Agents  int     `json:"moreAgents"`
	Seconds float64 `json:"clearInSeconds"`
}

type helperDoc struct {
	Username string `json:"username"`
	Name     string `json:"name"`
	State    string `json:"where"`
	Why      string `json:"why"`
	Costs    string `json:"costs"`
}

type takenOverDoc struct {
	By   string    `json:"by"`
	At   time.Time `json:"at"`
	Note string    `json:"note"`
}

// newSituationDocs returns the live situations, followed by those about figures of the day.
func newSituationDocs(v *situation.View) []situationDoc {
	out := []situationDoc{}
	if v == nil {
		return out
	}
	for i := range v.Live {
		out = append(out, newSituationDoc(&v.Live[i], v.Live[i].Level.String()))
	}
	for i := range v.Today {
		out = append(out, newSituationDoc(&v.Today[i], "today"))
	}
	return out
}

func newSituationDoc(s *situation.Situation, severity string) situationDoc {
	k := s.Place.Key
	doc := situationDoc{
		ID: s.ID, Severity: severity, Scope: string(k.Scope), Code: k.Code, Channel: string(k.Channel), Title: s.Place.Title,
		Text: s.Headline, Since: s.Since.UTC(), FromStart: s.FromStart, Affected: s.Affected, TimesToday: s.OccurrencesToday, TotalSeconds: s.TotalToday.Seconds(),
		Why: append([]string{}, s.CauseLines()...), Causes: []causeDoc{}, Help: newHelpDoc(s), UnverifiedSince: timeOrNil(s.StaleSince), Alerts: []string{},
	}
	for i := range s.Causes {
		doc.Causes = append(doc.Causes, newCauseDoc(&s.Causes[i]))
	}
	if s.Ack != (alert.Ack{}) {
		doc.TakenOver = &takenOverDoc{s.Ack.By, s.Ack.At.UTC(), s.Ack.Note}
	}
	for i := range s.Alerts {
		doc.Alerts = append(doc.Alerts, s.Alerts[i].ID)
	}
	return doc
}

func newCauseDoc(c *diagnosis.Cause) causeDoc {
	return causeDoc{
		Kind: string(c.Kind), Text: c.Text, Share: valueOrNil(c.Share), Agents: valueOrNil(c.Agents), Before: valueOrNil(c.Before), Now: valueOrNil(c.Now),
		Unit:  map[diagnosis.CauseUnit]string{diagnosis.UnitPerMinute: "contacts a minute", diagnosis.UnitSeconds: "seconds", diagnosis.UnitAgents: "agents"}[c.Unit],
		Basis: c.Basis, Steps: append([]string{}, c.Steps...),
	}
}

func newHelpDoc(s *situation.Situation) helpDoc {
	h := &s.Help
	_, texts := s.HelpPhrases()
	doc := helpDoc{
		Texts: append([]string{}, texts...), Needed: []agentsNeededDoc{}, KeepUpAgents: h.KeepUpAgents, Helpers: []helperDoc{},
		Assumptions: append([]string{}, h.Assumptions...),
	}
	if n := h.Needed; n.MoreAgents > 0 {
		doc.Needed = append(doc.Needed, agentsNeededDoc{n.MoreAgents, n.ClearTime.Seconds()})
	}
	if e := h.Estimate; e.Duration > 0 {
		seconds := e.Duration.Seconds()
		doc.ClearsInSeconds, doc.ClearsWithin = &seconds, e.IsUpperLimit
	}
	for _, w := range h.Helpers {
		doc.Helpers = append(doc.Helpers, helperDoc{w.Username, w.Name, w.StateText, w.Reason, w.Cost})
	}
	return doc
}

// valueOrNil returns a pointer to the value of a figure, or nil, which becomes null in JSON,
// if the value is unknown.
func valueOrNil(f model.Figure) *float64 {
	if v, ok := f.Get(); ok {
		return &v
	}
	return nil
}
