package headless

import (
	"time"

	"wallboard/alert"
	"wallboard/model"
	"wallboard/situation"
	"wallboard/situation/cause"
)

// situationDoc is a situation in JSON. It names agents where the board does.
type situationDoc struct {
	ID        string    `json:"id"`
	Severity  string    `json:"severity"` // critical, warning or today
	Scope     string    `json:"scope"`
	Code      string    `json:"code"`
	Channel   string    `json:"channel"`
	Title     string    `json:"title"`
	Text      string    `json:"text"`
	Since     time.Time `json:"since"`
	FromStart bool      `json:"fromStart"` // it was there when the program began to watch
	Hurts     int       `json:"hurts"`     // how many people wait or are concerned
	Times     int       `json:"timesToday"`
	Seconds   float64   `json:"secondsToday"` // how long in all
	// Why is the causes in sentences, or what is lacking to tell them.
	Why        []string   `json:"why"`
	Causes     []causeDoc `json:"causes"`
	Help       helpDoc    `json:"help"`
	Unverified *time.Time `json:"unverifiedSince"`
	Taken      *takenDoc  `json:"takenOver"`
	Alerts     []string   `json:"alerts"` // the ids of what it is made of
}

// causeDoc is a cause with its arithmetic.
type causeDoc struct {
	Kind   string   `json:"kind"`
	Text   string   `json:"text"`
	Share  *float64 `json:"share"`  // of the lack, 0 to 1; null: it is not one of several
	Agents *float64 `json:"agents"` // how many agents' work it is
	Then   *float64 `json:"then"`   // the figure that changed
	Now    *float64 `json:"now"`
	Unit   string   `json:"unit"`  // of then and now
	Basis  string   `json:"basis"` // what then is
	Steps  []string `json:"steps"`
}

// helpDoc is what would help.
type helpDoc struct {
	Texts       []string    `json:"texts"`
	Needed      []neededDoc `json:"needed"`                  // none or one
	ByItself    *float64    `json:"clearsByItselfInSeconds"` // null: unknown
	KeepsUp     int         `json:"moreToKeepUp"`            // agents, to serve as many as come; 0: those who are there do, or unknown
	GivesUp     bool        `json:"mostGiveUp"`              // that is mostly since who waits gives up
	Who         []helperDoc `json:"who"`
	Assumptions []string    `json:"assumptions"`
}

type neededDoc struct {
	Agents  int     `json:"moreAgents"`
	Seconds float64 `json:"clearInSeconds"`
}

type helperDoc struct {
	Username string `json:"username"`
	Name     string `json:"name"`
	Where    string `json:"where"`
	Why      string `json:"why"`
	Costs    string `json:"costs"`
}

type takenDoc struct {
	By   string    `json:"by"`
	At   time.Time `json:"at"`
	Note string    `json:"note"`
}

// situationsOf are what goes on, then what figures of the day are about.
func situationsOf(v *situation.View) []situationDoc {
	out := []situationDoc{}
	if v == nil {
		return out
	}
	for i := range v.Live {
		out = append(out, situationOf(&v.Live[i], v.Live[i].Level.String()))
	}
	for i := range v.Today {
		out = append(out, situationOf(&v.Today[i], "today"))
	}
	return out
}

func situationOf(s *situation.Situation, severity string) situationDoc {
	k := s.Place.Key
	doc := situationDoc{
		ID: s.ID, Severity: severity, Scope: string(k.Scope), Code: k.Code, Channel: string(k.Channel), Title: s.Place.Title,
		Text: s.Headline, Since: s.Since.UTC(), FromStart: s.FromStart, Hurts: s.Hurts, Times: s.Times, Seconds: s.Total.Seconds(),
		Why: append([]string{}, s.Why()...), Causes: []causeDoc{}, Help: helpOf(s), Unverified: known(s.Stale), Alerts: []string{},
	}
	for i := range s.Causes {
		doc.Causes = append(doc.Causes, causeOf(&s.Causes[i]))
	}
	if s.Ack != (alert.Ack{}) {
		doc.Taken = &takenDoc{s.Ack.By, s.Ack.At.UTC(), s.Ack.Note}
	}
	for i := range s.Alerts {
		doc.Alerts = append(doc.Alerts, s.Alerts[i].ID)
	}
	return doc
}

func causeOf(c *cause.Cause) causeDoc {
	return causeDoc{
		Kind: string(c.Kind), Text: c.Text, Share: valueOf(c.Share), Agents: valueOf(c.Agents), Then: valueOf(c.Then), Now: valueOf(c.Now),
		Unit:  map[cause.Unit]string{cause.PerMinute: "contacts a minute", cause.Seconds: "seconds", cause.Agents: "agents"}[c.Unit],
		Basis: c.Basis, Steps: append([]string{}, c.Steps...),
	}
}

func helpOf(s *situation.Situation) helpDoc {
	h := &s.Help
	_, texts := s.Helps()
	doc := helpDoc{
		Texts: append([]string{}, texts...), Needed: []neededDoc{}, KeepsUp: h.KeepsUp, GivesUp: h.GivesUp, Who: []helperDoc{},
		Assumptions: append([]string{}, h.Assumptions...),
	}
	if n := h.Needed; n.More > 0 {
		doc.Needed = append(doc.Needed, neededDoc{n.More, n.Clear.Seconds()})
	}
	if h.ByItselfKnown {
		seconds := h.ByItself.Seconds()
		doc.ByItself = &seconds
	}
	for _, w := range h.Who {
		doc.Who = append(doc.Who, helperDoc{w.Username, w.Name, w.Where, w.Why, w.Costs})
	}
	return doc
}

// valueOf is a figure for JSON: null where it is unknown.
func valueOf(f model.Figure) *float64 {
	if v, ok := f.Get(); ok {
		return &v
	}
	return nil
}
