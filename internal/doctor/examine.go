package doctor

import (
	"cmp"
	"context"
	"crypto/tls"
	"fmt"
	"maps"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"wallboard/feeds"
	"wallboard/feeds/dialect"
	"wallboard/feeds/graphql"
	"wallboard/internal/history"
	"wallboard/internal/lib/netconn"
	"wallboard/model"
)

// Display names of the services.
const (
	realTimeService      = "Real-time display"
	configurationService = "Configuration service"
	statisticsService    = "Statistical data"
)

// Subjects of findings that the check of a fleet repeats.
const (
	clockFinding       = "Clock"
	certificateFinding = "TLS"
)

// Check tests a service with harmless requests. It returns a description of the answer and the
// version of the service.
type Check func(ctx context.Context) (text, version string, err error)

// Options configures [Examine].
type Options struct {
	Feed             feeds.Options
	Configuration    Check            // nil: not configured
	ConfigurationURL string           // address of the configuration service
	Statistics       *history.Options // nil: not configured

	MinWatch time.Duration // minimum time to watch the feed; it is also watched until it is live or Settle has passed
	Settle   time.Duration // how long the feed may take to become live; 0: 45 s
	Brief    bool          // do not wait for the units of times that only a longer watch detects
	Now      func() time.Time

	// OnSnapshot, if set, receives each snapshot of the feed, from the goroutine of Examine.
	OnSnapshot func(*model.Snapshot)
	// Lookup resolves a host name. If it is nil, Examine uses the resolver of this machine.
	Lookup func(ctx context.Context, host string) ([]string, error)
}

// settleTimeout limits the time until a feed is live. retryTimeout is the limit if the probe
// has reached nothing.
const (
	settleTimeout = 45 * time.Second
	retryTimeout  = 5 * time.Second
)

// Examine checks all services and returns a report. It returns an error only if the options
// are invalid or the context ends; problems of a server are findings of the report.
func Examine(ctx context.Context, o Options) (*Report, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Lookup == nil {
		o.Lookup = net.DefaultResolver.LookupHost
	}
	r := &Report{}
	missing, err := r.addUnresolvedHosts(ctx, &o)
	if err != nil {
		return nil, err
	}
	if !isUnresolved(o.Feed.URL, missing) {
		probe, err := feeds.ProbeServer(ctx, o.Feed)
		if err != nil {
			return nil, fmt.Errorf("check the service: %w", err)
		}
		isReached := r.addProbe(&probe, o.Now())
		if probe.HTTP.Err != nil && !graphql.IsRefusal(probe.HTTP.Err) && isWebPage(ctx, &o) {
			r.addFinding(realTimeService, "Address", VerdictFail, "a web page answers there, not the real-time service",
				"ask the platform's administrator for the address that queries are posted to")
		}
		settle := cmp.Or(o.Settle, settleTimeout)
		if !isReached {
			settle = min(settle, retryTimeout)
		}
		switch {
		case !isReached && graphql.IsRefusal(probe.HTTP.Err) && o.MinWatch == 0: // another attempt may lock the account
			r.addFinding(realTimeService, "Feed", VerdictFail, "no connection: "+probe.HTTP.Reason, ConnectionRemedy(probe.HTTP.Reason, "check the user name and the secret in [rtd]"))
		default:
			if err := r.watchFeed(ctx, &o, settle); err != nil {
				return nil, err
			}
		}
	}
	if !isUnresolved(o.ConfigurationURL, missing) {
		r.checkService(ctx, configurationService, "[rest]", o.Configuration)
	}
	if o.Statistics != nil && isUnresolved(o.Statistics.URL, missing) {
		return r, nil
	}
	return r, r.checkStatistics(ctx, o.Statistics, o.Now())
}

