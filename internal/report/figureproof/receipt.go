// Package figureproof writes receipts for figures, and recomputes them from a recording. It starts no
// goroutines.
package figureproof

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/model/kpi"
)

// Receipt says how a figure was computed at a moment.
type Receipt struct {
	Scope   model.Scope   `json:"scope"`             // service, group, user, campaign or floor
	Code    string        `json:"code,omitempty"`    // code of the service or group, user name, number of the campaign
	Channel model.Channel `json:"channel,omitempty"` // of all records but campaigns

	Figure  string   `json:"figure"` // name in expressions
	Title   string   `json:"title"`
	Unit    kpi.Unit `json:"unit"`
	Formula string   `json:"formula"` // with the names of the platform's fields
	Value   *float64 `json:"value"`   // durations in seconds, shares from 0 to 1; nil: unknown or not applicable
	NA      bool     `json:"notApplicable,omitempty"`

	// Fields holds the fields on which the value depends, by path in the platform's record. Those of
	// the floor are sums over its records. For a figure of [[kpi]], Fields holds the values of the
	// names in its expression.
	Fields map[string]json.RawMessage `json:"fields"`
	Goal   *Goal                      `json:"goal,omitempty"` // targets that the formula uses

	Time time.Time `json:"time"` // of the snapshot, on the platform's clock
	// Every record was compared with the platform's full state at Verified or later. Differences is
	// the number of wrong or missing values that comparisons had found and repaired by then.
	// LastDifference is when the last of them was found.
	Verified       time.Time `json:"verified,omitzero"`
	Differences    uint64    `json:"differences"`
	LastDifference time.Time `json:"lastDifference,omitzero"`
}

// Goal holds the targets of a service that a figure depends on.
type Goal struct {
	Formula      model.ServiceLevelFormula `json:"formula"`
	ServiceLevel *float64                  `json:"serviceLevel,omitempty"`
	Abandon      *float64                  `json:"abandon,omitempty"`
}

// kpi returns the goal as package kpi needs it to compute figures.
func (g *Goal) kpi() (out kpi.Goal) {
	if g == nil {
		return out
	}
	out.Formula = g.Formula
	if g.ServiceLevel != nil {
		out.ServiceLevel = model.FloatOf(*g.ServiceLevel)
	}
	if g.Abandon != nil {
		out.Abandon = model.FloatOf(*g.Abandon)
	}
	return out
}

func goalOf(g kpi.Goal) *Goal {
	out := &Goal{Formula: g.Formula}
	if v, ok := g.ServiceLevel.Get(); ok {
		out.ServiceLevel = &v
	}
	if v, ok := g.Abandon.Get(); ok {
		out.Abandon = &v
	}
	return out
}

// Rules holds the parts of the configuration on which figures depend.
type Rules struct {
	// Goal returns the targets of a service, or those of the floor for the code "".
	Goal func(service string) kpi.Goal
	// CustomExplainer returns the figures of [[kpi]] as of a snapshot. It returns nil if there are none. A nil
	// CustomExplainer means the same.
	CustomExplainer func(*model.Snapshot) Explainer
}

// RulesOf returns the rules for figures that are computed by the options o of an alert engine.
func RulesOf(o alert.Options) Rules {
	o.Rules = nil // only figures are computed
	out := Rules{Goal: func(service string) kpi.Goal {
		if g, ok := o.Goals[service]; ok {
			return g
		}
		return o.Goal
	}}
	if len(o.KPIs) > 0 {
		out.CustomExplainer = func(s *model.Snapshot) Explainer {
			e, err := alert.New(o)
			if err != nil { // cannot happen: the configuration was checked when it was loaded
				return nil
			}
			e.Evaluate(s, s.At)
			return e
		}
	}
	return out
}

// Explainer explains the figures of [[kpi]]. An [alert.Engine] is one.
type Explainer interface {
	KPIs(alert.Scope) []alert.KPI
	ExplainKPI(name string, k alert.Key) (alert.Explanation, error)
}

// moment is a snapshot with cached values that several of its figures share. It is not safe for
// concurrent use.
type moment struct {
	*model.Snapshot

	rules  Rules
	floors map[model.Channel]*model.Floor // sums of the channels, as far as they were computed
	custom func() Explainer
}

func (u Rules) momentOf(s *model.Snapshot) *moment {
	m := &moment{Snapshot: s, rules: u, floors: make(map[model.Channel]*model.Floor)}
	m.custom = sync.OnceValue(func() Explainer {
		if u.CustomExplainer == nil {
			return nil
		}
		return u.CustomExplainer(s)
	})
	return m
}

