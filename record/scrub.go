package record

import (
	"crypto/rand"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unsafe"

	"wallboard/model"
)

// ErrNamed says that a text of the original is left in a file that was to have none.
var ErrNamed = errors.New("a text of the original is left")

// takenOut stands for a free text.
const takenOut = "(taken out)"

// Scrub changes pictures so that they can be given away: of what a platform's people
// have written nothing is left but what this package knows to name nobody. With hidden
// names these are the values that document 2 lists; with initials also the codes of
// services, groups and activities. Everything else is replaced, the same by the same
// for as long as the Scrub lasts, or taken out. It is for one goroutine. A nil Scrub
// leaves everything as it is.
type Scrub struct {
	mode   model.NameMode
	mask   *model.Mask
	words  map[fieldClass]map[string]string // what stands for a text
	ids    map[string]map[int64]int64       // what stands for a number that names something
	kept   map[string]bool                  // the texts that may be in a file, and whether they are the original's
	people map[string]bool                  // what people are called, in lower case
	users  map[string]bool

	health *scrubPlan
	tables []scrubbed
	store  *model.Store
	from   *model.Snapshot
	to     *model.Snapshot
}

// Removed is how many different texts or numbers of a kind were replaced or taken out.
type Removed struct {
	What  string `json:"what"`
	Count int    `json:"count"`
}

// NewScrub returns what takes names out of a recording, nil for [model.NamesFull].
func NewScrub(mode model.NameMode, about About) *Scrub {
	names := make(model.Names)
	for _, c := range about.Codes {
		names.Add(model.NameKind(c.Kind), c.Code, c.Name)
	}
	mask := model.NewMask(mode, rand.Text(), names)
	if mask == nil {
		return nil
	}
	s := &Scrub{
		mode: mode, mask: mask, store: model.NewStore(), words: make(map[fieldClass]map[string]string),
		ids: make(map[string]map[int64]int64), kept: make(map[string]bool), people: make(map[string]bool), users: make(map[string]bool),
	}
	for _, known := range slices.Concat([]string{"", takenOut}, listed(), operations()) {
		s.kept[known] = false
	}
	s.health = s.planOf("", healthPlan)
	for _, t := range tables() {
		s.tables = append(s.tables, t.scrubbed(s))
	}
	return s
}

// Apply returns a picture without names.
func (s *Scrub) Apply(p *model.Snapshot) *model.Snapshot {
	switch {
	case s == nil || p == nil:
		return p
	case p == s.from:
		return s.to
	}
	s.learn(p)
	masked := s.mask.Apply(p)
	for _, t := range s.tables {
		t.take(masked, s.store)
	}
	h := p.Health
	h.Subscriptions = slices.Clone(h.Subscriptions)
	s.health.change(unsafe.Pointer(&h))
	s.from, s.to = p, s.store.Publish(p.At, h)
	return s.to
}

// learn notes what people are called.
func (s *Scrub) learn(p *model.Snapshot) {
	person := func(username, name, surname model.Text) {
		if user := username.String(); user != "" {
			s.users[user] = true
		}
		first, last := name.String(), surname.String()
		for _, text := range []string{username.String(), last, first + " " + last, last + " " + first} {
			if text = strings.TrimSpace(text); text != "" {
				s.people[strings.ToLower(text)] = true
			}
		}
	}
	if s.from == nil || p.Users != s.from.Users {
		for u := range p.Users.All() {
			person(u.Username, u.Name, u.Surname)
		}
	}
	if s.from == nil || p.UserStats != s.from.UserStats {
		for u := range p.UserStats.All() {
			person(u.Username, u.Name, u.Surname)
		}
	}
	if s.from == nil || p.Operators != s.from.Operators {
		for u := range p.Operators.All() {
			person(u.Username, u.Name, u.Surname)
		}
	}
}

// Names returns how agents are named in what was recorded with names of a mode.
func (s *Scrub) Names(recorded string) string {
	if s == nil || recorded == string(model.NamesHidden) { // what was never recorded does not come back
		return recorded
	}
	return string(s.mode)
}