// isWebPage reports whether the address of the real-time display service answers with a web page.
func isWebPage(ctx context.Context, o *Options) bool {
	ctx, cancel := context.WithTimeout(ctx, retryTimeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, o.Feed.URL, http.NoBody)
	if err != nil {
		return false
	}
	transport := &http.Transport{Proxy: http.ProxyFromEnvironment, TLSClientConfig: o.Feed.TLS, DialContext: o.Feed.DialContext}
	defer transport.CloseIdleConnections()
	resp, err := transport.RoundTrip(req)
	if err != nil {
		return false
	}
	_ = resp.Body.Close() // not read
	return strings.HasPrefix(resp.Header.Get("Content-Type"), "text/html")
}

// addProbe adds the results of a probe of the real-time display service to the report. The
// result is true if the server answered in any way.
func (r *Report) addProbe(p *feeds.Probe, now time.Time) bool {
	if p.HTTP.Err != nil {
		r.addFinding(realTimeService, "HTTP", VerdictFail, p.HTTP.Reason, ConnectionRemedy(p.HTTP.Reason, "check url and the credentials in [rtd]"))
	} else {
		r.addFinding(realTimeService, "HTTP", VerdictOK, "answers within "+formatDuration(p.HTTP.Took), "")
		r.addClockSkew(realTimeService, p.Date, p.RequestedAt, p.ReceivedAt)
		r.addSchema(realTimeService, p.SchemaError)
	}
	r.addCertificate(realTimeService, p.TLS, now)
	passed := 0
	for _, sub := range []string{graphql.TransportWS, graphql.LegacyWS} {
		a := p.WebSocket[sub]
		if a.Err == nil {
			passed++
			r.onlySubprotocol = sub
			r.addFinding(realTimeService, sub, VerdictOK, "opens within "+formatDuration(a.Took), "")
			continue
		}
		r.addFinding(realTimeService, sub, VerdictNote, a.Reason, "")
	}
	if passed > 1 {
		r.onlySubprotocol = ""
	}
	if passed == 0 && p.HTTP.Err == nil {
		r.addFinding(realTimeService, "WebSocket", VerdictNote, "no WebSocket passes; everything is polled over HTTP",
			"let the proxy on the way pass the upgrade to a WebSocket")
	}
	return passed > 0 || p.HTTP.Err == nil
}

// addClockSkew compares date, the server's time in an answer, with the local times at which the
// request was sent and the answer received. The server wrote date, which has whole seconds, at some
// time between the two. The reported difference of the clocks is the smallest one that explains the
// three times, so that neither a slow answer nor the missing fraction of a second counts.
func (r *Report) addClockSkew(service string, date, requested, received time.Time) {
	const shown = 2 * time.Second
	skew := max(date.Sub(received), 0) + min(date.Add(time.Second).Sub(requested), 0)
	if !date.IsZero() {
		seconds := skew.Seconds()
		r.factsOf(service).ClockSkew = &seconds
	}
	switch {
	case date.IsZero():
		r.addFinding(service, clockFinding, VerdictNote, "the server does not tell its time", "")
	case skew.Abs() > shown:
		r.addFinding(service, clockFinding, VerdictNote, "the server's clock differs by "+formatDuration(skew.Abs()), "set both clocks by NTP")
	default:
		r.addFinding(service, clockFinding, VerdictOK, "agrees within 2s", "")
	}
}

func (r *Report) addSchema(service string, hidden error) {
	if hidden != nil {
		r.addFinding(service, "Schema", VerdictNote, "not shown (introspection is off); what the server lacks is found by trying", "")
		return
	}
	r.addFinding(service, "Schema", VerdictOK, "shown (introspection is on)", "")
}

// expiryNoticePeriod is the remaining validity below which the report mentions a certificate.
const expiryNoticePeriod = 30 * 24 * time.Hour

