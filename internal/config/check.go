package config

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/textformat"
	"wallboard/internal/words"
	"wallboard/model"
)

// Limits of rtd.publish_interval and ui.refresh. Shorter intervals only waste CPU time. With longer
// intervals, the board would no longer be a real-time display.
const (
	minInterval = 50 * time.Millisecond
	maxInterval = 5 * time.Second
)

// Limits of rtd.audit_interval. The audit must distinguish a lost update from an update that the platform's
// replica does not have yet. This takes more than ten seconds, and the minimum leaves enough time for it.
const (
	minAuditInterval = 15 * time.Second
	maxAuditInterval = 10 * time.Minute
)

// Limits of rtd.max_records and rtd.max_codes. A record takes one to three KiB of memory.
const (
	minRecords = 100
	maxRecords = 5_000_000
	maxCodes   = 200_000
)

// checkInt adds a problem if an integer is not between minimum and maximum.
func checkInt(r *report, key string, value, minimum, maximum int) {
	if value < minimum || value > maximum {
		r.add(key, strconv.Itoa(value)+" is out of range", "allowed: "+strconv.Itoa(minimum)+" to "+strconv.Itoa(maximum))
	}
}

// checkCount adds a problem if the block at index is the first one beyond the maximum number.
func checkCount(r *report, path string, index, maximum int) {
	if index == maximum {
		r.add(path, "is over the maximum number", "allowed: "+strconv.Itoa(maximum))
	}
}

// Check returns the problems of a configuration's values as [Errors], or nil if there are none.
// [Load] has already checked its result. Check is needed after values were changed, for example by
// flags.
func (c *Config) Check(o Options) error {
	r := newReport("", nil)
	c.check(r, o)
	return r.err()
}

func (c *Config) check(r *report, o Options) {
	if !o.RESTOnly {
		c.RTD.check(r, o)
	}
	c.REST.check(r, o)
	c.History.check(r, o)
	c.Audit.check(r)
	c.Record.check(r)
	c.Privacy.check(r, &c.Record)
	engine := c.checkAlerts(r)
	c.checkPages(r, o, engine)
	o.Pages = c.pageNames(o.Pages)
	if len(c.Platforms) > 1 && len(o.Pages) > 0 {
		o.Pages = append(slices.Clone(o.Pages), "Sites")
	}
	c.UI.check(r, o)
	c.checkKeys(r, o)
	c.Kiosk.check(r, o)
	c.Serve.check(r, &c.REST, c.PlatformNames(), o)
	c.Cluster.check(r)
	c.checkMarks(r)
	c.checkNotify(r)
	c.checkCommands(r, o)
	c.Log.check(r)
}

// checkKeys adds a problem for each key in [keys] that conflicts with another key of the board or
// of a page.
func (c *Config) checkKeys(r *report, o Options) {
	if o.CheckKeys == nil {
		return
	}
	problems := o.CheckKeys(c.Keys)
	for _, action := range slices.Sorted(maps.Keys(c.Keys)) {
		if problem := problems[action]; problem != nil {
			r.add(joinKey("keys", action), problem.Error(), "choose another key, or remove the line")
		}
		for i := range c.Pages {
			if p := &c.Pages[i]; p.Key != "" && slices.Contains(strings.Fields(c.Keys[action]), p.Key) {
				r.add(joinKey("keys", action), quoteValue(p.Key)+" is the key of a page"+r.lineSuffix(elementKey("page", i), "keys"), "choose another key")
			}
		}
	}
}

// rtdAuths are the values of rtd.auth.
var rtdAuths = []string{AuthToken, AuthCookie, AuthLogin, AuthTokenLogin}

