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

// NameMode determines how much of personal names a snapshot shows.
type NameMode string

// The modes. The zero value is NamesFull.
const (
	NamesFull     NameMode = "full"
	NamesInitials NameMode = "initials" // "M. R."
	NamesHidden   NameMode = "hidden"   // "Agent 7"
)

// Mask replaces the names of people in snapshots, so that a viewer of the result cannot see the
// names, even by mistake. It replaces each user name with a number, which stays the same until the
// mask forgets a user who has logged out. A Mask is not safe for concurrent use. A nil Mask changes
// nothing.
type Mask struct {
	mode            NameMode
	salt            string
	configuredNames map[string]string       // configured names by user name
	people          map[string]maskedPerson // by user name
	lastNumber      int                     // highest number assigned to a user
	alwaysHidden    map[string]bool         // strings to hide even if no user has this name
	hiddenWords     hiddenWords             // words to hide in all strings
	maxPeople       int                     // number of people, or of their words, above which users who have logged out are dropped

	users      maskedTable[string, User, *User]
	stats      maskedTable[UserStatKey, UserStat, *UserStat]
	operators  maskedTable[UserStatKey, Operator, *Operator]
	lastInput  *Snapshot
	lastResult *Snapshot
}

// NewMask returns a mask. For NamesFull it returns nil, which changes nothing. salt determines the
// order of the numbers: if it is secret, a sorted list of the staff does not reveal which number
// belongs to whom. others are further words to hide in messages of the feed, such as the login
// name.
func NewMask(mode NameMode, salt string, names Names, others ...string) *Mask {
	if mode == NamesFull || mode == "" {
		return nil
	}
	m := &Mask{
		salt: salt, people: make(map[string]maskedPerson), alwaysHidden: make(map[string]bool), hiddenWords: newHiddenWords(), maxPeople: minPeople,
	}
	m.Reconfigure(mode, names, others...)
	return m
}

// Reconfigure changes the mode, the names and the hidden words. mode must not be NamesFull. Users
// keep their numbers, and hidden words stay hidden.
func (m *Mask) Reconfigure(mode NameMode, names Names, others ...string) {
	m.mode, m.configuredNames = mode, names[NameUser]
	for user, title := range m.configuredNames {
		m.alwaysHidden[user], m.alwaysHidden[title] = true, true
	}
	for _, text := range others {
		m.alwaysHidden[text] = true
	}
	m.hideTexts(slices.Collect(maps.Keys(m.alwaysHidden))...)
	m.users, m.stats, m.operators = maskedTable[string, User, *User]{}, maskedTable[UserStatKey, UserStat, *UserStat]{}, maskedTable[UserStatKey, Operator, *Operator]{}
	m.lastInput, m.lastResult = nil, nil
}

// cloneGap is the number of unused numbers between those of a mask and those that its clone
// assigns. The original mask can use the numbers in between for other users.
const cloneGap = 5000

// Clone returns a copy for use in another goroutine. Both masks use the same numbers for the users
// known so far. They are independent afterwards. The clone of a nil Mask is nil.
func (m *Mask) Clone() *Mask {
	if m == nil {
		return nil
	}
	out := &Mask{
		mode: m.mode, salt: m.salt, configuredNames: m.configuredNames, people: maps.Clone(m.people), lastNumber: m.lastNumber + cloneGap,
		alwaysHidden: maps.Clone(m.alwaysHidden), hiddenWords: newHiddenWords(), maxPeople: m.maxPeople,
	}
	out.hideTexts(slices.Collect(maps.Keys(out.alwaysHidden))...)
	for username, k := range out.people {
		out.hideTexts(username, k.name, k.surname)
	}
	return out
}

// Apply returns a copy of the snapshot without the names. A record that has neither changed nor
// moved since the last call keeps its pointer from the last result.
func (m *Mask) Apply(s *Snapshot) *Snapshot {
	if m == nil || s == nil {
		return s
	}
	if s == m.lastInput {
		return m.lastResult
	}
	m.numberPeople(s)
	out := *s
	out.Users = m.users.apply(s.Users, m.maskUser)
	out.UserStats = m.stats.apply(s.UserStats, m.maskUserStat)
	out.Operators = m.operators.apply(s.Operators, m.maskOperator)
	m.hiddenWords.hideInHealth(&out.Health)
	m.lastInput, m.lastResult = s, &out
	return m.lastResult
}

// maskedPerson holds a user's number and names.
type maskedPerson struct {
	number        int
	name, surname string
}

// numberPeople records the names of the users in the snapshot and assigns a number to each user who
// has none.
func (m *Mask) numberPeople(s *Snapshot) {
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
		m.hideTexts(username.text(), name.text(), surname.text())
	}
	for u := range m.users.changedRecords(s.Users) {
		note(u.Username, u.Name, u.Surname)
	}
	for u := range m.stats.changedRecords(s.UserStats) {
		note(u.Username, u.Name, u.Surname)
	}
	for u := range m.operators.changedRecords(s.Operators) {
		note(u.Username, u.Name, u.Surname)
	}
	slices.SortFunc(fresh, func(a, b string) int { return cmp.Or(cmp.Compare(m.hash(a), m.hash(b)), cmp.Compare(a, b)) })
	for _, u := range fresh {
		k := m.people[u]
		m.lastNumber++
		k.number = m.lastNumber
		m.people[u] = k
	}
	if len(m.people) > m.maxPeople || len(m.hiddenWords.words) > wordsPerPerson*m.maxPeople {
		m.forgetDeparted(s)
	}
}