func (r *Report) addCertificate(service string, s *tls.ConnectionState, now time.Time) {
	if s == nil || len(s.PeerCertificates) == 0 {
		r.addFinding(service, certificateFinding, VerdictSkip, "not used or not reached", "")
		return
	}
	end := s.PeerCertificates[0].NotAfter
	r.factsOf(service).CertificateEnd = end
	text := tls.VersionName(s.Version) + ", the certificate ends on " + end.UTC().Format(time.DateOnly)
	switch {
	case now.After(end):
		r.addFinding(service, certificateFinding, VerdictFail, text, "renew the server's certificate")
	case end.Sub(now) < expiryNoticePeriod:
		r.addFinding(service, certificateFinding, VerdictNote, text, "renew the server's certificate")
	default:
		r.addFinding(service, certificateFinding, VerdictOK, text, "")
	}
}

// watchFeed runs a feed until it is live and has run for o.MinWatch. It waits at most settle
// for the feed to become live. It adds its findings to the report.
func (r *Report) watchFeed(outer context.Context, o *Options, settle time.Duration) error {
	forms := &valueForms{}
	o.Feed.OnPayload = forms.examine
	feed, err := feeds.New(o.Feed)
	if err != nil {
		return fmt.Errorf("prepare the feed: %w", err)
	}
	ctx, cancel := context.WithTimeout(outer, max(settle, o.MinWatch))
	defer cancel()
	running, stop := context.WithCancel(outer)
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = feed.Run(running) // watchFeed itself stops the feed, so this is no error
	}()
	defer func() {
		stop()
		<-done
	}()
	started, counters := o.Now(), newCounterHistory()
	var last *model.Snapshot
	var liveAt time.Time
	for seq := uint64(0); ; {
		s, err := feed.Wait(ctx, seq)
		if err != nil {
			break
		}
		seq, last = s.Seq, s
		counters.compare(s)
		if o.OnSnapshot != nil {
			o.OnSnapshot(s)
		}
		if s.Health.Link.State == model.LinkRefused && o.MinWatch == 0 {
			break // all ways to connect were tried, so waiting longer is useless
		}
		if s.Health.Live() && liveAt.IsZero() {
			liveAt = o.Now()
		}
		if !liveAt.IsZero() && o.Now().Sub(liveAt) >= minLiveWatch && o.Now().Sub(started) >= o.MinWatch &&
			(o.Brief || !canDetectUnit(feed) || o.Now().Sub(liveAt) >= maxUnitWatch) {
			break
		}
	}
	if outer.Err() != nil {
		return context.Cause(outer)
	}
	if last == nil {
		r.addFinding(realTimeService, "Feed", VerdictFail, "nothing came", "")
		return nil
	}
	if h := &last.Health; h.Link.State != model.LinkUp {
		r.addFinding(realTimeService, "Feed", VerdictFail, "no connection: "+h.Link.Reason, ConnectionRemedy(h.Link.Reason, remedyOf(h.Notice)))
		if !h.HadData() {
			return nil // the subscriptions fail for the same reason, which is in the report
		}
	}
	r.addHealth(last, o.Now())
	r.addDialect(feed.Profile(), last, forms, o.Feed.Auth)
	r.addUnits(feed)
	r.addMeanings(feed)
	counters.addTo(r, last, o.Now().Sub(started))
	return nil
}

// maxUnitWatch limits how long a live feed is watched in order to detect the units of times.
const maxUnitWatch = 15 * time.Second

// canDetectUnit reports whether the feed has times in a unit that it has not detected yet.
func canDetectUnit(feed *feeds.Feed) bool {
	_, _, undetected := feed.Units()
	return undetected
}

// minLiveWatch is the minimum time that a live feed is watched. It leaves time for updates, which
// reveal more about a server than the full state.
const minLiveWatch = 3 * time.Second