func (c *RTD) check(r *report, o Options) {
	c.checkAddresses(r, o)
	checkOneOf(r, "rtd.subprotocol", c.Subprotocol, []string{SubprotocolAuto, SubprotocolTransportWS, SubprotocolLegacyWS})
	checkOneOf(r, "rtd.auth", c.Auth, rtdAuths)
	if c.Auth == AuthLogin && c.Username == "" && !o.Demo {
		r.add("rtd.username", "is missing", `rtd.auth = "login" needs it`)
	}
	checkPrintable(r, "rtd.username", c.Username)
	checkInterval(r, "rtd.publish_interval", c.PublishInterval)
	checkRange(r, "rtd.audit_interval", c.AuditInterval, minAuditInterval, maxAuditInterval)
	checkInt(r, "rtd.max_records", c.MaxRecords, minRecords, maxRecords)
	checkInt(r, "rtd.max_codes", c.MaxCodes, 1, maxCodes)
	if c.UserSite < 0 {
		r.add("rtd.user_site", "is negative", "allowed: the number of a site, or 0 for all sites")
	}
	checkCodes(r, "rtd.services", c.Services)
	checkCodes(r, "rtd.groups", c.Groups)
	for i, id := range c.Campaigns {
		if id < 1 || slices.Contains(c.Campaigns[:i], id) {
			r.add(elementKey("rtd.campaigns", i), strconv.Itoa(id)+" is not positive or is listed twice",
				"allowed: the id of a campaign, once")
		}
	}
	c.Filter.check(r, c.UserSite)
	c.Dialect.check(r)
	for i := range c.Names {
		c.checkName(r, i)
	}
}

// operationNames returns the names of the operations of the real-time service that have a
// subscription.
func operationNames() []string {
	var names []string
	for _, o := range model.Operations() {
		names = append(names, string(o.Name))
	}
	return names
}

// Limits of rtd.dialect.poll_every.
const (
	minPollInterval = time.Second
	maxPollInterval = time.Minute
)

// fieldPathPattern matches a path of one or more names separated by dots.
var fieldPathPattern = regexp.MustCompile(`^[_A-Za-z]\w*(\.[_A-Za-z]\w*)*$`)

// graphqlNamePattern matches the token Name of the GraphQL grammar.
var graphqlNamePattern = regexp.MustCompile(`^[_A-Za-z][_0-9A-Za-z]*$`)

// checkUnitsAndMeanings adds the problems of rtd.dialect.units and rtd.dialect.meanings.
func (d *Dialect) checkUnitsAndMeanings(r *report) {
	for field, unit := range d.Units {
		key := joinKey("rtd.dialect.units", field)
		allowed, known := allowedUnits()[field]
		if !known {
			r.add(key, "is not a time of unknown unit", "allowed: "+strings.Join(slices.Sorted(maps.Keys(allowedUnits())), ", "))
			continue
		}
		checkOneOf(r, key, unit, allowed)
	}
	for field, meaning := range d.Meanings {
		key := joinKey("rtd.dialect.meanings", field)
		if slices.Contains(ConfigurableCounters(), field) {
			checkOneOf(r, key, meaning, []string{MeaningCurrent, MeaningDaily})
		} else {
			r.add(key, "is not a counter of unknown meaning", "allowed: "+strings.Join(ConfigurableCounters(), ", "))
		}
	}
}