// About returns what a recording without names says of itself.
func (s *Scrub) About(a About) About {
	if s == nil {
		return a
	}
	a.Names, a.Zone.Name = s.Names(a.Names), "" // a zone may be as small as a town
	codes := a.Codes
	a.Codes = nil
	for _, c := range codes {
		switch {
		case c.Kind == string(model.NameUser):
			s.users[c.Code] = true
		case s.mode == model.NamesInitials:
			if what := numbered[model.NameKind(c.Kind)]; what != 0 {
				n, err := strconv.ParseInt(c.Code, 10, 64)
				if err != nil {
					continue // nothing has it
				}
				c.Code = strconv.FormatInt(s.id(named[what], n), 10)
			}
			a.Codes = append(a.Codes, c)
		default:
			s.word(classCodeName, c.Name)
		}
	}
	if a.Platform != "" {
		a.Platform = s.word(classFree, a.Platform)
	}
	return a
}

// Mark returns a mark without its words, and without what it says of an alert.
func (s *Scrub) Mark(m Mark) Mark {
	if s == nil {
		return m
	}
	if m.Taken = (model.Taken{}); m.Text != "" {
		m.Text = s.word(classFree, m.Text)
	}
	return m
}

// Removed says what was replaced or taken out so far.
func (s *Scrub) Removed() []Removed {
	if s == nil {
		return nil
	}
	ids := 0
	for _, of := range s.ids {
		ids += len(of)
	}
	all := []Removed{
		{"agents", len(s.users)},
		{"services", len(s.words[classService])},
		{"groups", len(s.words[classGroup])},
		{"activity codes", len(s.words[classActivity])},
		{"figures of the platform's own", len(s.words[classFigure])},
		{"names of codes", len(s.words[classCodeName])},
		{"numbers that name something", ids},
		{"texts", len(s.words[classFree])},
	}
	return slices.DeleteFunc(all, func(r Removed) bool { return r.Count == 0 })
}

// Check reads a file that was written of pictures without names, and returns
// [ErrNamed] if it holds a text that these could not hold.
func (s *Scrub) Check(path string) error {
	if s == nil {
		return nil
	}
	r, err := Open(path)
	if err != nil {
		return err
	}
	defer r.Close() //nolint:errcheck // only read from
	for _, c := range r.Info().About.Codes {
		if s.people[strings.ToLower(c.Name)] || s.people[strings.ToLower(c.Code)] {
			return fmt.Errorf("%w: somebody is called like the %s %s", ErrNamed, c.Kind, c.Code)
		}
	}
	for _, c := range r.chunks {
		d, ok := newDeframer(c.file.head.Schema, nil)
		if !ok {
			return ErrLater
		}
		frames, err := c.file.unpack(c.chunkAt, &r.unpacker)
		if err != nil {
			return err
		}
		d.restart(c.First)
		for _, f := range frames {
			if err := d.read(f); err != nil {
				return err
			}
		}
		for _, text := range d.words {
			if original, known := s.kept[text]; !known || original && s.people[strings.ToLower(text)] {
				return fmt.Errorf("%w in what is of %s", ErrNamed, c.First.Local().Format("15:04"))
			}
		}
	}
	return nil
}

// fieldClass is what a field of a record holds, and so what becomes of it.
type fieldClass int

const (
	classFree     fieldClass = iota // taken out; also what nobody has classed
	classMasked                     // what people are called: the mask has been there
	classListed                     // values of document 2 and of the board; others are taken out
	classService                    // codes
	classGroup                      // likewise
	classActivity                   // likewise
	classFigure                     // names of the platform's own figures
	classCodeName                   // what a configuration calls codes
	classProfile                    // numbers that name something
	classSite                       // likewise
	classCampaign                   // likewise
	classScalar                     // a value whose type document 2 does not show
)

// named are the numbers of the classes, for people.
var named = map[fieldClass]string{classProfile: "profile", classSite: "site", classCampaign: "campaign"}

// numbered are the codes that are such numbers.
var numbered = map[model.NameKind]fieldClass{
	model.NameProfile: classProfile, model.NameSite: classSite, model.NameCampaign: classCampaign,
}

// title is what codes of a class are replaced with, and a number.
var title = map[fieldClass]string{
	classService: "Service", classGroup: "Group", classActivity: "Activity", classFigure: "Figure", classCodeName: "Name",
}

