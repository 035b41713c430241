package config

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"wallboard/internal/alert"
	"wallboard/internal/lib/testkit"
	"wallboard/model"
)

func alertCases() []problemCase {
	const kpi, threshold, alerts, builtin = rtd + "[[kpi]]\n", rtd + "[[threshold]]\n", rtd + "[[alert]]\n", rtd + "[[builtin]]\n"
	return []problemCase{
		{"alerts", kpi + "name = \"a\"\nexpr = \"receivedCalls - answeredCalls\"\n[[threshold]]\nkpi = \"a\"\nwarning = 3\ncritical = 9\n" +
			"[[alert]]\nname = \"b\"\nwhen = \"a > 3\"\n[[builtin]]\nrule = \"stranded\"\noff = true\n", ``},
		{"nothing said", kpi + "[[threshold]]\n[[alert]]\n[[builtin]]\n", `
DIR/config.toml:4: kpi[0].expr: is missing; every figure needs name and expr
DIR/config.toml:4: kpi[0].name: is missing; every figure needs name and expr
DIR/config.toml:5: threshold[0].kpi: is missing; every threshold needs kpi: the name of a figure, or an expression
DIR/config.toml:6: alert[0].name: is missing; every alert needs name and when
DIR/config.toml:6: alert[0].when: is missing; every alert needs name and when
DIR/config.toml:7: builtin[0].rule: is empty; allowed: RULES`},
		{"misspelt field", kpi + "name = \"a\"\nexpr = 'delta(recievedCalls, \"15m\") / 2'\n", `
DIR/config.toml:6: kpi[0].expr: at character 7, "recievedCalls, \"15m\"": there is no recievedCalls in the scope service; did you mean receivedCalls?`},
		{"key of another table", alerts + "name = \"a\"\nwhen = \"queuedCalls > 1\"\nkpi = \"longestWait\"\nwarning = 3\n", `
DIR/config.toml:7: alert[0].kpi: unknown key; did you mean threshold.kpi?
DIR/config.toml:8: alert[0].warning: unknown key; did you mean threshold.warning?`},
		{"several lines", kpi + "name = \"a\"\nexpr = '''\nreceivedCalls\n  + answered'''\n", `
DIR/config.toml:6: kpi[0].expr: in line 2 of the text at character 5, "answered": there is no answered in the scope service; wallboard docs alerts describes the syntax`},
		{"words of a figure", kpi + "name = \"a b\"\nscope = \"servce\"\nexpr = \"1\"\nformat = \"percnt\"\ndirection = \"up\"\ntarget = \"80 %%\"\n", `
DIR/config.toml:6: kpi[0].scope: "servce" is not allowed; did you mean "service"? allowed: service, group, user, campaign, floor, feed
DIR/config.toml:8: kpi[0].format: "percnt" is not allowed; did you mean "percent"? allowed: number, percent, duration
DIR/config.toml:9: kpi[0].direction: "up" is not allowed; allowed: lower, higher
DIR/config.toml:10: kpi[0].target: "80 %%" is not a level; write a number, or in quotes a percentage or a duration: 12, "80%", "1m30s"`},
		{"name of a figure", kpi + "name = \"queuedCalls\"\nexpr = \"1\"\n", `
DIR/config.toml:5: kpi[0].name: the name is already used by the board; choose another name`},
		{"percentage of a number", kpi + "name = \"a\"\nexpr = \"answeredCalls - receivedCalls\"\ntarget = \"80%\"\n", `
DIR/config.toml:7: kpi[0].target: is a percentage, but the figure is a number; write the level as a number, or define a custom figure with format = "percent"`},
		{"figures of each other", kpi + "name = \"a\"\nexpr = \"b\"\n[[kpi]]\nname = \"b\"\nexpr = \"a\"\n", `
DIR/config.toml:6: kpi[0].expr: at character 1, "b": the KPI b is invalid; wallboard docs alerts describes the syntax
DIR/config.toml:9: kpi[1].expr: at character 1, "a": the KPI a refers to itself; wallboard docs alerts describes the syntax`},
		{"no level", threshold + "kpi = \"longestWait\"\n", `
DIR/config.toml:4: threshold[0].warning: a rule with kpi needs a warning or a critical level; set warning, critical or both`},
		{"units", threshold + "kpi = \"abandonRate\"\nwarning = 5\ncritical = \"1m\"\n", `
DIR/config.toml:6: threshold[0].warning: 5 is not a share; write it as "5%" or as 0.05
DIR/config.toml:7: threshold[0].critical: is a duration, but the figure is a percentage; write the level as a percentage`},
		{"level of a wrong type", threshold + "kpi = \"longestWait\"\nwarning = \"long\"\ncritical = true\n", `
DIR/config.toml:6: threshold[0].warning: "long" is not a level; write a number, or in quotes a percentage or a duration: 12, "80%", "1m30s"
DIR/config.toml:7: threshold[0].critical: must be a level, but is true or false; write a number, or in quotes a percentage or a duration: 12, "80%", "1m30s"`},
		{"records", threshold + "kpi = \"readyUsers\"\nscope = \"group\"\nservices = [\"A\", \"A\"]\ngroups = [\"B\"]\nchannels=[\"CAL\"]\nwarning=1\ndirection = \"higher\"\n", `
DIR/config.toml:7: threshold[0].services: does not apply: the scope is group; set services only with scope = "service"
DIR/config.toml:7: threshold[0].services[1]: "A" is listed twice; keep one of them
DIR/config.toml:9: threshold[0].channels[0]: "CAL" is not allowed; did you mean "CALL"? allowed: CALL, CUSTOM_1, CUSTOM_2, CUSTOM_3, VIDEO, CHAT, MAIL_ACD, LIVEHELP, OMNIDESK`},
		{"two of one name", alerts + "name = \"a\"\nwhen = \"queuedCalls > 1\"\nfor = \"9h\"\n[[alert]]\nname = \"b\"\nwhen = \"queuedCalls > 1\"\n[[alert]]\nname = \"b\"\nwhen = \"queuedCalls > 2\"\n", `
DIR/config.toml:7: alert[0].for: the duration is between 0 and 8h0m0s; write it like "30s" or "5m"
DIR/config.toml:12: alert[2].name: there are two rules of that name for all of the scope service; choose another name`},
		{"expressions of an alert", alerts + "name = \"a\"\nwhen = \"queuedCalls\"\nrecover = 'rate(queuedCalls, \"15m\") < 1'\nmessage = \"{title}: {nothing}\"\nseverity = \"critcal\"\n", `
DIR/config.toml:6: alert[0].when: at character 1, "queuedCalls": this must be a condition, but it is a number; wallboard docs alerts describes the syntax
DIR/config.toml:7: alert[0].recover: at character 6, "queuedCalls, \"15m\") ": rate needs a counter, which queuedCalls is not; use delta or avg; wallboard docs alerts describes the syntax
DIR/config.toml:8: alert[0].message: at character 11, "nothing}": there is no nothing in the scope service; wallboard docs alerts describes the syntax
DIR/config.toml:9: alert[0].severity: "critcal" is not allowed; did you mean "critical"? allowed: warning, critical`},
		{"key of a threshold", alerts + "name = \"a\"\nwhen = \"queuedCalls > 1\"\nwarning = 3\n", `
DIR/config.toml:7: alert[0].warning: unknown key; did you mean threshold.warning?`},
		{"built-in rules", builtin + "rule = \"longest wat\"\n[[builtin]]\nrule = \"stranded\"\nscope = \"user\"\n[[builtin]]\nrule = \"stranded\"\nscope = \"group\"\nwarning = 1\n" +
			"[[builtin]]\nrule = \"wrap-up\"\nseverity = \"critical\"\n[[builtin]]\nrule = \"wrap-up\"\noff = true\n[[builtin]]\nrule = \"talking\"\ncritical = \"1m\"\n", `
DIR/config.toml:5: builtin[0].rule: "longest wat" is not allowed; did you mean "longest wait"? allowed: RULES
DIR/config.toml:8: builtin[1].scope: "user" is not allowed; allowed: service, group
DIR/config.toml:12: builtin[2].warning: has no effect: the rule has a condition instead of levels; set off, severity, for, bell or notify
DIR/config.toml:15: builtin[3].severity: has no effect: the rule has levels; set warning and critical
DIR/config.toml:16: builtin[4]: changes the same rule as builtin[3]; use one block
DIR/config.toml:21: builtin[5].critical: is not worse than warning; swap the two, or set direction`},
		{"service levels", rtd + "[[service_level]]\nformula = \"all\"\ntarget = 80\nabandon_target = \"5m\"\n[[service_level]]\n[[service_level]]\nservices = [\"A\", \"B\"]\n[[service_level]]\nservices = [\"B\"]\n", `
DIR/config.toml:5: service_level[0].formula: "all" is not allowed; allowed: all_abandons, answered_only, short_ignored
DIR/config.toml:6: service_level[0].target: is not a share; allowed: above 0% and up to 100%, written "80%" or 0.8
DIR/config.toml:7: service_level[0].abandon_target: is not a share; allowed: above 0% and up to 100%, written "80%" or 0.8
DIR/config.toml:8: service_level[1]: applies to all services, like service_level[0]; list services, or keep one of them
DIR/config.toml:12: service_level[3].services[0]: "B" already has a service level; keep one of them`},
	}
}