func (d *Dialect) check(r *report) {
	checkOneOf(r, "rtd.dialect.filters", d.Filters, []string{FiltersAuto, FiltersLiteral, FiltersVariables})
	if d.MaxKeys < 0 {
		r.add("rtd.dialect.max_keys", "is negative", "allowed: the most keys of one filter, or 0 to detect it")
	}
	checkRange(r, "rtd.dialect.poll_every", d.PollEvery, minPollInterval, maxPollInterval)
	if d.Argument != "" && !graphqlNamePattern.MatchString(d.Argument) {
		r.add("rtd.dialect.argument", quoteValue(d.Argument)+" is not a name in GraphQL", "allowed: letters, digits and _, not beginning with a digit")
	}
	for i, op := range d.Keyless {
		checkOperation(r, elementKey("rtd.dialect.keyless", i), op, operationNames())
	}
	for i, lack := range d.Lacks {
		key := elementKey("rtd.dialect.lacks", i)
		op, path, _ := strings.Cut(lack, ".")
		if checkOperation(r, key, op, operationNames()) && !fieldPathPattern.MatchString(path) {
			r.add(key, quoteValue(lack)+" has no field", `write it like "serviceStats.customStats"`)
		}
	}
	for name, paths := range map[string][]string{"inside": d.Inside, "types": d.Types} {
		for i, p := range paths {
			key := elementKey("rtd.dialect."+name, i)
			op, path, _ := strings.Cut(p, ".")
			if checkOperation(r, key, op, operationNames()) && (!fieldPathPattern.MatchString(path) || name == "inside" && !strings.Contains(path, ".")) {
				r.add(key, quoteValue(p)+" has no field", `write it like "users.activeProfile.id" in inside or "serviceStats.channelStats.ChatStat" in types`)
			}
		}
	}
	if _, ok := ZoneMinutes(d.Zone); d.Zone != "" && !ok {
		r.add("rtd.dialect.zone", quoteValue(d.Zone)+" is not a time zone offset", `write it like "+02:00", or "Z"`)
	}
	d.checkUnitsAndMeanings(r)
	for op, root := range d.Roots {
		key := joinKey("rtd.dialect.roots", op)
		if checkOperation(r, key, op, operationNames()) && !graphqlNamePattern.MatchString(root) {
			r.add(key, quoteValue(root)+" is not a name in GraphQL", "allowed: letters, digits and _, not beginning with a digit")
		}
	}
}

// allowedUnits returns the possible units of the times whose unit document 2 does not show, by
// time.
func allowedUnits() map[string][]string {
	lengths := []string{"s", "ms", "us"}
	dates := append([]string{"unix-s", "unix-ms", "unix-us"}, lengths...)
	return map[string][]string{
		"timeInState": dates, "timeInHold.timeInState": dates, "timeInHold.time": lengths, "totalTime": lengths,
		"maxTimeCallOnQueue": lengths, "averageTimeOnQueue": lengths,
	}
}

// Possible meanings of a counter.
const (
	MeaningCurrent = "current" // the current value
	MeaningDaily   = "daily"   // the value of the whole day, such as the longest wait
)

// ConfigurableCounters returns the counters whose meaning rtd.dialect.meanings can set.
func ConfigurableCounters() []string {
	return []string{"maxTimeCallOnQueue", "currentCalls", "connectedCall", "averageTimeOnQueue"}
}

// ZoneMinutes returns the offset of a time zone from UTC in minutes. zone has the form "+02:00" or
// "Z". For another form, ok is false.
func ZoneMinutes(zone string) (minutes int, ok bool) {
	t, err := time.Parse("Z07:00", zone)
	if err != nil {
		return 0, false
	}
	_, seconds := t.Zone()
	return seconds / 60, true
}

// checkOperation reports whether op is in allowed. If it is not, it adds a problem.
func checkOperation(r *report, key, op string, allowed []string) bool {
	if slices.Contains(allowed, op) {
		return true
	}
	remedy := "allowed: " + strings.Join(allowed, ", ")
	if s := alert.NearestWord(op, allowed); s != "" {
		remedy = "did you mean " + s + "?"
	}
	r.add(key, "is not an operation of the service", remedy)
	return false
}

// nameKinds returns the kinds of codes that can have a display name.
func nameKinds() []string { return strings.Fields("service group campaign activity profile site user") }