// classOf returns what a leaf holds, by its name; ok is false for a figure, which stays.
// op is that of the record, "" for the feed's health.
func classOf(op model.Op, path string, k kind) (class fieldClass, ok bool) {
	path = strings.TrimSuffix(path, ".held")
	name := path[strings.LastIndexByte(path, '.')+1:]
	switch name {
	case "Username", "Name", "Surname":
		if op != "" {
			return classMasked, true
		}
		return classListed, true // of a subscription
	case "Channel", "Status", "Component", "Mutation", "State", "Typename":
		return classListed, k == kindText
	case "Code":
		if op == model.OpGroups {
			return classGroup, true
		}
		return classService, true
	case "CurrentService", "Services":
		return classService, true
	case "CurrentGroup", "Skillsets":
		return classGroup, true
	case "ActivityCode", "ActivityCode2":
		return classActivity, true
	case "Key":
		return classFigure, true
	case "LoggedProfileID", "ID", "ProfileIDs":
		return classProfile, true
	case "UserSite":
		return classSite, true
	case "CampaignID":
		return classCampaign, true
	}
	switch {
	case strings.HasPrefix(path, "ActivityCodes."):
		return classActivity, true
	case strings.HasPrefix(path, "Statuses."):
		return classListed, true
	}
	return classFree, k == kindText
}

// listed are the values that document 2 lists, its marks, and what the feed says.
func listed() []string {
	out := []string{
		"__EMPTY__", "\x00", "ServiceCcCallAtStat", "GroupCcCallStat", "ServiceAtStat",
		string(model.Created), string(model.Updated), string(model.Deleted),
		string(model.LinkConnecting), string(model.LinkUp), string(model.LinkBackoff), string(model.LinkRefused), string(model.LinkStopped),
		string(model.SubWaiting), string(model.SubConnecting), string(model.SubSyncing), string(model.SubLive), string(model.SubUnverified),
		string(model.SubStale), string(model.SubRefused), string(model.SubBackoff), string(model.SubPolling),
	}
	for _, c := range model.Channels() {
		out = append(out, string(c))
	}
	for _, s := range model.States() {
		out = append(out, string(s))
	}
	for _, c := range model.Components() {
		out = append(out, string(c))
	}
	return out
}

func operations() []string {
	var out []string
	for _, o := range model.Operations() {
		out = append(out, string(o.Name))
	}
	return out
}

// word returns what stands for a text of a class.
func (s *Scrub) word(class fieldClass, text string) string {
	if stays := text == "" || text == "\x00" || text == "__EMPTY__"; stays {
		return text
	}
	if t, ok := s.words[class][text]; ok {
		return t
	}
	is, name := takenOut, title[class]
	original, known := s.kept[text]
	switch {
	case class == classListed && known && !original:
		return text
	case class == classMasked:
		s.kept[text] = false
		return text
	case name != "" && s.mode == model.NamesInitials:
		s.kept[text] = true
		return text
	case class == classListed:
		is = ""
	case name != "":
		is = name + " " + strconv.Itoa(len(s.words[class])+1)
	}
	s.kept[is] = false
	if class == classListed {
		class = classFree // it is counted there
	}
	if s.words[class] == nil {
		s.words[class] = make(map[string]string)
	}
	s.words[class][text] = is
	return is
}

// id returns what stands for a number that names something.
func (s *Scrub) id(what string, n int64) int64 {
	of := s.ids[what]
	if of == nil {
		of = make(map[int64]int64)
		s.ids[what] = of
	}
	is, ok := of[n]
	if !ok {
		is = int64(len(of)) + 1
		of[n] = is
	}
	return is
}

// longest is the largest number of a figure whose type nobody knows: a longer one may
// be somebody's.
const longest = 1e6

// scalar returns what stands for a value whose type is not known: a number of a few
// digits, a truth value, or nothing.
func (s *Scrub) scalar(v model.Scalar) model.Scalar {
	if !v.Known() {
		return model.Scalar{}
	}
	n, is := v.Number().Get()
	switch text := v.String(); {
	case text == "true" || text == "false":
		v = model.ScalarBool(text == "true")
	case is && n > -longest && n < longest:
		n = float64(int64(n*100)) / 100
		v = model.ScalarNumber(strconv.FormatFloat(n, 'f', -1, 64), n)
	default:
		s.word(classFree, v.String())
		return model.Scalar{}
	}
	s.kept[v.String()] = false
	return v
}

// scrubPlan is what becomes of the fields of a type.
type scrubPlan struct {
	typ    reflect.Type
	leaves []scrubLeaf
}

type scrubLeaf struct {
	off    uintptr
	change func(at unsafe.Pointer)
}

func (p *scrubPlan) change(at unsafe.Pointer) {
	for _, l := range p.leaves {
		l.change(unsafe.Add(at, l.off))
	}
}

