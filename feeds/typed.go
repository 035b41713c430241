package feeds

import (
	"time"

	"wallboard/feeds/dialect"
	"wallboard/feeds/queries"
)

// typesOf limits how many records are asked for their types.
const typesOf = 2000

// askTypes queries the types of an operation's records, once per connection. If
// the server hides its schema, the types show which records are not of the type
// in document 2.
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

// typesAgain is when to ask again if there was no record.
const typesAgain = 5 * time.Second

// typesOn asks again for the types of operations that had no records.
func (l *learner) typesOn(now time.Time) {
	for _, s := range l.subs {
		if at := s.adapted.typesAt; !at.IsZero() && !now.Before(at) {
			s.adapted.typesAt, s.adapted.typed = time.Time{}, false
			l.askTypes(s)
		}
	}
}

// typed handles the answer to a types query and reports whether id belongs to
// one. An answer without data is a refusal.
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
		if s.adapted.bare { // the server does not even accept the keys
			bare = dialect.Fields(&s.doc)
		}
		if types := dialect.ReadTypes(payload, s.doc.Root); len(types) > 0 && l.speech.Lack(&s.doc, bare, types) {
			l.sayFields(s)
			s.adapted.searched = false // fields that these types lack may still have to be found
			s.renew = s.renew || s.active != ""
		}
		s.atOnce(l.now())
		return true
	}
	return false
}