// The mask drops users who have logged out when it knows more than minPeople users, and more than
// twice as many as were left after the last time. wordsPerPerson is the assumed number of hidden
// words per user.
const (
	minPeople      = 10_000
	wordsPerPerson = 8
)

// forgetDeparted drops the numbers and names of users who are not in the snapshot. A user who logs
// in again gets a new number.
func (m *Mask) forgetDeparted(s *Snapshot) {
	here := make(map[string]maskedPerson, s.Users.Len())
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
	m.people, m.hiddenWords = here, newHiddenWords()
	m.hideTexts(slices.Collect(maps.Keys(m.alwaysHidden))...)
	for username, k := range here {
		m.hideTexts(username, k.name, k.surname)
	}
	m.maxPeople = max(minPeople, 2*len(here), 2*len(m.hiddenWords.words)/wordsPerPerson)
}

func (m *Mask) hash(username string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(m.salt + "\x00" + username)) // Write never fails
	return h.Sum64()
}

func (m *Mask) replacement(username Text) Text {
	if !username.Known() {
		return username
	}
	return TextOf("Agent " + strconv.Itoa(m.people[username.text()].number))
}

// replacePerson returns the replacements for a user name, a name and a surname. With NamesInitials,
// last is the initials of both names or of the configured name.
func (m *Mask) replacePerson(username, name, surname Text) (code, first, last Text) {
	if m.mode != NamesInitials {
		return m.replacement(username), Text{}, Text{}
	}
	text := name.text() + " " + surname.text()
	if title := strings.TrimSpace(m.configuredNames[username.text()]); title != "" {
		text = title
	}
	if short := nameInitials(text); short != "" {
		last = TextOf(short)
	}
	return m.replacement(username), Text{}, last
}

// nameInitials returns the initials of the first three words of a name: "M. R.".
//
// A bullet replaces an initial that would reveal the whole word: a character of a script in
// which one character is a word or a syllable, or the letter of a one-letter word.
func nameInitials(name string) string {
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

func (m *Mask) maskUser(r *User) *User {
	out := *r
	out.Username, out.Name, out.Surname = m.replacePerson(r.Username, r.Name, r.Surname)
	return &out
}

func (m *Mask) maskUserStat(r *UserStat) *UserStat {
	out := *r
	out.Username, out.Name, out.Surname = m.replacePerson(r.Username, r.Name, r.Surname)
	return &out
}

func (m *Mask) maskOperator(r *Operator) *Operator {
	out := *r
	out.Username, out.Name, out.Surname = m.replacePerson(r.Username, r.Name, r.Surname)
	return &out
}

// Replacement returns the string that the mask shows instead of a user name, or "" if the mask does
// not know the user. A nil Mask returns the user name itself.
func (m *Mask) Replacement(username string) string {
	if m == nil {
		return username
	}
	if _, known := m.people[username]; !known {
		return ""
	}
	return m.replacement(TextOf(username)).text()
}

// Username returns the user name for which the mask shows code, or "" if there is none. A nil Mask
// returns code itself.
func (m *Mask) Username(code string) string {
	if m == nil {
		return code
	}
	for username := range m.people {
		if m.replacement(TextOf(username)).text() == code {
			return username
		}
	}
	return ""
}

// hideTexts adds the strings, and each of their words, to the hidden words.
func (m *Mask) hideTexts(texts ...string) { m.hiddenWords.add(texts...) }

// Text returns s with an ellipsis instead of every name that the mask knows.
func (m *Mask) Text(s string) string {
	if m == nil {
		return s
	}
	return m.hiddenWords.maskText(s)
}

// maskedTable caches the masked copy of a table.
type maskedTable[K comparable, T any, R Record[K, T]] struct {
	source, masked *Table[K, T]
}

// changedRecords iterates over the records of t that differ from the record at the same index
// of the table masked last.
func (m *maskedTable[K, T, R]) changedRecords(t *Table[K, T]) iter.Seq[*T] {
	return func(yield func(*T) bool) {
		if t == m.source {
			return
		}
		before := m.source.Rows()
		for i, r := range t.Rows() {
			if (i >= len(before) || before[i] != r) && !yield(r) {
				return
			}
		}
	}
}

// apply returns the masked copy of t. It calls mask only for records that have changed or moved
// since the last call.
func (m *maskedTable[K, T, R]) apply(t *Table[K, T], mask func(*T) *T) *Table[K, T] {
	if t == m.source {
		return m.masked
	}
	var out *Table[K, T]
	if t != nil {
		out = &Table[K, T]{rows: make([]*T, len(t.rows)), generation: t.generation}
		before := m.source.Rows()
		for i, r := range t.rows {
			if i < len(before) && before[i] == r {
				out.rows[i] = m.masked.rows[i]
			} else {
				out.rows[i] = mask(r)
			}
		}
		if m.source != nil && m.source.generation == t.generation {
			out.index = m.masked.index
		} else {
			out.index = make(map[K]int, len(out.rows))
			for i, r := range out.rows {
				out.index[R(r).Key()] = i
			}
		}
	}
	m.source, m.masked = t, out
	return out
}