var typeScalar = reflect.TypeFor[model.Scalar]()

// planOf returns what becomes of the fields of a type of an operation's records.
func (s *Scrub) planOf(op model.Op, p *plan) *scrubPlan { return s.planFor(op, p, "") }

func (s *Scrub) planFor(op model.Op, p *plan, within string) *scrubPlan {
	out := &scrubPlan{typ: p.typ}
	scalars := scalarsOf(p.typ, 0)
	for _, off := range scalars {
		out.leaves = append(out.leaves, scrubLeaf{off, func(at unsafe.Pointer) {
			v := (*model.Scalar)(at)
			*v = s.scalar(*v)
		}})
	}
	for i := range p.leaves {
		l := &p.leaves[i]
		if slices.ContainsFunc(scalars, func(off uintptr) bool { return l.off >= off && l.off < off+typeScalar.Size() }) {
			continue
		}
		path := l.path
		if path == "" { // an element of a list of texts or numbers
			path = within
		}
		if change := s.leaf(op, path, l); change != nil {
			out.leaves = append(out.leaves, scrubLeaf{l.off, change})
		}
	}
	return out
}

// scalarsOf returns where the values of no known type are in a type.
func scalarsOf(t reflect.Type, off uintptr) (at []uintptr) {
	switch {
	case t == typeScalar:
		return []uintptr{off}
	case t.Kind() != reflect.Struct || t == typeTime:
		return nil
	}
	for i := range t.NumField() {
		at = append(at, scalarsOf(t.Field(i).Type, off+t.Field(i).Offset)...)
	}
	return at
}

// leaf returns what becomes of a leaf; nil: it stays.
func (s *Scrub) leaf(op model.Op, path string, l *leaf) func(at unsafe.Pointer) {
	class, names := classOf(op, path, l.kind)
	switch l.kind {
	case kindList, kindRow:
		of := s.planFor(op, l.of, path)
		if len(of.leaves) == 0 {
			return nil
		}
		list := reflect.SliceOf(of.typ)
		return func(at unsafe.Pointer) { of.changeList(list, at) }
	case kindText:
		return func(at unsafe.Pointer) {
			t := (*string)(at)
			*t = s.word(class, *t)
		}
	case kindNumber:
		if names && named[class] != "" {
			return func(at unsafe.Pointer) {
				n := (*model.Int)(at)
				if is, ok := n.Get(); ok {
					*n = model.IntOf(s.id(named[class], is))
				}
			}
		}
	case kindInt:
		if names && named[class] != "" {
			return func(at unsafe.Pointer) { setWord(at, l.size, s.id(named[class], word(at, l.size))) }
		}
	case kindUint, kindBits, kindBool, kindTime:
	}
	return nil
}

// changeList changes the elements of a list, which becomes one of its own: the old one
// belongs to a record that somebody reads.
func (p *scrubPlan) changeList(list reflect.Type, at unsafe.Pointer) {
	old := reflect.NewAt(list, at).Elem()
	if old.Len() == 0 {
		return
	}
	made := reflect.MakeSlice(list, old.Len(), old.Len())
	reflect.Copy(made, old)
	for i := range made.Len() {
		p.change(made.Index(i).Addr().UnsafePointer())
	}
	old.Set(made)
}

// scrubbed is a table without names.
type scrubbed interface {
	take(s *model.Snapshot, to *model.Store)
}

type scrubbedTable[K comparable, T any, R model.Record[K, T]] struct {
	*table[K, T, R]
	changes *scrubPlan
	last    *model.Table[K, T]
	made    map[*T]*T // of the records of last
}

func (t *table[K, T, R]) scrubbed(s *Scrub) scrubbed {
	return &scrubbedTable[K, T, R]{table: t, changes: s.planOf(t.name, t.plan)}
}

func (t *scrubbedTable[K, T, R]) take(s *model.Snapshot, to *model.Store) {
	now := t.shown(s)
	if now == t.last {
		return
	}
	t.last = now
	made, rows := make(map[*T]*T, now.Len()), make([]*T, 0, now.Len())
	for _, r := range now.Rows() {
		own := t.made[r]
		if own == nil {
			own = new(T)
			*own = *r
			t.changes.change(unsafe.Pointer(own))
		}
		made[r] = own
		rows = append(rows, own)
	}
	t.made = made
	t.live(to).Replace(rows)
}
