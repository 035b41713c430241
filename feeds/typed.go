package feeds

import (
	"time"

	"wallboard/feeds/dialect"
	"wallboard/feeds/queries"
)

// typesOf is of how many names at most the types of the records are asked for.
const typesOf = 2000

// askTypes asks of which types an operation's records are, once per connection: where
// the server hides its schema, they say what else the records have than the type that
// document 2 shows.
func (l *learner) askTypes(s *sub) bool {
	if s.adapted.typed || l.conn == nil || !s.doc.Filtered || !s.filter.want.Ready {
		return false
	}
	s.adapted.typed = true
	filter := s.filter.want.Filter
	if some := queries.Split(filter, typesOf); s.filter.want.Keys > typesOf && len(some) > 0 {
		filter = some[0]
	}
	text, vars := dialect.TypesRequest(&s.doc, l.speech, filter)
	id, err := s.requests.Text(text, vars)
	s.adapted.typesID = id
	return err == nil
}

// typesAgain is after what time they are asked for again where there was no record.
const typesAgain = 5 * time.Second

// typesOn asks again for the types of records of which there were none.
func (l *learner) typesOn(now time.Time) {
	for _, s := range l.subs {
		if at := s.adapted.typesAt; !at.IsZero() && !now.Before(at) {
			s.adapted.typesAt, s.adapted.typed = time.Time{}, false
			l.askTypes(s)
		}
	}
}

// typed takes the answer over, and reports whether an id is of one. Without data it is
// a refusal.
func (l *learner) typed(id string, payload []byte) bool {
	for _, s := range l.subs {
		if id == "" || s.adapted.typesID != id {
			continue
		}
		s.adapted.typesID = ""
		if dialect.HasNone(payload, s.doc.Root) {
			s.adapted.typesAt = l.now().Add(typesAgain)
			return true
		}
		var bare []string
		if s.adapted.bare { // not even its keys are taken
			bare = dialect.Fields(&s.doc)
		}
		if types := dialect.ReadTypes(payload, s.doc.Root); len(types) > 0 && l.speech.Lack(&s.doc, bare, types) {
			l.sayFields(s)
			s.adapted.searched = false // what their types do not have may have to be found, too
			s.renew = s.renew || s.active != ""
		}
		s.atOnce(l.now())
		return true
	}
	return false
}