// floor returns the sum of a channel, which must not be changed.
func (m *moment) floor(ch model.Channel) *model.Floor {
	if m.floors[ch] == nil {
		f := model.FloorOf(m.Snapshot, ch, nil, nil)
		m.floors[ch] = &f
	}
	return m.floors[ch]
}

// goalOf returns the targets on which the figure of a receipt depends, or nil if there are none.
func (m *moment) goalOf(r *Receipt) *Goal {
	if f := kpi.FigureNamed(r.Figure); f == nil || !f.DependsOnGoal {
		return nil
	}
	if r.Scope == model.ScopeService || r.Scope == model.ScopeFloor { // the code of the floor is ""
		return goalOf(m.rules.Goal(r.Code))
	}
	return goalOf(kpi.Goal{})
}

// customFigures returns the figures of [[kpi]] of a scope that have receipts.
func (m *moment) customFigures(scope model.Scope) (all []alert.KPI) {
	if e := m.custom(); e != nil {
		for _, k := range e.KPIs(scope) {
			if k.FromSnapshot {
				all = append(all, k)
			}
		}
	}
	return all
}

// NewReceipt returns the receipt for a figure of the record k. ok is false if the snapshot has no such record
// or the record no such figure.
func NewReceipt(s *model.Snapshot, rules Rules, k alert.Key, figure string) (r Receipt, ok bool) {
	r = Receipt{Scope: k.Scope, Code: k.Code, Channel: k.Channel, Figure: figure}
	return r, r.compute(rules.momentOf(s))
}

// AllReceipts returns receipts for all figures of the services, groups, agents, campaigns and channels of a
// snapshot whose values are known or not applicable. keep selects the records; a nil keep selects
// all except agents. A figure of [[kpi]] that depends on more than one snapshot has no receipt.
func AllReceipts(s *model.Snapshot, rules Rules, keep func(alert.Key) bool) []Receipt {
	var all []Receipt
	m := rules.momentOf(s)
	names := make(map[model.Scope][]string)
	add := func(k alert.Key) {
		if keep == nil && k.Scope == model.ScopeUser || keep != nil && !keep(k) {
			return
		}
		if names[k.Scope] == nil {
			for i := range kpi.Figures() {
				names[k.Scope] = append(names[k.Scope], kpi.Figures()[i].Name)
			}
			for _, custom := range m.customFigures(k.Scope) {
				names[k.Scope] = append(names[k.Scope], custom.Name)
			}
		}
		for _, name := range names[k.Scope] {
			r := Receipt{Scope: k.Scope, Code: k.Code, Channel: k.Channel, Figure: name}
			if r.compute(m) && (r.Value != nil || r.NA) {
				all = append(all, r)
			}
		}
	}
	channels := make(map[model.Channel]bool)
	for r := range s.Services.All() {
		add(alert.Key{Scope: model.ScopeService, Code: r.Key().Code, Channel: r.Channel})
		channels[r.Channel] = true
	}
	for r := range s.Groups.All() {
		add(alert.Key{Scope: model.ScopeGroup, Code: r.Key().Code, Channel: r.Channel})
	}
	for r := range s.UserStats.All() {
		add(alert.Key{Scope: model.ScopeUser, Code: r.Key().Username, Channel: r.Channel})
	}
	for r := range s.Campaigns.All() {
		add(alert.Key{Scope: model.ScopeCampaign, Code: strconv.FormatInt(r.Key(), 10)})
	}
	for _, ch := range model.Channels() {
		if channels[ch] {
			add(alert.Key{Scope: model.ScopeFloor, Channel: ch})
		}
	}
	return all
}

// compute fills in everything but the name of the record and the figure. It returns false if the
// snapshot has no such record or the record no such figure.
func (r *Receipt) compute(s *moment) bool {
	var value model.Figure
	var found bool
	if f := kpi.FigureNamed(r.Figure); f == nil {
		value, found = r.computeCustom(s)
	} else if form := f.FormFor(r.Scope); form != nil {
		r.Goal, r.Title, r.Unit, r.Formula = s.goalOf(r), words.FigureTitle(f.Name, r.Scope).In(nil), f.Unit, form.Formula
		value, found = r.computeBuiltIn(s, form)
	}
	r.NA, r.Value = value.IsNotApplicable(), nil
	if v, ok := value.Get(); ok {
		r.Value = &v
	}
	r.Time, r.Verified = s.At, toServerTime(s.Snapshot, s.Health.VerifiedAt())
	r.Differences, r.LastDifference = s.Health.Drift().Total(), toServerTime(s.Snapshot, s.Health.DriftAt())
	return found
}

