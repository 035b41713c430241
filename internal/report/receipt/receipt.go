// Package receipt writes receipts for figures, and recomputes them from a recording. It starts no
// goroutines.
package receipt

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"strconv"
	"strings"
	"time"

	"wallboard/internal/alert"
	"wallboard/model"
	"wallboard/model/kpi"
)

// Receipt says how a figure was computed at a moment.
type Receipt struct {
	Scope   model.Scope   `json:"scope"`             // service, group, campaign or floor
	Code    string        `json:"code,omitempty"`    // code of the service or group, number of the campaign
	Channel model.Channel `json:"channel,omitempty"` // of a service, a group or the floor

	Figure  string   `json:"figure"` // name in expressions
	Title   string   `json:"title"`
	Unit    kpi.Unit `json:"unit"`
	Formula string   `json:"formula"` // with the names of the platform's fields
	Value   *float64 `json:"value"`   // durations in seconds, shares from 0 to 1; nil: unknown or not applicable
	NA      bool     `json:"notApplicable,omitempty"`

	// Fields holds the fields on which the value depends, by path in the platform's record. Those of
	// the floor are sums over its records.
	Fields map[string]json.RawMessage `json:"fields"`
	Goal   *Goal                      `json:"goal,omitempty"` // targets that the formula uses

	Time time.Time `json:"time"` // of the snapshot, on the platform's clock
	// Verified is when the last of all records was compared with the platform's full state. Differences
	// is the number of wrong or missing values that such comparisons have found and repaired until
	// then, and LastDifference when the last one was found.
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

// kpi returns the goal in the form in which figures are computed.
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

// Goals returns the targets of a service, or those of the floor for the code "".
type Goals func(service string) kpi.Goal

// of returns the targets on which the figure of a receipt depends, or nil if there are none.
func (g Goals) of(r *Receipt) *Goal {
	if f := kpi.Named(r.Figure); f == nil || !f.DependsOnGoal {
		return nil
	}
	if r.Scope == model.ScopeService || r.Scope == model.ScopeFloor { // the code of the floor is ""
		return goalOf(g(r.Code))
	}
	return goalOf(kpi.Goal{})
}

// All returns receipts for all figures of the services, groups, campaigns and channels of a snapshot
// whose values are known or not applicable. keep selects records; nil: all.
func All(s *model.Snapshot, goals Goals, keep func(alert.Key) bool) []Receipt {
	var all []Receipt
	add := func(k alert.Key) {
		if keep != nil && !keep(k) {
			return
		}
		for i := range kpi.Figures() {
			r := Receipt{Scope: k.Scope, Code: k.Code, Channel: k.Channel, Figure: kpi.Figures()[i].Name}
			r.Goal = goals.of(&r)
			if r.compute(s) && (r.Value != nil || r.NA) {
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

// compute fills in everything but the name of the record, the figure and its goal. It returns false
// if the snapshot has no such record or the record no such figure.
func (r *Receipt) compute(s *model.Snapshot) bool {
	f := kpi.Named(r.Figure)
	if f == nil {
		return false
	}
	form := f.FormFor(r.Scope)
	if form == nil {
		return false
	}
	var value model.Figure
	goal, found := r.Goal.kpi(), false
	switch r.Scope { //nolint:exhaustive // other records have no receipts
	case model.ScopeService:
		if record := s.Services.Get(model.ServiceKey{Code: r.Code, Channel: r.Channel}); record != nil {
			value, r.Fields = trace(*record, func(x *model.Service) model.Figure { return form.OfService(x, goal) })
			found = true
		}
	case model.ScopeGroup:
		if record := s.Groups.Get(model.GroupKey{Code: r.Code, Channel: r.Channel}); record != nil {
			value, r.Fields = trace(*record, form.Group)
			found = true
		}
	case model.ScopeCampaign:
		id, err := strconv.ParseInt(r.Code, 10, 64)
		if record := s.Campaigns.Get(id); record != nil && err == nil {
			value, r.Fields = trace(*record, form.Campaign)
			found = true
		}
	case model.ScopeFloor:
		value, r.Fields = trace(model.FloorOf(s, r.Channel, nil, nil), func(x *model.Floor) model.Figure { return form.OfFloor(x, goal) })
		found = true
	}
	r.Title, r.Unit, r.Formula, r.NA, r.Value = f.TitleFor(r.Scope), f.Unit, form.Formula, value.IsNotApplicable(), nil
	if v, ok := value.Get(); ok {
		r.Value = &v
	}
	r.Time, r.Verified = s.At, onServer(s, s.Health.VerifiedAt())
	r.Differences, r.LastDifference = s.Health.Drift().Total(), onServer(s, s.Health.DriftAt())
	return found
}

// onServer converts a local time to the platform's clock. It returns zero for zero.
func onServer(s *model.Snapshot, local time.Time) time.Time {
	if local.IsZero() {
		return local
	}
	return local.Add(s.Health.ClockOffset)
}

// trace returns the value of a figure and the fields of the record on which it depends: those whose
// absence would change it.
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

// eachLeaf calls do for every value of a record that is not a structure of further values.
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
	Holds       Result = "holds"
	Differs     Result = "differs"
	NotRecorded Result = "not recorded" // the recording has nothing at the time, or no such record
)

// Check is a receipt and what recomputing it showed.
type Check struct {
	Receipt    Receipt  `json:"receipt"`
	Result     Result   `json:"result"`
	Recomputed *float64 `json:"recomputed"` // value from the recording at the time
	Reason     string   `json:"reason,omitempty"`
}

// Tolerance is how far a recorded snapshot may be from the time of a receipt. A live board publishes
// several snapshots a second, and the recording holds one.
const Tolerance = 2 * time.Second

// Verify recomputes receipts from the recorded snapshots and the targets of the configuration. near
// returns the snapshots around a time, nearest first. A receipt holds if all that it states follows
// from one of them.
func Verify(receipts []Receipt, goals Goals, near func(at time.Time) ([]*model.Snapshot, error)) ([]Check, error) {
	var (
		checks    []Check
		at        time.Time
		snapshots []*model.Snapshot
	)
	for i, r := range receipts {
		if i == 0 || !r.Time.Equal(at) {
			var err error
			if snapshots, err = near(r.Time); err != nil {
				return nil, err
			}
			at = r.Time
		}
		checks = append(checks, r.check(snapshots, goals))
	}
	return checks, nil
}

func (r *Receipt) check(snapshots []*model.Snapshot, goals Goals) Check {
	c := Check{Receipt: *r, Result: NotRecorded}
	for i, s := range snapshots {
		again := Receipt{Scope: r.Scope, Code: r.Code, Channel: r.Channel, Figure: r.Figure, Goal: goals.of(r)}
		if !again.compute(s) {
			continue
		}
		reason := again.difference(r)
		if reason == "" {
			return Check{Receipt: *r, Result: Holds, Recomputed: again.Value}
		}
		if i == 0 || c.Result == NotRecorded {
			c.Result, c.Recomputed, c.Reason = Differs, again.Value, reason
		}
	}
	return c
}

// difference describes a difference between r and stated. It returns "" if there is none.
func (r *Receipt) difference(stated *Receipt) string {
	switch {
	case r.Formula != stated.Formula || r.Unit != stated.Unit || r.Title != stated.Title:
		return "the title, the formula or the unit is not that of this version"
	case !reflect.DeepEqual(r.Goal, stated.Goal):
		return "the targets are not those of the configuration"
	case r.NA != stated.NA || (r.Value == nil) != (stated.Value == nil) || r.Value != nil && math.Abs(*r.Value-*stated.Value) > 1e-9*max(1, math.Abs(*r.Value)):
		return "the value is another one"
	}
	if len(r.Fields) != len(stated.Fields) {
		return "it depends on other fields"
	}
	for name, text := range r.Fields {
		if string(stated.Fields[name]) != string(text) {
			return "the field " + name + " was " + string(text)
		}
	}
	// A recording holds the times of comparisons in seconds.
	if r.Verified.Sub(stated.Verified).Abs() > Tolerance || r.LastDifference.Sub(stated.LastDifference).Abs() > Tolerance || r.Differences != stated.Differences {
		return "the comparisons with the platform's full state were others"
	}
	return ""
}

// Document is a file of receipts. A handover or an export can contain it among other things.
type Document struct {
	Receipts []Receipt `json:"receipts"`
}

// maxReceipts limits the number of receipts in a file.
const maxReceipts = 200_000

// Read reads a file of receipts. It returns an error if the text has no receipts, or anything after
// them.
func Read(in io.Reader) ([]Receipt, error) {
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
		if d.Receipts[i].Time.IsZero() || kpi.Named(d.Receipts[i].Figure) == nil {
			return nil, fmt.Errorf("receipt %d has no time or names no figure of this version", i+1)
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
