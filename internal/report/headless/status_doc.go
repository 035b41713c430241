package headless

import (
	"cmp"
	"time"

	"wallboard/model"
)

// StatusDoc is the JSON document of the command status.
type StatusDoc struct {
	At   time.Time `json:"at"`
	Live bool      `json:"live"` // all data is pushed by the platform, without delay
	// Polling maps polled operations to the age of their data in seconds.
	Polling map[model.Op]float64 `json:"polling,omitempty"`
	Line    string               `json:"line"`
	// Situations is in the order of the page Situations of the board.
	Situations []situationDoc `json:"situations"`
	Alerts     []alertDoc     `json:"alerts"` // most urgent first
	KPIs       []figureDoc    `json:"kpis"`
	Feed       feedDoc        `json:"feed"`
}

type alertDoc struct {
	ID              string     `json:"id"`
	Rule            string     `json:"rule"`
	Severity        string     `json:"severity"`
	Scope           string     `json:"scope"`
	Code            string     `json:"code"`
	Channel         string     `json:"channel"`
	Text            string     `json:"text"`
	Since           time.Time  `json:"since"`
	FromStart       bool       `json:"fromStart"` // the alert may have begun before the program started
	Raised          time.Time  `json:"raised"`
	UnverifiedSince *time.Time `json:"unverifiedSince"`
	SilentUntil     *time.Time `json:"silentUntil"`
	Notify          []string   `json:"notify"`
}

// figureDoc is the JSON form of a figure. A percentage is a share from 0 to 1, and a duration
// is in seconds. null means that the figure is unknown or, if na is true, not applicable.
type figureDoc struct {
	Scope   string   `json:"scope"`
	Code    string   `json:"code"`
	Channel string   `json:"channel"`
	Name    string   `json:"name"`
	Title   string   `json:"title"`
	Format  string   `json:"format"`
	Value   *float64 `json:"value"`
	NA      bool     `json:"na"`
	// Estimated is true for an estimate. Presumed is true if the unit of the value is presumed.
	Estimated bool `json:"estimated"`
	Presumed  bool `json:"presumed"`
}

type feedDoc struct {
	Link          string            `json:"link"`
	Since         time.Time         `json:"since"`
	Reason        string            `json:"reason"`
	Notice        string            `json:"notice"`
	Reconnects    uint64            `json:"reconnects"`
	BadFrames     uint64            `json:"badFrames"`
	Subscriptions []subscriptionDoc `json:"subscriptions"`
}

type subscriptionDoc struct {
	Name       model.Op   `json:"name"`
	State      string     `json:"state"`
	Reason     string     `json:"reason"`
	Records    int        `json:"records"`
	VerifiedAt *time.Time `json:"verifiedAt"`
}

// StatusDoc returns the JSON document of the last evaluated snapshot.
func (v *Viewer) StatusDoc() StatusDoc {
	var polling map[model.Op]float64
	if v.LastSnapshot != nil {
		polling = pollingAges(v.LastSnapshot)
	}
	doc := StatusDoc{At: v.EvaluatedAt.UTC(), Live: v.IsLive() && polling == nil, Polling: polling, Line: v.StatusLine(nil), Alerts: []alertDoc{}, Situations: newSituationDocs(v.view), KPIs: []figureDoc{}}
	for _, a := range v.Active() {
		doc.Alerts = append(doc.Alerts, alertDoc{
			ID: a.ID, Rule: a.Rule, Severity: a.Level.String(), Scope: string(a.Key.Scope), Code: a.Key.Code,
			Channel: string(a.Key.Channel), Text: a.Text, Since: a.Since.UTC(), FromStart: a.FromStart, Raised: a.Raised.UTC(),
			UnverifiedSince: timeOrNil(a.UnverifiedSince), SilentUntil: timeOrNil(a.SilentUntil), Notify: append([]string{}, a.Notify...),
		})
	}
	for _, k := range v.currentKeys() {
		for _, kpi := range v.KPIs(k.Scope) {
			f := v.Value(kpi.Name, k)
			figure := figureDoc{
				Scope: string(k.Scope), Code: k.Code, Channel: string(k.Channel), Name: kpi.Name,
				Title: cmp.Or(kpi.Title, kpi.Name), Format: string(kpi.Format), NA: f.IsNotApplicable(),
				Estimated: f.IsEstimated(), Presumed: f.IsUnitPresumed(),
			}
			if x, ok := f.Get(); ok {
				figure.Value = &x
			}
			doc.KPIs = append(doc.KPIs, figure)
		}
	}
	if v.LastSnapshot != nil {
		doc.Feed = newFeedDoc(&v.LastSnapshot.Health)
	}
	return doc
}

func newFeedDoc(h *model.Health) feedDoc {
	doc := feedDoc{
		Link: string(h.Link.State), Since: h.Link.Since.UTC(), Reason: h.Link.Reason, Notice: h.Notice,
		Reconnects: h.Link.Reconnects, BadFrames: h.BadFrames, Subscriptions: []subscriptionDoc{},
	}
	for i := range h.Subscriptions {
		s := &h.Subscriptions[i]
		doc.Subscriptions = append(doc.Subscriptions, subscriptionDoc{
			Name: s.Name, State: string(s.State), Reason: s.Reason, Records: s.Records, VerifiedAt: timeOrNil(s.VerifiedAt),
		})
	}
	return doc
}

// timeOrNil returns a pointer to t in UTC, or nil, which becomes null in JSON, for the zero time.
func timeOrNil(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	t = t.UTC()
	return &t
}