// computeCustom fills in the formula and the fields of a figure of [[kpi]], and returns its value.
// found is false if there is no such figure.
func (r *Receipt) computeCustom(s *moment) (value model.Figure, found bool) {
	figures := s.customFigures(r.Scope)
	i := slices.IndexFunc(figures, func(k alert.KPI) bool { return k.Name == r.Figure })
	if i < 0 {
		return value, false
	}
	x, err := s.custom().ExplainKPI(r.Figure, alert.Key{Scope: r.Scope, Code: r.Code, Channel: r.Channel})
	if err != nil {
		return value, false
	}
	r.Title, r.Unit, r.Formula = cmp.Or(figures[i].Title, r.Figure), x.Format.Unit(), x.Formula
	r.Fields = make(map[string]json.RawMessage)
	for _, in := range x.Inputs {
		var v any // null: unknown
		switch number, known := in.Value.Get(); {
		case known:
			v = number
		case in.Value.IsNotApplicable():
			v = "n/a"
		case in.Text != "":
			v = in.Text
		}
		if text, err := json.Marshal(v); err == nil {
			r.Fields[in.Name] = text
		}
	}
	return x.Result, true
}

// computeBuiltIn fills in the fields on which a built-in figure depends, and returns its value.
func (r *Receipt) computeBuiltIn(s *moment, form *kpi.ScopeFigure) (value model.Figure, found bool) {
	goal := r.Goal.kpi()
	switch r.Scope { //nolint:exhaustive // other records have no receipts
	case model.ScopeService:
		if record := s.Services.Get(model.ServiceKey{Code: r.Code, Channel: r.Channel}); record != nil {
			value, r.Fields = trace(*record, func(x *model.Service) model.Figure { return form.ServiceValue(x, goal) })
			found = true
		}
	case model.ScopeGroup:
		if record := s.Groups.Get(model.GroupKey{Code: r.Code, Channel: r.Channel}); record != nil {
			value, r.Fields = trace(*record, form.Group)
			found = true
		}
	case model.ScopeUser:
		if record := s.UserStats.Get(model.UserStatKey{Username: r.Code, Channel: r.Channel}); record != nil {
			value, r.Fields = trace(record.AgentFigures, form.AgentValue)
			found = true
		}
	case model.ScopeCampaign:
		id, err := strconv.ParseInt(r.Code, 10, 64)
		if record := s.Campaigns.Get(id); record != nil && err == nil {
			value, r.Fields = trace(*record, form.Campaign)
			found = true
		}
	case model.ScopeFloor:
		value, r.Fields = trace(*s.floor(r.Channel), func(x *model.Floor) model.Figure { return form.FloorValue(x, goal) })
		found = true
	}
	return value, found
}

// toServerTime converts a local time to the platform's clock. It returns zero for zero.
func toServerTime(s *model.Snapshot, local time.Time) time.Time {
	if local.IsZero() {
		return local
	}
	return local.Add(s.Health.ClockOffset)
}

// trace returns the value of a figure and the fields of the record on which it depends: the fields
// whose absence changes the value.
func trace[T any](record T, compute func(*T) model.Figure) (model.Figure, map[string]json.RawMessage) {
	value, fields := compute(&record), make(map[string]json.RawMessage)
	eachLeaf(reflect.ValueOf(&record).Elem(), "", func(path string, leaf reflect.Value) {
		before := reflect.New(leaf.Type()).Elem()
		before.Set(leaf)
		leaf.SetZero()
		if compute(&record) != value {
			if text, err := json.Marshal(before.Interface()); err == nil {
				fields[path] = text
			}
		}
		leaf.Set(before)
	})
	return value, fields
}

// eachLeaf calls do for every field of a record that is not a struct, with its path.
func eachLeaf(v reflect.Value, path string, do func(path string, leaf reflect.Value)) {
	for i := range v.NumField() {
		f := v.Type().Field(i)
		if !f.IsExported() {
			continue
		}
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "" || name == "-" {
			name = f.Name
		}
		if path != "" && !f.Anonymous {
			name = path + "." + name
		}
		_, isValue := v.Field(i).Addr().Interface().(json.Marshaler)
		if v.Field(i).Kind() == reflect.Struct && !isValue && v.Field(i).Type() != reflect.TypeFor[time.Time]() {
			eachLeaf(v.Field(i), name, do)
			continue
		}
		do(name, v.Field(i))
	}
}

// Result is the outcome of a check.
type Result string

// Outcomes of a check.
const (
	ResultHolds       Result = "holds"
	ResultDiffers     Result = "differs"
	ResultNotRecorded Result = "not recorded" // the recording lacks the time or the record, or the configuration lacks the figure
)

