package feeds

import (
	"encoding/json"
	"strings"
	"time"

	"wallboard/feeds/dialect"
	"wallboard/feeds/graphqlws"
	"wallboard/model"
)

// searchPatience is how long a query of a search may take.
const searchPatience = 15 * time.Second

// searches begins a search for the refused fields, once per connection.
func (l *learner) searches(s *sub, id string, errs []graphqlws.GraphQLError) bool {
	if s.adapted.hunt != nil { // waits for the running search
		return s.again(id, dialect.MaxSearch*searchPatience, l.now())
	}
	if s.adapted.searched || !s.requests.Connected() {
		return false
	}
	x := &hunt{reason: "refused"}
	if len(errs) > 0 {
		x.reason = errs[0].Message
	}
	how, _ := s.requests.Sent(id)
	x.search = l.speech.Search(&s.doc, s.filter.want.Filter, how.Keys, !s.isSubscription(id))
	s.adapted.hunt, s.adapted.searched = x, true
	s.again(id, dialect.MaxSearch*searchPatience, l.now())
	l.ask(s)
	return true
}

// ask sends the next query of a search.
func (l *learner) ask(s *sub) {
	text, vars, ok := s.adapted.hunt.search.Query(l.speech)
	if !ok {
		l.found(s, false)
		return
	}
	id, err := s.requests.Text(text, vars)
	if err != nil {
		s.adapted.hunt = nil
		return // the session has ended, which is handled elsewhere
	}
	s.adapted.hunt.id, s.adapted.hunt.askedAt = id, l.now()
}

// searched handles the answer to a query of a search and reports whether id
// belongs to one. An answer without data is a refusal.
func (l *learner) searched(id string, payload []byte, refused bool) bool {
	for _, s := range l.subs {
		if s.adapted.hunt == nil || s.adapted.hunt.id != id {
			continue
		}
		var m struct {
			Data map[string]json.RawMessage `json:"data"`
		}
		taken := !refused && json.Unmarshal(payload, &m) == nil && len(m.Data[s.doc.Root]) > 0 && string(m.Data[s.doc.Root]) != "null"
		s.adapted.hunt.id = ""
		l.found(s, taken)
		return true
	}
	return false
}

// found continues a search after one of its queries.
func (l *learner) found(s *sub, taken bool) {
	x := s.adapted.hunt.search
	switch x.Take(taken) {
	case dialect.GoesOn:
		l.ask(s)
	case dialect.TakesFew:
		if l.speech.Halve(s.doc.Root, x.Keys) {
			s.adapted.searched = false // there may be another cause
			l.endSearch(s, "with fewer keys in a filter")
		} else {
			l.notTheFields(s)
		}
	case dialect.TakesAll:
		l.notTheFields(s)
	case dialect.TakesNone:
		if l.askTypes(s) { // the answer triggers another try
			s.adapted.hunt, s.adapted.searched, s.adapted.bare = nil, false, true
			return
		}
		l.endSearch(s, "")
	case dialect.TakesSome:
		if l.speech.Lack(&s.doc, x.Bad, nil) {
			l.sayFields(s)
		}
		l.askTypes(s)
		l.endSearch(s, "without "+strings.Join(x.Bad, ", "))
	}
}

// notTheFields continues when a query for all fields succeeds: the server
// objects to the name of the subscription or to the number of subscriptions.
func (l *learner) notTheFields(s *sub) {
	x, now := s.adapted.hunt, l.now()
	s.adapted.searched = false                      // there may be another cause
	if s.active != "" && s.requests.Muted() == "" { // the server accepted the previous subscription
		l.giveUpLeast(s, false)
		l.endSearch(s, "with fewer subscriptions")
		return
	}
	if name := l.speech.OtherRoot(s.doc.Root, s.requests.Root(), nil); name != "" {
		s.requests.Rename(name)
		l.endSearch(s, "under another name")
		return
	}
	if l.speech.RefusesSubscription(s.doc.Root) {
		s.delivery.mute("the platform refuses the subscription ("+l.clean(x.reason)+")", l.opts.PollEvery)
	}
	s.adapted.hunt = nil
	s.retry.at = now.Add(s.retry.backoff())
	s.status.set(model.SubRefused, x.reason, now)
}

// endSearch retries the operation if how is set; how describes the change, ""
// means that nothing was found.
func (l *learner) endSearch(s *sub, how string) {
	x, now := s.adapted.hunt, l.now()
	s.adapted.hunt = nil
	if how == "" {
		s.retry.at = now.Add(s.retry.backoff())
		if s.active == "" {
			s.status.set(model.SubRefused, x.reason, now)
		}
		return
	}
	l.log.Info("search found what the server refuses", "operation", s.doc.Root, "tried_again", how)
	s.atOnce(now)
}

// atOnce retries immediately what waited for an answer.
func (s *sub) atOnce(now time.Time) {
	s.retry.at = time.Time{}
	if s.active != "" {
		s.losses.resync, s.losses.askedAt = true, time.Time{}
	}
	s.hand.since = now.Add(-queryLate)
	s.step(now)
}

// searchOn gives up searches whose query is not answered.
func (l *learner) searchOn(now time.Time) {
	l.typesOn(now)
	for _, s := range l.subs {
		if s.adapted.hunt != nil && s.adapted.hunt.id != "" && now.Sub(s.adapted.hunt.askedAt) > searchPatience {
			s.requests.Cancel(s.adapted.hunt.id)
			l.endSearch(s, "")
		}
	}
}
