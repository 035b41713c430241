package alert

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"wallboard/model"
)

// show formats a figure so that unknown, n/a and 0 differ.
func show(v model.Figure) string { return string(Number.append(nil, v)) }

func TestExpressions(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ expr, want string }{
		{"receivedCalls", "100"},
		{"receivedCalls - answeredCalls", "20"},
		{"hangupCalls / receivedCalls * 100", "10"},
		{"-queuedCalls + 5", "2"},
		{"(queuedCalls + 1) * 2", "8"},
		{"shortCalls", "–"},
		{"shortCalls + 1", "–"},
		{"shortCalls * 0", "–"},
		{"queuedCalls / outboundReceivedCalls", "n/a"},
		{"1 + queuedCalls / outboundReceivedCalls", "n/a"},
		{"shortCalls / outboundReceivedCalls", "–"},
		{"max(queuedCalls, 7)", "7"},
		{"min(queuedCalls, shortCalls)", "–"},
		{"queuedCalls > 2 ? 1 : 2", "1"},
		{"shortCalls > 2 ? 1 : 1", "–"},
		{"outboundAnswerRate > 2 ? 1 : 1", "n/a"},
		{"known(shortCalls) ? 1 : 2", "2"},
		{"known(outboundAnswerRate) ? 1 : 2", "1"},
		{"1 <= queuedCalls < 4 ? 1 : 0", "1"},
		{"abandonRate * 100", "10"},
		{"serviceLevelTarget * 100", "80"},
		{`customStats("vip")`, "4.5"},
		{`customStats("other")`, "–"},
		{`notReadyUsersOnActivityCode("LUNCH")`, "2"},
		{`rate(receivedCalls, "15m")`, "–"},
		{`1e308 * 10`, "–"},
	} {
		f := newFloor(t, Options{KPIs: []KPI{{Name: "x", Scope: Service, Expr: c.expr, Format: Number}}})
		f.service(busyService)
		f.after(0)
		if got := show(f.engine.Value("x", serviceS())); got != c.want {
			t.Errorf("%s = %s, want %s", c.expr, got, c.want)
		}
	}
}

func busyService(r *model.Service) {
	c := &r.ChannelStats
	c.ReceivedCalls, c.AnsweredCalls, c.HangupCalls = model.IntOf(100), model.IntOf(80), model.IntOf(10)
	c.QueuedCalls, c.OutboundReceivedCalls, c.OutboundAnsweredCalls = model.IntOf(3), model.IntOf(0), model.IntOf(0)
	r.CustomStats = []model.CustomStat{{Key: "vip", Value: model.CustomValue{Value: model.ScalarText("4.5")}}}
	r.UserStats.NotReadyUsersOnActivityCode = []model.ProfilesInActivity{{ActivityCode: "LUNCH", Count: model.IntOf(2)}}
}

func TestConditions(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		expr string
		want truth
	}{
		{"queuedCalls > 2 and readyUsers == 0", unknown},
		{"queuedCalls > 3 and readyUsers == 0", no},
		{"queuedCalls > 2 or readyUsers == 0", yes},
		{"queuedCalls > 3 or readyUsers == 0", unknown},
		{"not (readyUsers == 0)", unknown},
		{"outboundAnswerRate < 1", notApplicable},
		{"not (outboundAnswerRate < 1)", notApplicable},
		{"outboundAnswerRate < 1 and queuedCalls > 2", notApplicable},
		{"outboundAnswerRate < 1 and readyUsers > 2", unknown},
		{"outboundAnswerRate < 1 or queuedCalls > 2", yes},
		{`code == "S" and channel in ["CALL", "CHAT"]`, yes},
		{`code != "S" || channel not in ["CALL"]`, no},
		{"(queuedCalls > 1) == (queuedCalls > 2)", yes},
		{"queuedCalls != 3", no},
		{`(queuedCalls > 2 ? code : channel) == "S"`, yes},
		{`(readyUsers > 2 ? code : code) == "S"`, unknown},
		{"queuedCalls > 2 ? readyUsers == 0 : true", unknown},
		{"outboundAnswerRate > 2 ? true : true", notApplicable},
	} {
		f := newFloor(t, Options{})
		p, fault := f.engine.rowsByScope[Service].library.compile(c.expr, truthKind)
		if fault != nil {
			t.Fatalf("%s: %v", c.expr, fault)
		}
		f.service(busyService)
		f.after(0)
		pop, row := f.engine.findRow(serviceS())
		if got := p.truth(f.engine.loadFrame(pop, row)); got != c.want {
			t.Errorf("%s is %s, want %s", c.expr, got, c.want)
		}
	}
}

