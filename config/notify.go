package config

import (
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"wallboard/alert"
	"wallboard/secret"
)

// Notify is somebody who is told about alerts, in one of four ways: by a command, a
// webhook (of Microsoft Teams, too), mail, or SMS through the configuration service.
// Nobody is told unless a process does: `wallboard notify`, or a board with --notify.
type Notify struct {
	Name    string   `toml:"name"`    // By which rules name it in their notify.
	Command []string `toml:"command"` // A program and its arguments, without a shell; the alert is on its standard input, as JSON, and in WALLBOARD_… variables.

	Webhook        secret.Text `toml:"webhook"`         // Address to POST the alert to, as JSON; resolved, wherever it came from.
	WebhookEnv     string      `toml:"webhook_env"`     // Where Webhook comes from.
	WebhookFile    string      `toml:"webhook_file"`    // Where Webhook comes from.
	WebhookKeyring string      `toml:"webhook_keyring"` // Where Webhook comes from.
	Header         secret.Text `toml:"header"`          // "Name: value" of the webhook's request; resolved, wherever it came from.
	HeaderEnv      string      `toml:"header_env"`      // Where Header comes from.
	HeaderFile     string      `toml:"header_file"`     // Where Header comes from.
	HeaderKeyring  string      `toml:"header_keyring"`  // Where Header comes from.

	Format string `toml:"format"` // What the webhook gets: json (the alert as the board knows it) or teams (a message for the webhook of a workflow of Microsoft Teams); "" is json.

	SMS []string `toml:"sms"` // Telephone numbers, from the user of [rest].
	Mail

	Default    bool          `toml:"default"`      // Is told by the rules that name nobody, too.
	Severity   string        `toml:"severity"`     // The lowest: warning or critical; "" is critical.
	On         []string      `toml:"on"`           // Of begin, escalate and end; empty is all of them.
	MaxPerHour *int          `toml:"max_per_hour"` // Messages; what is more becomes one. None is 6.
	Quiet      string        `toml:"quiet"`        // Hours of the day in which nobody is told, "22:00-07:00"; "" is none.
	Timeout    time.Duration `toml:"timeout"`      // Of one message; 0 is 15s.
}

// What a webhook gets.
const (
	FormatJSON  = "json"
	FormatTeams = "teams"
)

// The bounds of a target.
const (
	mostNotify    = 20
	mostPerHour   = 1000
	usualPerHour  = 6
	longestNotify = 5 * time.Minute
	usualNotify   = 15 * time.Second
	mostNumbers   = 20
)

func (n *Notify) webhook(path string) sources {
	return sources{path + ".webhook", &n.Webhook, n.WebhookEnv, n.WebhookFile, n.WebhookKeyring}
}

func (n *Notify) header(path string) sources {
	return sources{path + ".header", &n.Header, n.HeaderEnv, n.HeaderFile, n.HeaderKeyring}
}

// SameWay reports whether another target of the name is told what this one is, at most by
// other secrets, more seldom or more often.
func (n *Notify) SameWay(o *Notify) bool {
	return slices.Equal(n.Command, o.Command) && slices.Equal(n.SMS, o.SMS) && n.Format == o.Format &&
		slices.Equal(n.To, o.To) && n.From == o.From && n.SMTP == o.SMTP && n.SMTPUser == o.SMTPUser && n.host() == o.host()
}

// host is where a webhook is, "" of none.
func (n *Notify) host() string {
	u, err := url.Parse(n.Webhook.Reveal())
	if err != nil {
		return ""
	}
	return u.Scheme + "://" + u.Host
}

// Rate returns how many messages an hour may have.
func (n *Notify) Rate() int {
	if n.MaxPerHour == nil {
		return usualPerHour
	}
	return *n.MaxPerHour
}

// Patience returns how long one message may take.
func (n *Notify) Patience() time.Duration {
	if n.Timeout == 0 {
		return usualNotify
	}
	return n.Timeout
}

// Hours returns the quiet hours since midnight, the same twice for none.
func (n *Notify) Hours() (from, to time.Duration) {
	from, to, _ = parseQuiet(n.Quiet)
	return from, to
}

// parseQuiet reads hours like "22:00-07:00".
func parseQuiet(text string) (from, to time.Duration, ok bool) {
	if text == "" {
		return 0, 0, true
	}
	begin, end, _ := strings.Cut(text, "-")
	a, errA := time.Parse("15:04", strings.TrimSpace(begin))
	b, errB := time.Parse("15:04", strings.TrimSpace(end))
	since := func(t time.Time) time.Duration {
		return time.Duration(t.Hour())*time.Hour + time.Duration(t.Minute())*time.Minute
	}
	return since(a), since(b), errA == nil && errB == nil && !a.Equal(b)
}

// phoneNumber is what an SMS can be sent to.
var phoneNumber = regexp.MustCompile(`^\+?[0-9]{3,20}$`)

