package config

import (
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/lib/secret"
	"wallboard/internal/lib/textnorm"
	"wallboard/internal/words"
)

// Notify is a recipient of alerts, which are only sent by `wallboard notify` or a board with
// --notify. Every board can send the handover (mail and webhooks).
type Notify struct {
	Name    string   `toml:"name"`    // Name for the notify list of rules.
	Command []string `toml:"command"` // Program and arguments, not run by a shell. The alert is on standard input, as JSON, and in WALLBOARD_… variables.

	Webhook        secret.Text `toml:"webhook"`         // Address that receives the alert by POST, as JSON; only in a configuration file with mode 0600.
	WebhookEnv     string      `toml:"webhook_env"`     // Environment variable that holds the webhook address.
	WebhookFile    string      `toml:"webhook_file"`    // File that holds the webhook address on one line, as for password_file.
	WebhookKeyring string      `toml:"webhook_keyring"` // Webhook address in the keyring of the operating system, as "service/user".
	Header         secret.Text `toml:"header"`          // Header of the webhook request, "Name: value"; only in a configuration file with mode 0600.
	HeaderEnv      string      `toml:"header_env"`      // Environment variable that holds the header.
	HeaderFile     string      `toml:"header_file"`     // File that holds the header on one line, as for password_file.
	HeaderKeyring  string      `toml:"header_keyring"`  // Header in the keyring of the operating system, as "service/user".

	Format string `toml:"format"` // Body of the webhook request: json, teams (a message for Microsoft Teams) or ntfy (the webhook is the address of a topic); "": json.

	SMS []string `toml:"sms"` // Telephone numbers; SMS are sent by the user of [rest].
	Mail

	Default    bool          `toml:"default"`      // Also gets the alerts of rules without a notify list.
	Severity   string        `toml:"severity"`     // Lowest severity: warning or critical; "": critical.
	On         []string      `toml:"on"`           // Which of begin, escalate and end are sent; empty: all.
	MaxPerHour *int          `toml:"max_per_hour"` // Messages an hour; further ones are combined into one. Not set: 6.
	Quiet      string        `toml:"quiet"`        // Hours of the day without messages, "22:00-07:00"; "": none.
	Timeout    time.Duration `toml:"timeout"`      // Time limit of one message; 0: 15s.
	Language   string        `toml:"language"`     // Language of the messages; "": as ui.language.
}

// Formats of the body of a webhook request.
const (
	FormatJSON  = "json"
	FormatTeams = "teams"
	FormatNtfy  = "ntfy"
)

// Limits of the settings of a recipient.
const (
	maxRecipients    = 20
	maxPerHour       = 1000
	defaultPerHour   = 6
	maxNotifyTimeout = 5 * time.Minute
	defaultTimeout   = 15 * time.Second
	maxPhoneNumbers  = 20
)

func (n *Notify) webhookSources(path string) secretSources {
	return secretSources{path + ".webhook", &n.Webhook, n.WebhookEnv, n.WebhookFile, n.WebhookKeyring}
}

func (n *Notify) headerSources(path string) secretSources {
	return secretSources{path + ".header", &n.Header, n.HeaderEnv, n.HeaderFile, n.HeaderKeyring}
}

// HasSameDelivery reports whether n and o deliver messages in the same way to the same recipients,
// ignoring names, secrets and rates. For webhooks it compares only the scheme and the host of the
// address.
func (n *Notify) HasSameDelivery(o *Notify) bool {
	return slices.Equal(n.Command, o.Command) && slices.Equal(n.SMS, o.SMS) && n.Format == o.Format &&
		slices.Equal(n.To, o.To) && n.From == o.From && n.SMTP == o.SMTP && n.SMTPUser == o.SMTPUser && n.webhookHost() == o.webhookHost()
}

// webhookHost returns the scheme and the host of the webhook's address, or "" if the address is
// invalid.
func (n *Notify) webhookHost() string {
	u, err := url.Parse(n.Webhook.Reveal())
	if err != nil {
		return ""
	}
	return u.Scheme + "://" + u.Host
}

// HourlyLimit returns the maximum number of messages an hour.
func (n *Notify) HourlyLimit() int {
	if n.MaxPerHour == nil {
		return defaultPerHour
	}
	return *n.MaxPerHour
}

// TimeoutOrDefault returns the time limit of one message.
func (n *Notify) TimeoutOrDefault() time.Duration {
	if n.Timeout == 0 {
		return defaultTimeout
	}
	return n.Timeout
}

// QuietHours returns the start and the end of the quiet hours, since midnight; equal if there are none.
func (n *Notify) QuietHours() (start, end time.Duration) {
	start, end, _ = parseQuiet(n.Quiet)
	return start, end
}