// addHealth adds the server's version and the states of the subscriptions to the report.
func (r *Report) addHealth(s *model.Snapshot, now time.Time) {
	h := &s.Health
	if v := h.Version; v.Major.Known() {
		text := fmt.Sprintf("%d.%d.%d", v.Major.Or(0), v.Minor.Or(0), v.Patch.Or(0))
		r.factsOf(realTimeService).Version = text
		r.addFinding(realTimeService, "Version", VerdictOK, text, "")
	}
	if f := &h.Search; f.Failed != "" {
		r.addFinding(realTimeService, "Campaigns", VerdictFail, searchText(f, now), "let the account of [rest] list campaigns, or name them: [rtd] campaigns")
	}
	for i := range h.Subscriptions {
		sub := &h.Subscriptions[i]
		name := string(sub.Name)
		switch sub.State {
		case model.SubWaiting:
			r.addFinding(realTimeService, name, VerdictSkip, "nothing to ask for", waitingRemedy(sub.Name))
		case model.SubLive:
			r.addFinding(realTimeService, name, VerdictOK, "live, "+recordsText(sub.Records), "")
		case model.SubPolling:
			r.addFinding(realTimeService, name, VerdictNote, "polled, "+recordsText(sub.Records)+": "+sub.Reason, "")
		default:
			r.addFinding(realTimeService, name, VerdictFail, string(sub.State)+": "+sub.Reason, "see the server's log, or pin what it wants in [rtd.dialect]")
		}
		if sub.Unknown != "" {
			r.addFinding(realTimeService, name, VerdictFail, "partly known: this platform has "+sub.Unknown,
				"the figures of that type stay unknown; ask the administrator of the platform for their names")
		}
		if sub.Lacks != "" {
			r.addFinding(realTimeService, name, VerdictNote, "fields this server lacks: "+sub.Lacks, "")
		}
	}
}

// searchText describes why a search for campaigns has failed and when the next one takes place.
func searchText(f *model.CampaignSearch, now time.Time) string {
	text := "the configuration service does not list them since " + f.Since.Format(time.TimeOnly) + ": " + f.Failed
	if f.NextTry.IsZero() {
		return text
	}
	return text + "; next try in " + formatDuration(f.NextTry.Sub(now))
}

func recordsText(n int) string {
	if n == 1 {
		return "1 record"
	}
	return strconv.Itoa(n) + " records"
}

func remedyOf(notice string) string {
	if notice == "" {
		return "check url and the credentials in [rtd]"
	}
	return notice
}

func waitingRemedy(name model.Op) string {
	if name == model.OpCampaigns {
		return "name campaigns in [rtd] to see them"
	}
	return ""
}

// addDialect adds the detected properties of the server's dialect to the report, and the
// configuration lines that set them.
func (r *Report) addDialect(p dialect.Profile, s *model.Snapshot, f *valueForms, auth feeds.AuthMode) {
	lines := []string{}
	addNote := func(about, text string) { r.addFinding(realTimeService, about, VerdictNote, text, "") }
	if p.Filters == dialect.FiltersVariables {
		addNote("Filters", "have to be sent as variables")
		lines = append(lines, `filters = "variables"`)
	}
	if n := slices.Sorted(maps.Values(p.MaxKeys)); len(n) > 0 {
		addNote("Filter size", fmt.Sprintf("at most about %d keys in a filter", n[0]))
		lines = append(lines, "max_keys = "+strconv.Itoa(n[0]))
	}
	if len(p.Keyless) > 0 {
		addNote("Updates", "do not say which record they are for: "+strings.Join(p.Keyless, ", "))
		lines = append(lines, "keyless = "+quotedList(p.Keyless))
	}
	if names := slices.Compact(slices.Sorted(maps.Values(p.Arguments))); len(names) > 0 {
		addNote("Filters", "are carried by the argument "+strings.Join(names, ", "))
		if len(names) == 1 {
			lines = append(lines, "argument = "+strconv.Quote(names[0]))
		}
	}
	if p.NoAliases {
		addNote("Aliases", "are refused: every field is asked for under its own name")
	}
	for key, byOperation := range map[string]map[string][]string{"lacks": p.MissingFields, "inside": p.ObjectMembers, "types": p.Types} {
		if paths := operationPaths(byOperation); len(paths) > 0 {
			lines = append(lines, key+" = "+quotedList(paths))
		}
	}
	slices.Sort(lines)
	for _, path := range operationPaths(p.ObjectMembers) {
		addNote("Shape", "a field is an object here: "+path)
	}
	for _, path := range operationPaths(p.Types) {
		addNote("Types", "one that document 2 does not show: "+path)
	}
	f.addTo(r)
	if len(lines) > 0 || len(p.Roots) > 0 {
		lines = append([]string{"[rtd.dialect]"}, lines...)
	}
	if len(p.Roots) > 0 {
		addNote("Names", fmt.Sprintf("%d subscriptions have another name than their query", len(p.Roots)))
		lines = append(lines, "[rtd.dialect.roots]")
		for _, op := range slices.Sorted(maps.Keys(p.Roots)) {
			lines = append(lines, op+" = "+strconv.Quote(p.Roots[op]))
		}
	}
	if spoken := s.Health.Link.Subprotocol; spoken != "" {
		r.addFinding(realTimeService, "Sub-protocol", VerdictOK, "spoken: "+spoken, "")
	}
	rtd := r.addCredentials(s.Health.Link.Way, auth)
	if r.onlySubprotocol != "" {
		rtd = append(rtd, "subprotocol = "+strconv.Quote(r.onlySubprotocol))
	}
	if len(rtd) > 0 {
		lines = slices.Concat([]string{"[rtd]"}, rtd, lines)
	}
	r.Config = lines
}