// rulesOf loads a configuration and returns its rules by scope, name and codes.
func rulesOf(t *testing.T, text string) (alert.Options, map[string]alert.Rule) {
	t.Helper()
	c, err := Load(write(t, testkit.PrivateDir(t), "config.toml", rtd+text, 0o600), testOptions())
	if err != nil {
		t.Fatal(err)
	}
	o := c.AlertOptions(nil)
	if _, err := alert.New(o); err != nil {
		t.Fatal(err)
	}
	rules := make(map[string]alert.Rule)
	for _, r := range o.Rules {
		rules[strings.Join(append([]string{string(r.Scope), r.Name}, r.Codes...), " ")] = r
	}
	return o, rules
}

func TestThresholdTakesTheBuiltInPlace(t *testing.T) {
	t.Parallel()
	_, before := rulesOf(t, "")
	_, got := rulesOf(t, `
[[threshold]]
kpi = "longestWait"
warning = "1m30s"
[[threshold]]
kpi = "longestWait"
services = ["VIP"]
warning = 5
message = "{title} waits"
[[threshold]]
kpi = "serviceLevel"
warning = "70%"
min_calls = 50
[[threshold]]
kpi = "queuedCalls"
groups = ["G"]
channels = ["CHAT"]
critical = 9
direction = "lower"
`)
	all, vip := before["service longest wait"], before["service longest wait"]
	all.Thresholds = alert.Thresholds{Warning: model.FloatOf(90)}
	vip.Thresholds, vip.Codes, vip.Message = alert.Thresholds{Warning: model.FloatOf(5)}, []string{"VIP"}, "{title} waits"
	sl := before["service service level"]
	sl.Base, sl.Thresholds, sl.MinCalls = "", alert.Thresholds{Warning: model.FloatOf(0.7)}, 50
	before["service longest wait"], before["service longest wait VIP"], before["service service level"] = all, vip, sl
	before["group queuedCalls G"] = alert.Rule{
		Name: "queuedCalls", Scope: alert.Group, Codes: []string{"G"}, Channels: []model.Channel{model.Chat}, KPI: "queuedCalls",
		Thresholds: alert.Thresholds{Critical: model.FloatOf(9)}, Direction: alert.LowerIsBetter,
	}
	if diff := cmp.Diff(before, got, cmp.AllowUnexported(model.Float{})); diff != "" {
		t.Errorf("rules (-want +got):\n%s", diff)
	}
}