func TestProblems(t *testing.T) {
	t.Parallel()
	kpi := func(expr string) Options { return Options{KPIs: []KPI{{Name: "x", Scope: Service, Expr: expr}}} }
	rule := func(r Rule) Options {
		if r.Name == "" {
			r.Name = "r"
		}
		if r.Scope == "" {
			r.Scope = Service
		}
		return Options{Rules: []Rule{r}}
	}
	for _, c := range []struct {
		options Options
		want    string
	}{
		{kpi("queuedCalls +\n  recievedCalls"), `kpi "x": expr, line 2, column 3: there is no recievedCalls in the scope service; did you mean receivedCalls?`},
		{kpi("queuedCalls + "), `kpi "x": expr, line 1, column 14: something is missing at the end: a number, a name, or a closing bracket`},
		{kpi("queuedCalls > 1"), `kpi "x": expr, line 1, column 1: this must be a number, but it is a condition`},
		{kpi(`queuedCalls + code`), `kpi "x": expr, line 1, column 15: + needs a number, but this is a text`},
		{kpi(`filter([1], {# > 0})`), `unknown function filter`},
		{kpi(`let a = 1; a`), "unsupported construct"},
		{kpi(`sum(1..1000000000)`), "unknown function sum"},
		{kpi(`avrg(queuedCalls, "5m")`), "did you mean avg?"},
		{kpi(`rate(queuedCalls, "5m")`), "rate needs a counter, which queuedCalls is not"},
		{kpi(`rate(receivedCalls, "5 min")`), `column 21: a window is between "1m0s" and "8h0m0s"`},
		{kpi(`delta(receivedCalls, "24h")`), "a window is between"},
		{kpi("1 ? 2 : 3"), "? : needs a condition, but this is a number"},
		{kpi(`timeInActivityCode("LUNCH")`), "there is no timeInActivityCode in the scope service"},
		{kpi(strings.Repeat("1+", 400) + "1"), "kpi \"x\": expr"},
		{kpi("x + 1"), "column 1: the KPI x refers to itself"},
		{Options{KPIs: []KPI{{Name: "a", Scope: Service, Expr: "b"}, {Name: "b", Scope: Service, Expr: "1 / 2 + a"}}}, "the KPI a refers to itself"},
		{Options{KPIs: []KPI{{Name: "asa", Scope: Service, Expr: "1"}}}, `name: the name is already used by the board`},
		{Options{KPIs: []KPI{{Name: "a b", Scope: Service, Expr: "1"}}}, `name: a name starts with a letter`},
		{Options{KPIs: []KPI{{Name: "a", Scope: "servces", Expr: "1"}}}, `did you mean service?`},
		{Options{KPIs: []KPI{{Name: "a", Scope: Service, Expr: "1", Format: "percents"}}}, `format: the format is number, percent or duration`},
		{rule(Rule{When: "queuedCalls", Severity: Warning}), "when, line 1, column 1: this must be a condition, but it is a number"},
		{rule(Rule{When: "queuedCalls > 1"}), "severity: the severity is warning or critical"},
		{rule(Rule{}), "when: a rule has either when or kpi"},
		{rule(Rule{KPI: "queuedCalls"}), "warning: a rule with kpi needs a warning or a critical level"},
		{rule(Rule{KPI: "queuedCalls", Thresholds: Thresholds{Warning: model.FloatOf(1)}}), "direction: say which values are better"},
		{rule(Rule{KPI: "asa", Thresholds: thresholds(20, 10, 5)}), "critical: the critical level is worse"},
		{rule(Rule{KPI: "asa", Thresholds: thresholds(20, 30, 25)}), "recovery: the recovery level is better"},
		{rule(Rule{When: "true", Severity: Warning, For: -time.Second}), "for: the duration is between"},
		{rule(Rule{When: "true", Severity: Warning, Message: "ö {queud}"}), `message, line 1, column 4: there is no queud`},
		{rule(Rule{When: "true", Severity: Warning, Message: "{value}"}), `message, line 1, column 2: there is no value`},
		{rule(Rule{When: "true", Severity: Warning, Message: "{code"}), `message, line 1, column 1: unmatched {`},
		{rule(Rule{When: "true", Severity: Warning, Message: "{queuedCalls|foot}"}), `column 14: the format is`},
		{rule(Rule{Name: "\x1b[31m", When: "true", Severity: Warning}), `name: a name has 1 to 80 printable characters`},
		{Options{Rules: []Rule{{Name: "r", Scope: Service, When: "true", Severity: Warning}, {Name: "r", Scope: Service, When: "true", Severity: Warning}}}, "there are two rules of that name"},
	} {
		_, err := New(c.options)
		problems, ok := errors.AsType[Problems](err)
		if !ok || !strings.Contains(problems.Error(), c.want) {
			t.Errorf("problems are\n%v\nwant\n%s", err, c.want)
		}
	}
}

