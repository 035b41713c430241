package model

import (
	"cmp"
	"hash/fnv"
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// NameMode says how much of people's names a picture holds.
type NameMode string

// The modes. The zero value is NamesFull.
const (
	NamesFull     NameMode = "full"
	NamesInitials NameMode = "initials" // "M. R."
	NamesHidden   NameMode = "hidden"   // "Agent 7"
)

// Mask takes people's names out of snapshots: who looks at what it returns can
// not show them, by mistake or otherwise. Instead of a user name everybody has
// a number, which stays theirs for as long as the mask lasts. A Mask belongs to one
// goroutine. A nil Mask leaves everything as it is.
type Mask struct {
	mode    NameMode
	salt    string
	titles  map[string]string // user names -> what the configuration calls them
	people  map[string]known  // by user name
	numbers int               // that were given
	always  map[string]bool   // texts that stay hidden, whoever comes and goes
	secrets words             // that no text may hold
	bound   int               // people, or words of theirs, before those who are gone are forgotten

	users     masked[string, User, *User]
	stats     masked[UserStatKey, UserStat, *UserStat]
	operators masked[UserStatKey, Operator, *Operator]
	last      *Snapshot
	result    *Snapshot
}

// NewMask returns a mask, nil for NamesFull. The numbers are given in an order
// that depends on salt: one that nobody knows keeps them from following from an
// alphabetical list of the staff. Others are words beside the users' names that
// no text of the feed may hold, such as the user name of the login.
func NewMask(mode NameMode, salt string, names Names, others ...string) *Mask {
	if mode == NamesFull || mode == "" {
		return nil
	}
	m := &Mask{
		salt: salt, people: make(map[string]known), always: make(map[string]bool), secrets: newWords(), bound: leastKnown,
	}
	m.Follow(mode, names, others...)
	return m
}

// Follow has the mask go by another mode but NamesFull, other names and more words
// from now on. Everybody keeps their number, and what was hidden stays so.
func (m *Mask) Follow(mode NameMode, names Names, others ...string) {
	m.mode, m.titles = mode, names[NameUser]
	for user, title := range m.titles {
		m.always[user], m.always[title] = true, true
	}
	for _, text := range others {
		m.always[text] = true
	}
	m.hide(slices.Collect(maps.Keys(m.always))...)
	m.users, m.stats, m.operators = masked[string, User, *User]{}, masked[UserStatKey, UserStat, *UserStat]{}, masked[UserStatKey, Operator, *Operator]{}
	m.last, m.result = nil, nil
}

// strangers are so many numbers on: those of people whom a twin comes across before the
// mask that it was made of.
const strangers = 5000

// Twin returns a mask by which everybody whom this one knows is called the same, for
// somebody else's goroutine. From then on each goes its own way.
func (m *Mask) Twin() *Mask {
	if m == nil {
		return nil
	}
	out := &Mask{
		mode: m.mode, salt: m.salt, titles: m.titles, people: maps.Clone(m.people), numbers: m.numbers + strangers,
		always: maps.Clone(m.always), secrets: newWords(), bound: m.bound,
	}
	out.hide(slices.Collect(maps.Keys(out.always))...)
	for username, k := range out.people {
		out.hide(username, k.name, k.surname)
	}
	return out
}

// Apply returns a snapshot without the names. What has not changed since the
// last one is the same again, record by record.
func (m *Mask) Apply(s *Snapshot) *Snapshot {
	if m == nil || s == nil {
		return s
	}
	if s == m.last {
		return m.result
	}
	m.number(s)
	out := *s
	out.Users = m.users.apply(s.Users, m.user)
	out.UserStats = m.stats.apply(s.UserStats, m.stat)
	out.Operators = m.operators.apply(s.Operators, m.operator)
	m.secrets.health(&out.Health)
	m.last, m.result = s, &out
	return m.result
}

// known is what a mask knows of somebody.
type known struct {
	number        int
	name, surname string
}

// number gives a number to everybody who has none.
func (m *Mask) number(s *Snapshot) {
	var fresh []string
	note := func(username, name, surname Text) {
		k, ok := m.people[username.text()]
		if ok && k.name == name.text() && k.surname == surname.text() {
			return
		}
		if !ok {
			fresh = append(fresh, username.text())
		}
		k.name, k.surname = name.text(), surname.text()
		m.people[username.text()] = k
		m.hide(username.text(), name.text(), surname.text())
	}
	for u := range m.users.changed(s.Users) {
		note(u.Username, u.Name, u.Surname)
	}
	for u := range m.stats.changed(s.UserStats) {
		note(u.Username, u.Name, u.Surname)
	}
	for u := range m.operators.changed(s.Operators) {
		note(u.Username, u.Name, u.Surname)
	}
	slices.SortFunc(fresh, func(a, b string) int { return cmp.Or(cmp.Compare(m.place(a), m.place(b)), cmp.Compare(a, b)) })
	for _, u := range fresh {
		k := m.people[u]
		m.numbers++
		k.number = m.numbers
		m.people[u] = k
	}
	if len(m.people) > m.bound || len(m.secrets.known) > wordsEach*m.bound {
		m.forget(s)
	}
}

// People who are gone are forgotten when there are as many as these, or twice as
// many as there were after the last time. Each has some words that are hidden.
const (
	leastKnown = 10_000
	wordsEach  = 8
)

// forget forgets people who are not in a snapshot, and what they were called. Who
// comes back has another number then.
func (m *Mask) forget(s *Snapshot) {
	here := make(map[string]known, s.Users.Len())
	keep := func(username Text) { here[username.text()] = m.people[username.text()] }
	for u := range s.Users.All() {
		keep(u.Username)
	}
	for u := range s.UserStats.All() {
		keep(u.Username)
	}
	for u := range s.Operators.All() {
		keep(u.Username)
	}
	m.people, m.secrets = here, newWords()
	m.hide(slices.Collect(maps.Keys(m.always))...)
	for username, k := range here {
		m.hide(username, k.name, k.surname)
	}
	m.bound = max(leastKnown, 2*len(here), 2*len(m.secrets.known)/wordsEach)
}

func (m *Mask) place(username string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(m.salt + "\x00" + username)) // it never fails
	return h.Sum64()
}

