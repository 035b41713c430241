package headless

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"wallboard/internal/alert"
	"wallboard/model"
)

// exposition collects metrics for the OpenMetrics text format 1.0.0, in which the samples of a
// metric must be adjacent.
type exposition struct {
	platform string // value of the label platform of the next samples; "": there is only one platform
	families []*metricFamily
	byName   map[string]*metricFamily
}

// metricFamily is a metric with its samples.
type metricFamily struct {
	platform               string // value of the label platform of the next samples
	name, kind, unit, help string
	samples                strings.Builder
}

// familyNamed returns the metric with the given name and creates it if needed. If unit is not
// "", the name must end with the unit.
func (x *exposition) familyNamed(name, kind, unit, help string) *metricFamily {
	if f := x.byName[name]; f != nil {
		f.platform = x.platform
		return f
	}
	f := &metricFamily{platform: x.platform, name: name, kind: kind, unit: unit, help: help}
	x.families = append(x.families, f)
	x.byName[name] = f
	return f
}

// addSample adds a sample to the metric. labels holds alternating names and values. A label
// with an empty value is omitted.
func (f *metricFamily) addSample(value float64, labels ...string) {
	b := &f.samples
	b.WriteString(f.name)
	if f.kind == "counter" {
		b.WriteString("_total")
	}
	labels = append([]string{"platform", f.platform}, labels...)
	sep := byte('{')
	for i := 0; i+1 < len(labels); i += 2 {
		if labels[i+1] == "" {
			continue
		}
		b.WriteByte(sep)
		b.WriteString(labels[i] + `="` + escapeLabelValue(labels[i+1]) + `"`)
		sep = ','
	}
	if sep == ',' {
		b.WriteByte('}')
	}
	b.WriteString(" " + strconv.FormatFloat(value, 'g', -1, 64) + "\n")
}

func escapeLabelValue(s string) string {
	return strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(s)
}

// String returns the metrics in the OpenMetrics format.
func (x *exposition) String() string {
	var b strings.Builder
	for _, f := range x.families {
		b.WriteString("# TYPE " + f.name + " " + f.kind + "\n")
		if f.unit != "" {
			b.WriteString("# UNIT " + f.name + " " + f.unit + "\n")
		}
		b.WriteString("# HELP " + f.name + " " + escapeLabelValue(f.help) + "\n" + f.samples.String())
	}
	b.WriteString("# EOF\n")
	return b.String()
}

