package look

import (
	"slices"
	"sync"

	"wallboard/model"
	"wallboard/ui/render"
	"wallboard/ui/table"
)

// Shared is what boards share that show the same floor by the same configuration: a
// look is theirs together, and what is drawn with it. It is safe for concurrent use.
type Shared struct {
	mu    sync.Mutex
	looks []*Look
}

// Family has what boards share, for each thing that they show. It is safe for concurrent
// use.
type Family struct {
	mu     sync.Mutex
	by     any
	shared map[string]*Shared
}

// Of returns what boards share that show the same by the same configuration, a pointer.
// What was shared by another one is let go of.
func (f *Family) Of(configuration any, shown string) *Shared {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.by != configuration || f.shared == nil {
		f.by, f.shared = configuration, make(map[string]*Shared)
	}
	if f.shared[shown] == nil {
		f.shared[shown] = new(Shared)
	}
	return f.shared[shown]
}

// Forget lets go of all that is shared: nobody looks any more.
func (f *Family) Forget() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.shared = nil
}

// mostLooks is how many looks are shared: as many as terminals and themes differ.
const mostLooks = 100

// New returns the look of some options as another board has it, or a new one. Whatever
// else package render draws with must be the same for all of them.
func (s *Shared) New(o Options, draw render.Options) *Look {
	fresh := New(o, draw)
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, lk := range s.looks {
		lk.Shelf.Rows.Tidy() // it may be nobody's any more
		lk.Shelf.lists.Tidy()
	}
	at := slices.IndexFunc(s.looks, func(lk *Look) bool { return lk.same(&fresh.Options) })
	if at >= 0 {
		return s.looks[at]
	}
	fresh.Shelf = new(Shelf)
	if len(s.looks) < mostLooks {
		s.looks = append(s.looks, fresh)
	}
	return fresh
}

// Rows is how many rows were drawn, and how many were taken over instead.
func (s *Shared) Rows() (drawn, taken int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, lk := range s.looks {
		d, t := lk.Shelf.Rows.Count()
		drawn, taken = drawn+d, taken+t
	}
	return drawn, taken
}

func (o Options) same(other *Options) bool {
	themes := o.Theme.Same(other.Theme)
	o.Theme = other.Theme
	return themes && o == *other
}

// Shelf has what boards of one look have drawn. It is safe for concurrent use.
type Shelf struct {
	Rows  table.Shelf
	lists render.Lists

	mu     sync.Mutex
	second int64 // that texts is of
	texts  map[any][]string
}

// Text returns the text of a key in a second, which is made by who first asks for it and
// must not be changed. Those of the seconds before are let go of, and so are the pictures
// that they were of.
func (s *Shelf) Text(second int64, key any, text func() []string) []string {
	s.mu.Lock()
	if second > s.second {
		s.second, s.texts = second, make(map[any][]string)
	}
	out, is := s.texts[key]
	is = is && second == s.second
	s.mu.Unlock()
	if is {
		return out
	}
	out = text()
	s.mu.Lock()
	defer s.mu.Unlock()
	if second == s.second {
		s.texts[key] = out
	}
	return out
}

// AgentText tells texts about agents apart.
type AgentText struct {
	Username string
	Width    int
	Of       *model.Snapshot
	Options  *render.Options
	Scope    render.Scope
	Alerts   *render.Alerts
}

// AgentHour tells the hours of agents apart.
type AgentHour struct {
	Username string
	Width    int
	Options  *render.Options
	Channel  model.Channel
}

// Shared is what tells a part of the floor apart for boards that show the same; nil where
// none do: of a picture that is held, and of the past, each has its own.
func (lk *Look) Shared(now bool, on model.Channel, service, group string) any {
	if lk.Shelf == nil || !now {
		return nil
	}
	return render.Scope{Channel: on, Service: service, Group: group}
}

// Dress gives a table the look.
func (lk *Look) Dress(t *table.Model) {
	t.SetStyles(lk.TableStyles())
	t.SetShelf(lk.Shelf.Table())
}

// Lists is where tables share what they list; nil: they do not.
func (s *Shelf) Lists() *render.Lists {
	if s == nil {
		return nil
	}
	return &s.lists
}

// Table is where tables share their rows; nil: they do not.
func (s *Shelf) Table() *table.Shelf {
	if s == nil {
		return nil
	}
	return &s.Rows
}