// parseQuiet parses hours such as "22:00-07:00" and returns their start and end as times since
// midnight. For "" both are 0. If text is invalid, ok is false.
func parseQuiet(text string) (start, to time.Duration, ok bool) {
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

// phoneNumberPattern matches telephone numbers that are valid for SMS.
var phoneNumberPattern = regexp.MustCompile(`^\+?[0-9]{3,20}$`)

// checkNotify adds the problems of the recipients and of their names in rules.
func (c *Config) checkNotify(r *report) {
	var names []string
	for i := range c.Notify {
		n, path := &c.Notify[i], elementKey("notify", i)
		switch {
		case i == maxRecipients:
			r.add(path, "is over the maximum number", "allowed: "+strconv.Itoa(maxRecipients))
		case n.Name == "":
			r.add(joinKey(path, "name"), "is missing", "every [[notify]] needs a name, for the notify lists of rules")
		case slices.Contains(names, n.Name):
			r.add(joinKey(path, "name"), quoteValue(n.Name)+" is used twice", "choose another name")
		}
		checkPrintable(r, joinKey(path, "name"), n.Name)
		names = append(names, n.Name)
		n.check(r, path, c)
	}
	checkNames := func(path string, list []string) {
		for i, name := range list {
			if !slices.Contains(names, name) {
				remedy := "add a [[notify]] with this name"
				if s := alert.NearestWord(name, names); s != "" {
					remedy = "did you mean " + s + "?"
				}
				r.add(elementKey(joinKey(path, "notify"), i), "there is no [[notify]] named "+quoteValue(name), remedy)
			}
		}
	}
	for i := range c.Thresholds {
		checkNames(elementKey("threshold", i), c.Thresholds[i].Notify)
	}
	for i := range c.Alerts {
		checkNames(elementKey("alert", i), c.Alerts[i].Notify)
	}
	for i := range c.Builtin {
		checkNames(elementKey("builtin", i), c.Builtin[i].Notify)
	}
}

func (n *Notify) check(r *report, path string, c *Config) {
	wayCount := 0
	for _, isSet := range []bool{len(n.Command) > 0, len(n.webhookSources(path).setKeys()) > 0, len(n.SMS) > 0, len(n.To) > 0} {
		if isSet {
			wayCount++
		}
	}
	if wayCount != 1 {
		r.add(path, "has "+strconv.Itoa(wayCount)+" delivery methods", "set exactly one of command, webhook (or webhook_file, …), mail and sms")
	}
	if len(n.Command) > 0 && strings.TrimSpace(n.Command[0]) == "" {
		r.add(joinKey(path, "command"), "has no program", `write it like ["/usr/local/bin/tell", "--loud"]`)
	}
	n.checkFormat(r, path)
	n.Mail.check(r, path)
	if len(n.SMS) > 0 && (!c.REST.IsConfigured() || c.ReadOnly) {
		r.add(joinKey(path, "sms"), "cannot be sent: SMS need [rest], and read_only must not be set", "set [rest], or use command or webhook")
	}
	for i := range n.SMS {
		number := textnorm.PhoneNumber(n.SMS[i])
		n.SMS[i] = number
		if i == maxPhoneNumbers || !phoneNumberPattern.MatchString(number) || slices.Contains(n.SMS[:i], number) {
			r.add(elementKey(joinKey(path, "sms"), i), "is not a telephone number, is listed twice or is over the maximum number",
				`write digits, like "+390471000000"; `+strconv.Itoa(maxPhoneNumbers)+" at most")
		}
	}
	checkOptional(r, joinKey(path, "severity"), n.Severity, []string{"warning", "critical"})
	for i, event := range n.On {
		checkOneOf(r, elementKey(joinKey(path, "on"), i), event, []string{"begin", "escalate", "end"})
	}
	checkOptional(r, joinKey(path, "language"), n.Language, words.AvailableLanguages.Tags())
	checkInt(r, joinKey(path, "max_per_hour"), n.HourlyLimit(), 1, maxPerHour)
	if n.Timeout != 0 {
		checkRange(r, joinKey(path, "timeout"), n.Timeout, time.Second, maxNotifyTimeout)
	}
	if _, _, ok := parseQuiet(n.Quiet); !ok {
		r.add(joinKey(path, "quiet"), "is not a range of hours", `write it like "22:00-07:00"`)
	}
}

// checkFormat adds the problems of keys that are allowed only for webhooks.
func (n *Notify) checkFormat(r *report, path string) {
	if len(n.headerSources(path).setKeys()) > 0 && len(n.webhookSources(path).setKeys()) == 0 {
		r.add(joinKey(path, "header"), "has no effect without a webhook", "remove it")
	}
	checkOptional(r, joinKey(path, "format"), n.Format, []string{FormatJSON, FormatTeams, FormatNtfy})
	if n.Format != "" && len(n.webhookSources(path).setKeys()) == 0 {
		r.add(joinKey(path, "format"), "has no effect without a webhook", "remove it")
	}
}

// resolveSecrets resolves the secrets of a recipient: the address and the header of the webhook,
// and the mail password.
func (n *Notify) resolveSecrets(r *report, path string, file configFile, o Options) {
	n.webhookSources(path).resolveIfNeeded(r, file, o, "", len(n.webhookSources(path).setKeys()) > 0)
	n.headerSources(path).resolveIfNeeded(r, file, o, "", len(n.headerSources(path).setKeys()) > 0)
	n.smtpPasswordSources(path).resolveIfNeeded(r, file, o, "", len(n.smtpPasswordSources(path).setKeys()) > 0)
	if o.Demo {
		return
	}
	if address := n.Webhook.Reveal(); address != "" {
		u, err := url.Parse(address)
		if err != nil || u.Hostname() == "" || u.Scheme != "https" && (u.Scheme != "http" || !isLoopback(u.Hostname())) {
			r.add(joinKey(path, "webhook"), "is not the address of a webhook", "write it like https://host/path; http:// is for this machine only")
		}
	}
	if header := n.Header.Reveal(); header != "" {
		name, _, ok := strings.Cut(header, ":")
		if !ok || !headerNamePattern.MatchString(name) {
			r.add(joinKey(path, "header"), "is not a header", `write it like "Authorization: Bearer …"`)
		}
	}
}

// headerNamePattern matches the name of an HTTP header.
var headerNamePattern = regexp.MustCompile(`^[A-Za-z0-9-]+$`)