// Check is the result of recomputing a receipt.
type Check struct {
	Receipt    Receipt  `json:"receipt"`
	Result     Result   `json:"result"`
	Recomputed *float64 `json:"recomputed"` // value from the recording at the time
	Reason     string   `json:"reason,omitempty"`

	reason words.Text // Reason in every language
}

// TimeTolerance is how far a recorded snapshot may be from the time of a receipt. A live board publishes
// several snapshots a second, of which the recording may hold only one.
const TimeTolerance = 2 * time.Second

// Verify recomputes receipts from the recorded snapshots and the rules of the configuration. near
// returns the snapshots around a time, nearest first. A receipt holds if all that it states follows
// from one of them.
func Verify(receipts []Receipt, rules Rules, near func(at time.Time) ([]*model.Snapshot, error)) ([]Check, error) {
	var (
		checks  []Check
		at      time.Time
		moments []*moment
	)
	for i, r := range receipts {
		if i == 0 || !r.Time.Equal(at) {
			snapshots, err := near(r.Time)
			if err != nil {
				return nil, err
			}
			at, moments = r.Time, nil
			for _, s := range snapshots {
				moments = append(moments, rules.momentOf(s))
			}
		}
		checks = append(checks, r.check(moments))
	}
	return checks, nil
}

func (r *Receipt) check(moments []*moment) Check {
	c := Check{Receipt: *r, Result: ResultNotRecorded, reason: words.ReceiptNothingRecorded()}
	if len(moments) > 0 {
		c.reason = words.ReceiptNoRecord()
	}
	for _, s := range moments {
		again := Receipt{Scope: r.Scope, Code: r.Code, Channel: r.Channel, Figure: r.Figure}
		if !again.compute(s) {
			continue
		}
		reason := again.difference(r)
		if reason.IsZero() {
			return Check{Receipt: *r, Result: ResultHolds, Recomputed: again.Value}
		}
		if c.Result == ResultNotRecorded {
			c.Result, c.Recomputed, c.reason = ResultDiffers, again.Value, reason
		}
	}
	c.Reason = c.reason.In(nil)
	return c
}

// difference describes a difference between r and stated. It returns the zero text if there is none.
func (r *Receipt) difference(stated *Receipt) words.Text {
	switch {
	case r.Formula != stated.Formula || r.Unit != stated.Unit || r.Title != stated.Title:
		return words.ReceiptOtherFormula()
	case !reflect.DeepEqual(r.Goal, stated.Goal):
		return words.ReceiptOtherTargets()
	case r.NA != stated.NA || (r.Value == nil) != (stated.Value == nil) || r.Value != nil && math.Abs(*r.Value-*stated.Value) > 1e-9*max(1, math.Abs(*r.Value)):
		return words.ReceiptOtherValue()
	}
	if len(r.Fields) != len(stated.Fields) {
		return words.ReceiptOtherFields()
	}
	for name, text := range r.Fields {
		if string(stated.Fields[name]) != string(text) {
			return words.ReceiptOtherField(name, string(text))
		}
	}
	// A recording holds the times of comparisons in seconds.
	if r.Verified.Sub(stated.Verified).Abs() > TimeTolerance || r.LastDifference.Sub(stated.LastDifference).Abs() > TimeTolerance || r.Differences != stated.Differences {
		return words.ReceiptOtherComparisons()
	}
	return words.Text{}
}

// Document is a file of receipts. A handover or an export can contain it among other things.
type Document struct {
	Receipts []Receipt `json:"receipts"`
}

// maxReceipts limits the number of receipts in a file.
const maxReceipts = 200_000

// ReadReceipts reads a file of receipts. It returns an error if the text is not JSON, continues after the
// receipts, or has none, too many, or one without a time or a figure.
func ReadReceipts(in io.Reader) ([]Receipt, error) {
	var d Document
	decoder := json.NewDecoder(in)
	if err := decoder.Decode(&d); err != nil {
		return nil, fmt.Errorf("it is not a file of receipts: %w", err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("it is not a file of receipts: text follows them")
	}
	switch {
	case len(d.Receipts) == 0:
		return nil, errors.New("it contains no receipts")
	case len(d.Receipts) > maxReceipts:
		return nil, fmt.Errorf("it contains more than %d receipts", maxReceipts)
	}
	for i := range d.Receipts {
		if d.Receipts[i].Time.IsZero() || d.Receipts[i].Figure == "" {
			return nil, fmt.Errorf("receipt %d has no time or names no figure", i+1)
		}
		for name, text := range d.Receipts[i].Fields {
			var compact bytes.Buffer // without the indentation of the file
			if err := json.Compact(&compact, text); err == nil {
				d.Receipts[i].Fields[name] = compact.Bytes()
			}
		}
	}
	return d.Receipts, nil
}