// addCredentials reports that the server refuses credentials in the configured form but
// accepts those in the form method. It returns the configuration line for method. It returns
// nil if the configured mode logs in, or if method is "", in which case it reports nothing.
func (r *Report) addCredentials(method string, auth feeds.AuthMode) []string {
	if method == "" {
		return nil
	}
	r.addFinding(realTimeService, "Credentials", VerdictNote, "the configured way is refused; what works: "+method, "")
	if auth == feeds.AuthLogin || auth == feeds.AuthTokenLogin { // the board must log in, whatever the method is
		return nil
	}
	return []string{"auth = " + strconv.Quote(string(feeds.AuthModeForWay(method)))}
}

// operationPaths returns the detected paths of all operations in the form of the
// configuration: the operation, a dot, and the path.
func operationPaths(learnt map[string][]string) []string {
	var paths []string
	for _, op := range slices.Sorted(maps.Keys(learnt)) {
		for _, path := range learnt[op] {
			paths = append(paths, op+"."+path)
		}
	}
	return paths
}

func quotedList(words []string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = strconv.Quote(w)
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}

// checkService calls request and adds the result to the report. A nil request means that the
// service is not configured. section is the configuration section of the service.
func (r *Report) checkService(ctx context.Context, service, section string, request Check) {
	if request == nil {
		r.addUnconfigured(service, section)
		return
	}
	started := time.Now()
	text, version, err := request(ctx)
	if version != "" {
		r.factsOf(service).Version = version
	}
	if err != nil {
		text := model.CleanText(err.Error(), model.MaxBody)
		r.addFinding(service, "Access", VerdictFail, text, ConnectionRemedy(text, "check the address and the credentials in "+section))
		return
	}
	r.addFinding(service, "Access", VerdictOK, text+", within "+formatDuration(time.Since(started)), "")
}

// ConnectionRemedy returns the remedy for a failed connection or login with the given reason. It
// returns usual if the reason is not one of those that need another remedy.
func ConnectionRemedy(reason, usual string) string {
	switch {
	case strings.Contains(reason, netconn.UnsupportedLogin):
		return netconn.UnsupportedLoginRemedy
	case strings.Contains(reason, netconn.WrongTimePhrase):
		return "set the clock of this machine if it is wrong; otherwise the platform needs a new certificate"
	}
	return usual
}

func (r *Report) addUnconfigured(service, section string) {
	r.addFinding(service, "Access", VerdictSkip, "not configured", "fill in "+section+" to use it")
}

func formatDuration(d time.Duration) string {
	if d < time.Second {
		return max(d.Round(time.Millisecond), time.Millisecond).String()
	}
	return d.Round(time.Second / 10).String()
}
