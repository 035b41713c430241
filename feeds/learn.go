package feeds

import (
	"log/slog"
	"strings"
	"time"

	"wallboard/feeds/dialect"
	"wallboard/feeds/requests"
)

// learner finds out how the server wants to be spoken to: what it refuses, and
// what it says unasked, changes the dialect, and what was refused is sent again.
// The feed's mutex guards it.
type learner struct {
	opts   *Options
	log    *slog.Logger
	now    func() time.Time
	clean  func(string) string
	subs   subs
	speech *dialect.Dialect
	conn   requests.Connection // nil while the link is down
	schema inquiry
}

// inquiry is where the question for the server's schema is.
type inquiry struct {
	done bool   // it was asked on this connection
	id   string // of the query under way
	at   time.Time
}

// introspectionPatience is how long a refused operation waits for the schema.
const introspectionPatience = 5 * time.Second

// connects starts over on a new connection; nil is none.
func (l *learner) connects(conn requests.Connection) {
	if l.conn = conn; conn != nil {
		l.schema = inquiry{}
		l.speech.Connects()
	}
}

// askSchema asks for the server's schema, once per connection.
func (l *learner) askSchema() {
	if l.schema.done || l.conn == nil {
		return
	}
	l.schema.done = true
	if id, err := l.conn.Subscribe(dialect.Introspection, nil); err == nil {
		l.schema.id, l.schema.at = id, l.now()
	}
}

// awaitsSchema reports whether the schema may still come: it was not asked for, or
// not answered.
func (l *learner) awaitsSchema() bool {
	return !l.schema.done || l.schema.id != "" && l.now().Sub(l.schema.at) < introspectionPatience
}

// learnSchema takes the answer to the introspection over; nil is a refusal. What
// waited for it is tried again.
func (l *learner) learnSchema(payload []byte) {
	l.schema.id = ""
	if err := l.speech.ReadSchema(payload); err != nil {
		l.log.Info("the server does not show its schema", "reason", l.clean(err.Error()))
	}
	now := l.now()
	for _, s := range l.subs {
		if l.schemaSays(s) || s.requests.Connected() && s.retry.waits(now) {
			s.retry.at = time.Time{}
			s.step(now)
		}
	}
}

// schemaSays adapts a subscription to the schema and reports whether that changed
// anything.
func (l *learner) schemaSays(s *sub) bool {
	root, news := l.speech.FitSchema(&s.doc, s.requests.Root())
	if root != "" {
		l.log.Info("subscription root found", "operation", s.doc.Root, "root", root)
		s.requests.Rename(root)
	}
	if news {
		l.sayFields(s)
	}
	return news || root != ""
}

// lacking notes what the server says about fields of an operation, and reports
// whether that is news.
func (l *learner) lacking(s *sub, r *dialect.Complaint) bool {
	news := l.speech.Heed(&s.doc, r)
	if news {
		l.sayFields(s)
	}
	return news
}

// sayFields tells which fields an operation is asked for without.
func (l *learner) sayFields(s *sub) {
	op := s.doc.Root
	s.status.Lacks = l.lackText(op)
	l.log.Info("the server has other fields", "operation", op, "lacks", s.status.Lacks, "types", strings.Join(l.speech.Types(op), ", "))
}

// lackText names the fields of an operation that the server lacks.
func (l *learner) lackText(op string) string {
	return l.clean(strings.Join(dialect.Missing(l.speech.Lacks(op), l.speech.Types(op)), ", "))
}

// trialAfter is how long a connection has to be up before what was learnt is tried
// again.
const trialAfter = time.Minute

// tryAgain sends the next trial that is due. All is well, and has been for a while.
func (l *learner) tryAgain(now time.Time) {
	d := l.speech
	op := d.NextTrial()
	if op == "" {
		op = opServices
	}
	s := l.subs.named(op)
	if s == nil || s.active == "" {
		return
	}
	text, vars, ok := d.Trial(&s.doc, s.filter.have.Filter, s.filter.have.Keys)
	if !ok {
		return
	}
	if id, err := s.requests.Text(text, vars); err == nil {
		d.TrialSent(id, now)
	}
}

// triedAgain takes the answer to a trial, and reports whether an id is of one.
func (l *learner) triedAgain(id string, payload []byte) bool {
	op, out := l.speech.TrialAnswered(id, payload, func(op string) int {
		if s := l.subs.named(op); s != nil {
			return s.filter.have.Keys
		}
		return 0
	})
	if out == dialect.TrialMore || out == dialect.TrialOver {
		l.log.Info("what was learnt is not so any more", "operation", op)
	}
	if s := l.subs.named(op); s != nil && out == dialect.TrialOver {
		s.status.Lacks = l.lackText(op)
		s.renew, s.losses.resync = true, true
	}
	return out != dialect.NoTrial
}

// begin starts from what the configuration says and what was learnt before.
func (l *learner) begin() {
	*l.speech = *dialect.New(l.opts.Dialect)
	if l.opts.Profiles != nil {
		if p, ok := l.opts.Profiles.Load(); ok {
			l.speech.Recall(p)
		}
	}
	l.speakAnew()
}

// speakAnew lets the subscriptions follow the dialect.
func (l *learner) speakAnew() {
	for _, s := range l.subs {
		s.requests.Rename(l.speech.Root(s.doc.Root))
		s.status.Lacks = l.lackText(s.doc.Root)
	}
}

// speaksTo notes the server's version. It reports whether that is another than the
// one before: what was learnt is forgotten, and found out again on a new
// connection.
func (l *learner) speaksTo(version string) bool {
	before := l.speech.SpeaksTo(version)
	if before == "" {
		return false
	}
	l.log.Info("the server has another version; what was learnt about it is forgotten", "before", before, "now", version)
	l.speakAnew()
	return true
}