// checkNotify checks the targets, and that rules name no others.
func (c *Config) checkNotify(r *report) {
	var names []string
	for i := range c.Notify {
		n, path := &c.Notify[i], element("notify", i)
		switch {
		case i == mostNotify:
			r.add(path, "is one too many", "allowed: "+strconv.Itoa(mostNotify))
		case n.Name == "":
			r.add(join(path, "name"), "is missing", "every [[notify]] needs a name, by which rules name it")
		case slices.Contains(names, n.Name):
			r.add(join(path, "name"), quoted(n.Name)+" stands there twice", "choose another name")
		}
		noControl(r, join(path, "name"), n.Name)
		names = append(names, n.Name)
		n.check(r, path, c)
	}
	named := func(path string, list []string) {
		for i, name := range list {
			if !slices.Contains(names, name) {
				remedy := "write a [[notify]] with this name"
				if s := alert.Nearest(name, names); s != "" {
					remedy = "did you mean " + s + "?"
				}
				r.add(element(join(path, "notify"), i), "there is no [[notify]] named "+quoted(name), remedy)
			}
		}
	}
	for i := range c.Thresholds {
		named(element("threshold", i), c.Thresholds[i].Notify)
	}
	for i := range c.Alerts {
		named(element("alert", i), c.Alerts[i].Notify)
	}
	for i := range c.Builtin {
		named(element("builtin", i), c.Builtin[i].Notify)
	}
}

func (n *Notify) check(r *report, path string, c *Config) {
	ways := 0
	for _, given := range []bool{len(n.Command) > 0, len(n.webhook(path).given()) > 0, len(n.SMS) > 0, len(n.To) > 0} {
		if given {
			ways++
		}
	}
	if ways != 1 {
		r.add(path, "has "+strconv.Itoa(ways)+" ways to tell somebody", "set one of command, webhook (or webhook_file, …), mail and sms")
	}
	if len(n.Command) > 0 && strings.TrimSpace(n.Command[0]) == "" {
		r.add(join(path, "command"), "names no program", `write it like ["/usr/local/bin/tell", "--loud"]`)
	}
	n.checkFormat(r, path)
	n.Mail.check(r, path)
	if len(n.SMS) > 0 && (!c.REST.Given() || c.ReadOnly) {
		r.add(join(path, "sms"), "cannot work: SMS are sent through [rest], and not when read_only is set", "set [rest], or use command or webhook")
	}
	for i, number := range n.SMS {
		if i == mostNumbers || !phoneNumber.MatchString(number) || slices.Contains(n.SMS[:i], number) {
			r.add(element(join(path, "sms"), i), "is no telephone number, stands there twice or is one too many",
				`write digits, like "+390471000000"; `+strconv.Itoa(mostNumbers)+" at most")
		}
	}
	optional(r, join(path, "severity"), n.Severity, []string{"warning", "critical"})
	for i, event := range n.On {
		oneOf(r, element(join(path, "on"), i), event, []string{"begin", "escalate", "end"})
	}
	if rate := n.Rate(); rate < 1 || rate > mostPerHour {
		r.add(join(path, "max_per_hour"), strconv.Itoa(rate)+" is out of range", "allowed: 1 to "+strconv.Itoa(mostPerHour))
	}
	if n.Timeout != 0 {
		within(r, join(path, "timeout"), n.Timeout, time.Second, longestNotify)
	}
	if _, _, ok := parseQuiet(n.Quiet); !ok {
		r.add(join(path, "quiet"), "is no part of a day", `write it like "22:00-07:00"`)
	}
}

// checkFormat checks what a webhook gets.
func (n *Notify) checkFormat(r *report, path string) {
	if len(n.header(path).given()) > 0 && len(n.webhook(path).given()) == 0 {
		r.add(join(path, "header"), "does not fit: there is no webhook", "take it out")
	}
	optional(r, join(path, "format"), n.Format, []string{FormatJSON, FormatTeams})
	if n.Format != "" && len(n.webhook(path).given()) == 0 {
		r.add(join(path, "format"), "does not fit: there is no webhook", "take it out")
	}
}

// resolveSecrets finds the addresses and headers of webhooks.
func (n *Notify) resolveSecrets(r *report, path string, from origin, o Options) {
	n.webhook(path).settle(r, from, o, "", len(n.webhook(path).given()) > 0)
	n.header(path).settle(r, from, o, "", len(n.header(path).given()) > 0)
	n.smtpPassword(path).settle(r, from, o, "", len(n.smtpPassword(path).given()) > 0)
	if o.Demo {
		return
	}
	if address := n.Webhook.Reveal(); address != "" {
		u, err := url.Parse(address)
		if err != nil || u.Hostname() == "" || u.Scheme != "https" && (u.Scheme != "http" || !loopback(u.Hostname())) {
			r.add(join(path, "webhook"), "is no address of a webhook", "write it like https://host/path; http:// is for this machine only")
		}
	}
	if header := n.Header.Reveal(); header != "" {
		name, _, ok := strings.Cut(header, ":")
		if !ok || !headerName.MatchString(name) {
			r.add(join(path, "header"), "is no header", `write it like "Authorization: Bearer …"`)
		}
	}
}

// headerName is the name of a header of HTTP.
var headerName = regexp.MustCompile(`^[A-Za-z0-9-]+$`)