func (m *Mask) code(username Text) Text {
	if !username.Known() {
		return username
	}
	return TextOf("Agent " + strconv.Itoa(m.people[username.text()].number))
}

// person returns what stands for a user name, a name and a surname.
func (m *Mask) person(username, name, surname Text) (code, first, last Text) {
	if m.mode != NamesInitials {
		return m.code(username), Text{}, Text{}
	}
	text := name.text() + " " + surname.text()
	if title := strings.TrimSpace(m.titles[username.text()]); title != "" {
		text = title
	}
	if short := initials(text); short != "" {
		last = TextOf(short)
	}
	return m.code(username), Text{}, last
}

// initials returns the first letters of the first three words: "M. R.".
//
// A letter that is a word or a syllable by itself, and a word of one letter, would tell the
// name, so that a mark stands for it.
func initials(name string) string {
	var out []string
	for _, w := range strings.Fields(name) {
		for _, c := range w {
			if telling := unicode.In(c, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul) || utf8.RuneCountInString(w) == 1; telling && unicode.IsLetter(c) {
				out = append(out, "•")
				break
			}
			if unicode.IsLetter(c) {
				out = append(out, string(unicode.ToUpper(c))+".")
				break
			}
		}
		if len(out) == 3 {
			break
		}
	}
	return strings.Join(out, " ")
}

func (m *Mask) user(r *User) *User {
	out := *r
	out.Username, out.Name, out.Surname = m.person(r.Username, r.Name, r.Surname)
	return &out
}

func (m *Mask) stat(r *UserStat) *UserStat {
	out := *r
	out.Username, out.Name, out.Surname = m.person(r.Username, r.Name, r.Surname)
	return &out
}

func (m *Mask) operator(r *Operator) *Operator {
	out := *r
	out.Username, out.Name, out.Surname = m.person(r.Username, r.Name, r.Surname)
	return &out
}

// Code is what stands for a user name, "" for one that the mask has not come across.
func (m *Mask) Code(username string) string {
	if m == nil {
		return username
	}
	if _, known := m.people[username]; !known {
		return ""
	}
	return m.code(TextOf(username)).text()
}

// Username is whom a code stands for, "" for nobody.
func (m *Mask) Username(code string) string {
	if m == nil {
		return code
	}
	for username := range m.people {
		if m.code(TextOf(username)).text() == code {
			return username
		}
	}
	return ""
}

// hide notes words that no text may hold: texts and each of their words.
func (m *Mask) hide(texts ...string) { m.secrets.add(texts...) }

// Text returns a text in which an ellipsis stands for every name that the mask
// has come across.
func (m *Mask) Text(s string) string {
	if m == nil {
		return s
	}
	return m.secrets.text(s)
}

// masked is a table and what was made of it.
type masked[K comparable, T any, R Record[K, T]] struct {
	from, to *Table[K, T]
}

// changed iterates over the records that are not in the same place of the last
// table.
func (m *masked[K, T, R]) changed(t *Table[K, T]) iter.Seq[*T] {
	return func(yield func(*T) bool) {
		if t == m.from {
			return
		}
		before := m.from.Rows()
		for i, r := range t.Rows() {
			if (i >= len(before) || before[i] != r) && !yield(r) {
				return
			}
		}
	}
}

// apply masks the records that are not those of the last table.
func (m *masked[K, T, R]) apply(t *Table[K, T], mask func(*T) *T) *Table[K, T] {
	if t == m.from {
		return m.to
	}
	var out *Table[K, T]
	if t != nil {
		out = &Table[K, T]{rows: make([]*T, len(t.rows)), generation: t.generation}
		before := m.from.Rows()
		for i, r := range t.rows {
			if i < len(before) && before[i] == r {
				out.rows[i] = m.to.rows[i]
			} else {
				out.rows[i] = mask(r)
			}
		}
		if m.from != nil && m.from.generation == t.generation {
			out.index = m.to.index
		} else {
			out.index = make(map[K]int, len(out.rows))
			for i, r := range out.rows {
				out.index[R(r).Key()] = i
			}
		}
	}
	m.from, m.to = t, out
	return out
}