// prometheusText returns the metrics in the text format 0.0.4 of Prometheus. In this format,
// the name of a counter has the suffix _total, and there are no units.
func (x *exposition) prometheusText() string {
	var b strings.Builder
	for _, f := range x.families {
		name := f.name
		if f.kind == "counter" {
			name += "_total"
		}
		b.WriteString("# HELP " + name + " " + strings.NewReplacer(`\`, `\\`, "\n", `\n`).Replace(f.help) + "\n")
		b.WriteString("# TYPE " + name + " " + f.kind + "\n" + f.samples.String())
	}
	return b.String()
}

// Exposition returns the metrics of all platforms in the OpenMetrics format. If plain is true, it
// returns them in the Prometheus text format. now is on the local clock.
func Exposition(all []*Viewer, now time.Time, plain bool) string {
	x := collectMetrics(all, now)
	if plain {
		return x.prometheusText()
	}
	return x.String()
}

// collectMetrics collects the metrics of all platforms. now is on the local clock.
func collectMetrics(all []*Viewer, now time.Time) *exposition {
	x := &exposition{byName: make(map[string]*metricFamily)}
	for _, v := range all {
		x.platform = v.Platform
		x.addViewer(v, now)
	}
	return x
}

// addViewer adds the metrics of the viewer's platform.
func (x *exposition) addViewer(v *Viewer, now time.Time) {
	critical, warning := CountAlerts(v.Active())
	alerts := x.familyNamed("wallboard_alerts", "gauge", "", "Active alerts.")
	alerts.addSample(float64(critical), "severity", "critical")
	alerts.addSample(float64(warning), "severity", "warning")
	criticalSituations, warningSituations, todaySituations := v.CountSituations()
	situations := x.familyNamed("wallboard_situations", "gauge", "", "Situations that need a person, and those that figures of the day are about.")
	situations.addSample(float64(criticalSituations), "severity", "critical")
	situations.addSample(float64(warningSituations), "severity", "warning")
	situations.addSample(float64(todaySituations), "severity", "today")
	up := x.familyNamed("wallboard_link_up", "gauge", "", "Whether the connection to the platform is up.")
	if v.LastSnapshot == nil {
		up.addSample(0)
		return
	}
	h := &v.LastSnapshot.Health
	up.addSample(boolValue(h.Link.State == model.LinkUp))
	x.addHealth(h, now)
	x.addAgents(v)
	for _, k := range v.currentKeys() {
		x.addFigures(v, k)
	}
}

func boolValue(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// addHealth adds metrics about the connection and the subscriptions.
func (x *exposition) addHealth(h *model.Health, now time.Time) {
	x.familyNamed("wallboard_link_reconnects", "counter", "", "Times the connection was made again.").addSample(float64(h.Link.Reconnects))
	x.familyNamed("wallboard_bad_frames", "counter", "", "Frames that could not be understood.").addSample(float64(h.BadFrames))
	live := x.familyNamed("wallboard_subscription_live", "gauge", "", "Whether the subscription is live.")
	age := x.familyNamed("wallboard_subscription_verified_age_seconds", "gauge", "seconds", "Time since the full state was taken over.")
	for i := range h.Subscriptions {
		s := &h.Subscriptions[i]
		if s.State == model.SubWaiting {
			continue // the subscription has not started yet
		}
		live.addSample(boolValue(s.State.IsCurrent()), "subscription", string(s.Name))
		if !s.VerifiedAt.IsZero() {
			age.addSample(max(0, now.Sub(s.VerifiedAt).Seconds()), "subscription", string(s.Name))
		}
	}
}

// addAgents adds the number of agents in each state on each channel. The metrics contain no names.
func (x *exposition) addAgents(v *Viewer) {
	if !v.LastSnapshot.Health.IsCurrent(model.OpUserStats) {
		return
	}
	f := x.familyNamed("wallboard_agents", "gauge", "", "Agents by state.")
	for _, ch := range model.Channels() {
		states := model.FloorOf(v.LastSnapshot, ch, nil, nil).States
		for _, state := range slices.Sorted(maps.Keys(states)) {
			name := string(state)
			if name == "" {
				name = "unknown"
			}
			f.addSample(float64(states[state]), "channel", string(ch), "state", name)
		}
	}
}

// addFigures adds the known figures of a record.
func (x *exposition) addFigures(v *Viewer, k alert.Key) {
	scope := string(k.Scope)
	labels := []string{"channel", string(k.Channel)}
	if k.Scope != alert.Floor {
		labels = append(labels, scope, k.Code, "name", v.recordName(k))
	}
	add := func(name, unit, help, figure string, more ...string) {
		if value, ok := v.Value(figure, k).Get(); ok {
			x.familyNamed("wallboard_"+scope+"_"+name, "gauge", unit, help).addSample(value, append(more, labels...)...)
		}
	}
	if k.Scope != alert.Campaign {
		add("waiting_calls", "", "Calls waiting.", "queuedCalls")
		add("ready_agents", "", "Agents who are ready.", "readyUsers")
	}
	for _, kpi := range v.KPIs(k.Scope) {
		switch kpi.Format {
		case alert.Percent:
			add("kpi_ratio", "ratio", "Figures that are shares, 0 to 1, by the label kpi.", kpi.Name, "kpi", kpi.Name)
		case alert.Duration:
			add("kpi_seconds", "seconds", "Figures that are durations, by the label kpi.", kpi.Name, "kpi", kpi.Name)
			x.addDurationFlags(v, k, kpi.Name, labels)
		default:
			add("kpi", "", "Figures that are numbers, by the label kpi.", kpi.Name, "kpi", kpi.Name)
		}
	}
}

// addDurationFlags adds two samples about a known duration. The first is 1 if the duration is an estimate
// (~ on the board), the second is 1 if its unit is presumed (? on the board); otherwise they are 0.
func (x *exposition) addDurationFlags(v *Viewer, k alert.Key, name string, labels []string) {
	f := v.Value(name, k)
	if !f.Known() {
		return
	}
	family := "wallboard_" + string(k.Scope)
	labels = append([]string{"kpi", name}, labels...)
	x.familyNamed(family+"_kpi_estimated", "gauge", "", "Whether the figure of the label kpi is an estimate.").addSample(boolValue(f.IsEstimated()), labels...)
	x.familyNamed(family+"_kpi_presumed", "gauge", "", "Whether the unit of the figure of the label kpi is presumed.").addSample(boolValue(f.IsUnitPresumed()), labels...)
}