// checkName adds the problems of the name at index i. A second name for the same code is a problem.
func (c *RTD) checkName(r *report, i int) {
	path := elementKey("rtd.names", i)
	if r.reportedKeys[r.keyInFile(path)] {
		return // decodeTables has already reported that the element is not a table
	}
	n := c.Names[i]
	for key, value := range map[string]string{"kind": n.Kind, "code": n.Code, "name": n.Name} {
		if value == "" {
			r.add(joinKey(path, key), "is missing", "every name needs kind, code and name")
		}
		checkPrintable(r, joinKey(path, key), value)
	}
	checkOneOf(r, joinKey(path, "kind"), n.Kind, nameKinds())
	switch n.Kind {
	case "campaign", "profile", "site":
		if _, err := strconv.ParseInt(n.Code, 10, 32); err != nil {
			r.add(joinKey(path, "code"), quoteValue(n.Code)+" is not a whole number", "the code of a "+n.Kind+" is its id")
		}
	}
	for j, other := range c.Names[:i] {
		if other.Kind == n.Kind && other.Code == n.Code {
			problem := "gives " + n.Kind + " " + quoteValue(n.Code) + " a second name"
			r.add(joinKey(path, "code"), problem+r.lineSuffix(elementKey("rtd.names", j), path), "keep one of them")
			return
		}
	}
}

func (u *UI) check(r *report, o Options) {
	checkOneOf(r, "ui.theme", u.Theme, o.Themes)
	words.AvailableLanguages.AddFolder(WordsDir()) // the command config check reports problems
	checkOneOf(r, "ui.language", u.Language, append([]string{"auto"}, words.AvailableLanguages.Tags()...))
	if u.Page != "" {
		checkOneOf(r, "ui.page", u.Page, o.Pages)
	}
	checkPrintable(r, "ui.site", u.Site)
	checkInterval(r, "ui.refresh", u.Refresh)
	if t := u.ServiceLevelTarget; !(t > 0 && t <= 1) { // written so that NaN is also refused
		remedy := "allowed: a share above 0 and up to 1"
		if t > 1 && t <= 100 {
			remedy += fmt.Sprintf(", here %s for %s %%", textformat.ConfigNumber(t/100), textformat.ConfigNumber(t))
		}
		r.add("ui.service_level_target", textformat.ConfigNumber(t)+" is not a share", remedy)
	}
}

// checkOneOf adds a problem if a value is not in allowed. If allowed is empty, the allowed values
// are unknown, and only an empty value is a problem.
func checkOneOf(r *report, key, value string, allowed []string) {
	r.recordAllowed(key, allowed...)
	if slices.Contains(allowed, value) || (len(allowed) == 0 && value != "") {
		return
	}
	remedy := ""
	if len(allowed) > 0 {
		remedy = "allowed: " + strings.Join(allowed, ", ")
	}
	if value == "" {
		r.add(key, "is empty", remedy)
		return
	}
	if s := alert.NearestWord(value, allowed); s != "" {
		remedy = fmt.Sprintf("did you mean %q? %s", s, remedy)
	}
	r.add(key, quoteValue(value)+" is not allowed", remedy)
}

func checkInterval(r *report, key string, d time.Duration) {
	checkRange(r, key, d, minInterval, maxInterval)
}

// checkRange adds a problem if a value is not between the two limits.
func checkRange[T interface {
	cmp.Ordered
	fmt.Stringer
}](r *report, key string, value, minimum, maximum T) {
	if value < minimum || value > maximum {
		r.add(key, value.String()+" is out of range", fmt.Sprintf("allowed: %v to %v", minimum, maximum))
	}
}

// checkCodes adds a problem for each code in a list that is empty, occurs twice or contains
// unprintable characters.
func checkCodes(r *report, key string, list []string) {
	for i, code := range list {
		switch at := elementKey(key, i); {
		case strings.TrimSpace(code) == "":
			r.add(at, "is empty", "write a code, or remove the entry")
		case slices.Contains(list[:i], code):
			r.add(at, quoteValue(code)+" is listed twice", "keep one of them")
		default:
			checkPrintable(r, at, code)
		}
	}
}

func checkPrintable(r *report, key, value string) {
	if hasUnprintable(value) {
		r.add(key, "contains characters that cannot be printed", "remove control characters, tabs and newlines")
	}
}
