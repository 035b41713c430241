package notify

import (
	"slices"

	"wallboard/internal/alert"
	"wallboard/internal/config"
	"wallboard/internal/words"
)

// ConfiguredTargets converts the targets of a configuration. l is the language for targets without one.
func ConfiguredTargets(targets []config.Notify, l *words.Language) []Target {
	var out []Target
	for i := range targets {
		n := &targets[i]
		t := Target{
			Name: n.Name, Command: n.Command, Webhook: n.Webhook, WebhookHeader: n.Header, WebhookFormat: n.Format, SMS: n.SMS,
			IsDefault: n.Default, MinSeverity: alert.Critical, Events: []Event{EventBegin, EventEscalate, EventEnd},
			MaxPerHour: n.HourlyLimit(), Timeout: n.TimeoutOrDefault(), Words: l,
		}
		if own, ok := words.AvailableLanguages.Lookup(n.Language); ok {
			t.Words = own
		}
		if len(n.To) > 0 {
			t.Mail = &Mail{To: n.To, From: n.From, Server: n.SMTP, User: n.SMTPUser, Password: n.SMTPPassword}
		}
		t.QuietHours.From, t.QuietHours.To = n.QuietHours()
		if n.Severity == alert.Warning.String() {
			t.MinSeverity = alert.Warning
		}
		if len(n.On) > 0 {
			t.Events = nil
			for _, event := range n.On {
				t.Events = append(t.Events, Event(event))
			}
		}
		out = append(out, t)
	}
	return out
}

// ActiveTargets returns the targets to use after the configuration has changed from current to
// changed. pending holds the names of the targets in changed that are not used before SIGHUP
// or a restart. It is empty if the reload was requested.
func ActiveTargets(current, changed []config.Notify, requested bool) (targets []config.Notify, pending []string) {
	for i := range changed {
		n := &changed[i]
		index := slices.IndexFunc(current, func(o config.Notify) bool { return o.Name == n.Name })
		switch {
		case requested || index >= 0 && current[index].HasSameDelivery(n):
			targets = append(targets, *n)
		case index >= 0:
			targets = append(targets, current[index])
			pending = append(pending, n.Name)
		default:
			pending = append(pending, n.Name)
		}
	}
	return targets, pending
}

// UsesSMS reports whether one of the targets uses SMS.
func UsesSMS(targets []config.Notify) bool {
	return slices.ContainsFunc(targets, func(n config.Notify) bool { return len(n.SMS) > 0 })
}