func TestMessages(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ message, want string }{
		{"", "S: r"},
		{"plain", "plain"},
		{"{{x}} {code}", "{x} S"},
		{`{code == "}" ? "a" : 'b|c'}`, "b|c"},
		{"{abandonRate} {abandonRate|number} {outboundAnswerRate} {shortCalls}", "10.0 % 0.1 n/a –"},
		{"{queuedCalls * 1234|duration} {-61|duration}", "1:01:42 -1:01"},
		{"{queuedCalls > 2 || false ? 1 : 2}", "1"},
		{`{code} for 1:00, {queuedCalls < 0 ? "LUNCH" : ""}`, "S for 1:00"},
		{`{code}: {queuedCalls < 0 ? "LUNCH" : ""}, 1 allowed`, "S: 1 allowed"},
		{`{queuedCalls < 0 ? "LUNCH" : ""}, {code}`, "S"},
		{`{code} · {queuedCalls < 0 ? "LUNCH" : ""} · {code}`, "S · S"},
		{"a\nb\x1b[31m", "a\u240ab\u241b[31m"},
	} {
		f := newFloor(t, Options{Rules: []Rule{{Name: "r", Scope: Service, When: "true", Severity: Warning, Message: c.message}}})
		f.service(busyService)
		f.after(0)
		if got := f.engine.AlertsOf(serviceS())[0].Text; got != c.want {
			t.Errorf("%q gives %q, want %q", c.message, got, c.want)
		}
	}
}

func TestProblemsComeTogether(t *testing.T) {
	t.Parallel()
	_, err := New(Options{
		KPIs:  []KPI{{Name: "a", Scope: Service, Expr: "nothing"}, {Name: "b", Scope: Group, Expr: "1 +"}},
		Rules: []Rule{{Name: "r", Scope: User, When: "status", Severity: Warning, Message: "{x}"}},
	})
	problems, _ := errors.AsType[Problems](err)
	var where []string
	for _, p := range problems {
		where = append(where, p.Section+" "+p.Name+" "+p.Field)
	}
	if want := []string{"kpi a expr", "kpi b expr", "alert r when", "alert r message"}; !slices.Equal(where, want) {
		t.Errorf("problems are with %q, want %q", where, want)
	}
}

// TestCostIsBounded checks that short sources cannot become expensive: chained
// comparisons duplicate their middle, and KPIs can refer to each other twice.
func TestCostIsBounded(t *testing.T) {
	t.Parallel()
	nested := "1"
	for range 60 {
		nested = "(0 < " + nested + " < 2 ? 1 : 0)"
	}
	if _, err := New(Options{KPIs: []KPI{{Name: "x", Scope: Service, Expr: nested}}}); err == nil {
		t.Error("an expression with 2^60 steps compiled")
	}
	kpis := []KPI{{Name: "k", Scope: Service, Expr: "queuedCalls"}}
	for i := range 60 {
		name := kpis[i].Name
		kpis = append(kpis, KPI{Name: name + "_", Scope: Service, Expr: name + " + " + name})
		kpis[i+1].Name = "k" + strings.Repeat("_", i%2) + string(rune('A'+i%26)) + string(rune('A'+i/26))
		kpis[i+1].Expr = name + " - " + name + " + " + name
	}
	f := newFloor(t, Options{KPIs: kpis})
	f.queue(3, 0)
	f.after(0)
	if got := show(f.engine.Value(kpis[60].Name, serviceS())); got != "3" {
		t.Errorf("the last KPI is %s, want 3", got)
	}
}

func FuzzCompile(f *testing.F) {
	for _, s := range []string{
		"queuedCalls > 2 and readyUsers == 0", `rate(receivedCalls, "15m") / 2`, `code in ["A", 'b']`,
		"a ? b : c", "let x = 1; x", "filter([1], # > 0)", "{a: 1}.a", "x?.y", "1..9", "::max(1, 2)", "a | f(1)",
		`"\u00e9" == code`, "if true { 1 } else { 2 }", "b'x'", "not not true", "-(-1)", "1 < 2 < 3", "max(queuedCalls, \"5m\")",
	} {
		f.Add(s)
	}
	fl := newFloor(f, Options{})
	fl.service(busyService)
	fl.after(0)
	pop, row := fl.engine.findRow(serviceS())
	row.cache = make([]cachedWindow, maxWindows)
	f.Fuzz(func(t *testing.T, source string) {
		l := newLibrary(Service, func(*Problem) {})
		for _, want := range []valueKind{numberKind, textKind, truthKind} {
			p, fault := l.compile(source, want)
			if fault != nil {
				if line, column := lineAndColumn(source, fault.offset); line < 1 || column < 1 || fault.message == "" {
					t.Fatalf("the fault of %q is at %d:%d: %q", source, line, column, fault.message)
				}
				continue
			}
			fr := fl.engine.loadFrame(pop, row)
			fr.library = l
			row.samples = nil // its series belong to another library
			switch want {
			case numberKind:
				if v, ok := p.number(fr).Get(); ok && v != v {
					t.Fatalf("%q is not a number", source)
				}
			case textKind:
				p.text(fr)
			case truthKind:
				p.truth(fr)
			}
		}
		if m, fault := l.compileMessage(source, messageFields(Number, true)); fault == nil {
			m.render(nil, fl.engine.loadFrame(pop, row))
		}
	})
}