func TestBuiltInRulesChange(t *testing.T) {
	t.Parallel()
	_, before := rulesOf(t, "")
	_, got := rulesOf(t, `
[[builtin]]
rule = "longest wait"
warning = "1m"
critical = "2m"
for = "5s"
bell = false
[[builtin]]
rule = "service level"
warning = "-2%"
min_over = 5
[[builtin]]
rule = "stranded"
scope = "group"
severity = "critical"
notify = ["floor"]
[[notify]]
name = "floor"
command = ["true"]
[[builtin]]
rule = "unstaffed"
off = true
`)
	wait := before["service longest wait"]
	wait.Thresholds = alert.Thresholds{Warning: model.FloatOf(60), Critical: model.FloatOf(120), Recovery: model.FloatOf(30)}
	wait.For, wait.Bell = 5*time.Second, false
	sl := before["service service level"]
	sl.Thresholds.Warning, sl.Thresholds.Recovery = model.FloatOf(-0.02), model.FloatOf(-0.01)
	sl.MinExcessMisses = 5
	stranded := before["group stranded"]
	stranded.Severity, stranded.Notify = alert.Critical, []string{"floor"}
	before["service longest wait"], before["service service level"], before["group stranded"] = wait, sl, stranded
	for _, name := range []string{"service unstaffed", "group unstaffed"} {
		off := before[name]
		off.Disabled = true
		before[name] = off
	}
	if diff := cmp.Diff(before, got, cmp.AllowUnexported(model.Float{})); diff != "" {
		t.Errorf("rules (-want +got):\n%s", diff)
	}
}

func TestGoals(t *testing.T) {
	t.Parallel()
	o, _ := rulesOf(t, `
[ui]
service_level_target = 0.75
[[service_level]]
formula = "answered_only"
[[service_level]]
services = ["A", "B"]
target = "90%"
[[service_level]]
services = ["C"]
formula = "short_ignored"
abandon_target = 0.02
`)
	goal := func(f model.ServiceLevelFormula, sl, abandon float64) alert.Goal {
		return alert.Goal{Formula: f, ServiceLevel: model.FloatOf(sl), Abandon: model.FloatOf(abandon)}
	}
	want := map[string]alert.Goal{
		"A": goal(model.SLAnsweredOnly, 0.9, 0.05), "B": goal(model.SLAnsweredOnly, 0.9, 0.05), "C": goal(model.SLShortIgnored, 0.75, 0.02),
	}
	if diff := cmp.Diff(want, o.Goals, cmp.AllowUnexported(model.Float{})); diff != "" || o.Goal != goal(model.SLAnsweredOnly, 0.75, 0.05) {
		t.Errorf("goal %+v, others (-want +got):\n%s", o.Goal, diff)
	}
}
