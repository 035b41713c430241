package record

import (
	"crypto/rand"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unsafe"

	"wallboard/model"
)

// ErrNameRemains means that an anonymized file still contains an original string that may
// identify a person.
var ErrNameRemains = errors.New("an original text remains")

// errTooManyNames means that a recording has more than maxReplacements different names and numbers.
var errTooManyNames = fmt.Errorf("the recording has more than %d different names and numbers to replace", maxReplacements)

// maxReplacements limits the memory of a Scrubber. A name or number takes up to 300 bytes, and even
// a small recording can contain many of them. A recording of 20,000 agents has about 120,000.
const maxReplacements = 300_000

// removedText replaces free text.
const removedText = "(taken out)"

// Scrubber anonymizes snapshots for sharing. It keeps only strings that are known not to
// identify a person. With the name mode hidden, these are the values listed in document 2. With
// initials, they are also the codes of services, groups and activities, and the names of figures and
// codes. It removes or replaces all other strings, equal ones in the same way.
//
// A Scrubber is not safe for concurrent use. A nil Scrubber changes nothing.
type Scrubber struct {
	mode             model.NameMode
	mask             *model.Mask
	filter           *model.PartFilter                // removes small groups; nil: none
	textReplacements map[fieldClass]map[string]string // replacement of each text, by class
	idReplacements   map[string]map[int64]int64       // replacement of each identifying number, by kind of number
	allowedTexts     map[string]bool                  // texts that the result may contain; true if the original also contains the text
	agentNames       map[string]bool                  // names of agents in lower case
	usernames        map[string]bool

	entryCount int   // number of entries in the maps, at most maxReplacements
	err        error // errTooManyNames, or nil

	health     *scrubPlan
	tables     []scrubTable
	store      *model.Store
	lastInput  *model.Snapshot
	lastResult *model.Snapshot
}

// RemovedCount is the number of different strings or numbers of a kind that were replaced or
// removed.
type RemovedCount struct {
	What  string `json:"what"`
	Count int    `json:"count"`
}

// NewScrubber returns a Scrubber for a recording that about describes. It returns nil for
// [model.NamesFull], because nothing has to be anonymized.
func NewScrubber(mode model.NameMode, about Metadata) *Scrubber {
	names := make(model.Names)
	for _, c := range about.Codes {
		names.Add(model.NameKind(c.Kind), c.Code, c.Name)
	}
	mask := model.NewMask(mode, rand.Text(), names)
	if mask == nil {
		return nil
	}
	s := &Scrubber{
		mode: mode, mask: mask, store: model.NewStore(), textReplacements: make(map[fieldClass]map[string]string),
		idReplacements: make(map[string]map[int64]int64), allowedTexts: make(map[string]bool), agentNames: make(map[string]bool), usernames: make(map[string]bool),
	}
	for _, known := range slices.Concat([]string{"", removedText}, listedValues(), operationNames()) {
		s.allowedTexts[known] = false
	}
	s.health = s.scrubPlanOf("", healthPlan)
	for _, t := range tables() {
		s.tables = append(s.tables, t.newScrubTable(s))
	}
	return s
}

// HideSmallGroups makes the Scrubber remove groups with fewer than n members; see
// [model.FloorPart.MinGroup]. It does nothing for a nil Scrubber.
func (s *Scrubber) HideSmallGroups(n int) {
	if s != nil {
		s.filter = model.NewPartFilter(model.FloorPart{MinGroup: n})
	}
}

// Apply returns the anonymized form of a snapshot. It returns an error if the recording has too
// many different names and numbers.
func (s *Scrubber) Apply(p *model.Snapshot) (*model.Snapshot, error) {
	if s == nil || p == nil {
		return p, nil
	}
	if p = s.filter.Apply(p); p == s.lastInput {
		return s.lastResult, s.err
	}
	s.learnNames(p)
	masked := s.mask.Apply(p)
	for _, t := range s.tables {
		t.scrub(masked, s.store)
	}
	h := p.Health
	h.Subscriptions = slices.Clone(h.Subscriptions)
	s.health.change(unsafe.Pointer(&h))
	s.lastInput, s.lastResult = p, s.store.Publish(p.At, h)
	return s.lastResult, s.err
}

// reserveEntry counts a new entry of the maps. It returns false if there would be too many.
func (s *Scrubber) reserveEntry() bool {
	if s.entryCount >= maxReplacements {
		s.err = errTooManyNames
		return false
	}
	s.entryCount++
	return true
}

// setText sets the value of a string in texts, unless the maps have too many entries.
func (s *Scrubber) setText(texts map[string]bool, text string, value bool) {
	if _, known := texts[text]; known || s.reserveEntry() {
		texts[text] = value
	}
}

// learnNames collects the usernames and names of the agents in a snapshot.
func (s *Scrubber) learnNames(p *model.Snapshot) {
	person := func(username, name, surname model.Text) {
		if user := username.String(); user != "" {
			s.setText(s.usernames, user, true)
		}
		first, last := name.String(), surname.String()
		for _, text := range []string{username.String(), last, first + " " + last, last + " " + first} {
			if text = strings.TrimSpace(text); text != "" {
				s.setText(s.agentNames, strings.ToLower(text), true)
			}
		}
	}
	if s.lastInput == nil || p.Users != s.lastInput.Users {
		for u := range p.Users.All() {
			person(u.Username, u.Name, u.Surname)
		}
	}
	if s.lastInput == nil || p.UserStats != s.lastInput.UserStats {
		for u := range p.UserStats.All() {
			person(u.Username, u.Name, u.Surname)
		}
	}
	if s.lastInput == nil || p.Operators != s.lastInput.Operators {
		for u := range p.Operators.All() {
			person(u.Username, u.Name, u.Surname)
		}
	}
}

// AnonymizedNameMode returns the name mode of the anonymized recording. recorded is the name mode of the
// original recording.
func (s *Scrubber) AnonymizedNameMode(recorded string) string {
	if s == nil || recorded == string(model.NamesHidden) { // hidden names cannot be restored
		return recorded
	}
	return string(s.mode)
}

// About returns the anonymized form of a description.
func (s *Scrubber) About(a Metadata) Metadata {
	if s == nil {
		return a
	}
	a.Names, a.Zone.Name = s.AnonymizedNameMode(a.Names), "" // the name of a time zone can identify a small area
	codes := a.Codes
	a.Codes = nil
	for _, c := range codes {
		switch {
		case c.Kind == string(model.NameUser):
			s.usernames[c.Code] = true
		case s.mode == model.NamesInitials:
			if what := idKinds[model.NameKind(c.Kind)]; what != 0 {
				n, err := strconv.ParseInt(c.Code, 10, 64)
				if err != nil {
					continue // not a valid code
				}
				c.Code = strconv.FormatInt(s.replaceID(idNames[what], n), 10)
			}
			a.Codes = append(a.Codes, c)
		default:
			s.replaceText(classCodeName, c.Name)
		}
	}
	if a.Platform != "" {
		a.Platform = s.replaceText(classFree, a.Platform)
	}
	return a
}

// AnonymizeMark returns m anonymized: its text is replaced, and it has no details of alerts, incidents
// and notes.
func (s *Scrubber) AnonymizeMark(m Mark) Mark {
	if s == nil {
		return m
	}
	m.Message, m.Taken, m.Incident, m.Note = nil, model.TakenAlert{}, nil, nil
	if m.Text != "" {
		m.Text = s.replaceText(classFree, m.Text)
	}
	return m
}

// RemovedCounts returns the numbers of strings and numbers that were replaced or removed so far, by kind.
func (s *Scrubber) RemovedCounts() []RemovedCount {
	if s == nil {
		return nil
	}
	ids := 0
	for _, of := range s.idReplacements {
		ids += len(of)
	}
	all := []RemovedCount{
		{"agents", len(s.usernames)},
		{"services", len(s.textReplacements[classService])},
		{"groups", len(s.textReplacements[classGroup])},
		{"activity codes", len(s.textReplacements[classActivity])},
		{"figures of the platform's own", len(s.textReplacements[classFigure])},
		{"names of codes", len(s.textReplacements[classCodeName])},
		{"numbers that name something", ids},
		{"texts", len(s.textReplacements[classFree])},
	}
	return slices.DeleteFunc(all, func(r RemovedCount) bool { return r.Count == 0 })
}

// check reads a file of snapshots that [Scrubber.Apply] has returned. It returns an error that
// wraps [ErrNameRemains] if the file contains a text that is not allowed. open opens the file if it is
// encrypted.
func (s *Scrubber) check(path string, open headerOpener) error {
	if s == nil {
		return nil
	}
	r, err := openRecording(path, nil, open)
	if err != nil {
		return err
	}
	defer r.Close() //nolint:errcheck // only read from
	for _, c := range r.Info().About.Codes {
		if s.agentNames[strings.ToLower(c.Name)] || s.agentNames[strings.ToLower(c.Code)] {
			return fmt.Errorf("%w: the %s %s is also the name of an agent", ErrNameRemains, c.Kind, c.Code)
		}
	}
	for _, c := range r.chunks {
		d, ok := newFrameDecoder(c.file.header.Schema, nil)
		if !ok {
			return ErrNewerVersion
		}
		frames, err := c.file.unpack(c.chunkEntry, &r.unpacker)
		if err != nil {
			return err
		}
		d.startChunk(c.First)
		for _, f := range frames {
			if err := d.readFrame(f); err != nil {
				return err
			}
		}
		for _, text := range d.texts {
			original, known := s.allowedTexts[text]
			if !known && !isPlainScalar(text) || original && s.agentNames[strings.ToLower(text)] {
				return fmt.Errorf("%w in the chunk of %s", ErrNameRemains, c.First.Local().Format("15:04"))
			}
		}
	}
	return nil
}

// fieldClass is the class of a field, which determines how the field is anonymized.
type fieldClass int

const (
	classFree     fieldClass = iota // any other text, which is removed
	classMasked                     // names of agents, which are already masked
	classListed                     // values of document 2 and of the board are kept; other texts are removed
	classService                    // codes of services
	classGroup                      // codes of groups
	classActivity                   // activity codes
	classFigure                     // names of custom figures
	classCodeName                   // display names of codes
	classProfile                    // numbers of profiles
	classSite                       // numbers of sites
	classCampaign                   // numbers of campaigns
	classScalar                     // values of unknown type
)

// idNames holds the words for the classes of identifying numbers.
var idNames = map[fieldClass]string{classProfile: "profile", classSite: "site", classCampaign: "campaign"}

// idKinds maps the kinds of codes that are identifying numbers to their classes.
var idKinds = map[model.NameKind]fieldClass{
	model.NameProfile: classProfile, model.NameSite: classSite, model.NameCampaign: classCampaign,
}

// replacementPrefixes maps classes to the word before the number in a replacement.
var replacementPrefixes = map[fieldClass]string{
	classService: "Service", classGroup: "Group", classActivity: "Activity", classFigure: "Figure", classCodeName: "Name",
}

// classOf returns the class of a field of an operation. op is "" for a field of the feed
// state. ok is false for a figure, which needs no anonymization.
func classOf(op model.Op, path string, k kind) (class fieldClass, ok bool) {
	path = strings.TrimSuffix(path, ".held")
	name := path[strings.LastIndexByte(path, '.')+1:]
	switch name {
	case "Username", "Name", "Surname":
		if op == model.OpCampaigns {
			return classCodeName, true
		}
		if op == "" {
			return classListed, true // the name of a subscription
		}
		return classMasked, true
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

// listedValues returns the values listed in document 2, the special values of the model, and
// the states of the feed.
func listedValues() []string {
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

func operationNames() []string {
	var out []string
	for _, o := range model.Operations() {
		out = append(out, string(o.Name))
	}
	return out
}

// replaceText returns the replacement of a string, possibly the string itself. The replacement
// of a string does not change.
func (s *Scrubber) replaceText(class fieldClass, text string) string {
	if isKept := text == "" || text == "\x00" || text == "__EMPTY__"; isKept {
		return text
	}
	if t, ok := s.textReplacements[class][text]; ok {
		return t
	}
	is, name := removedText, replacementPrefixes[class]
	original, known := s.allowedTexts[text]
	switch {
	case class == classListed && known && !original:
		return text
	case class == classMasked:
		s.setText(s.allowedTexts, text, false)
		return text
	case name != "" && s.mode == model.NamesInitials:
		s.setText(s.allowedTexts, text, true)
		return text
	case class == classListed:
		is, class = "", classFree // count the text as a free text
	case name != "":
		is = name + " " + strconv.Itoa(len(s.textReplacements[class])+1)
		s.setText(s.allowedTexts, is, false)
	}
	if s.textReplacements[class] == nil {
		s.textReplacements[class] = make(map[string]string)
	}
	if class == classFree && len(s.textReplacements[class]) >= maxCountedTexts { // store free texts only to count them
		return is
	}
	if s.reserveEntry() {
		s.textReplacements[class][text] = is
	}
	return is
}

// maxCountedTexts limits the number of removed strings that are counted, because a string of
// the platform can change every second.
const maxCountedTexts = 100_000

// replaceID returns the replacement of n, an identifying number. what is its kind.
func (s *Scrubber) replaceID(what string, n int64) int64 {
	of := s.idReplacements[what]
	if of == nil {
		of = make(map[int64]int64)
		s.idReplacements[what] = of
	}
	is, ok := of[n]
	if !ok && s.reserveEntry() {
		is = int64(len(of)) + 1
		of[n] = is
	}
	return is
}

// maxPlainNumber is the largest value of unknown type that is kept. A larger number may
// identify a person.
const maxPlainNumber = 1e6

// replaceScalar returns the replacement of a value of unknown type. Booleans stay the same,
// and small numbers are truncated to two decimals. Other values become unknown.
func (s *Scrubber) replaceScalar(v model.Scalar) model.Scalar {
	if !v.Known() {
		return model.Scalar{}
	}
	n, is := v.Number().Get()
	switch text := v.String(); {
	case text == "true" || text == "false":
		return model.ScalarBool(text == "true")
	case is && isPlainNumber(n):
		n = float64(int64(n*100)) / 100
		return model.ScalarNumber(strconv.FormatFloat(n, 'f', -1, 64), n)
	}
	s.replaceText(classFree, v.String())
	return model.Scalar{}
}

func isPlainNumber(n float64) bool { return n > -maxPlainNumber && n < maxPlainNumber }

// isPlainScalar reports whether text may be a result of replaceScalar.
func isPlainScalar(text string) bool {
	n, err := strconv.ParseFloat(text, 64)
	return text == "true" || text == "false" ||
		err == nil && isPlainNumber(n) && text == strconv.FormatFloat(float64(int64(math.Round(n*100)))/100, 'f', -1, 64)
}

// scrubPlan holds the functions that anonymize the fields of a type.
type scrubPlan struct {
	typ    reflect.Type
	leaves []scrubLeaf
}

type scrubLeaf struct {
	offset uintptr
	change func(at unsafe.Pointer)
}

func (p *scrubPlan) change(at unsafe.Pointer) {
	for _, l := range p.leaves {
		l.change(unsafe.Add(at, l.offset))
	}
}

var typeScalar = reflect.TypeFor[model.Scalar]()

// scrubPlanOf returns the plan for anonymizing the records of an operation.
func (s *Scrubber) scrubPlanOf(op model.Op, p *typePlan) *scrubPlan {
	return s.scrubPlanWithin(op, p, "")
}

func (s *Scrubber) scrubPlanWithin(op model.Op, p *typePlan, within string) *scrubPlan {
	out := &scrubPlan{typ: p.typ}
	scalars := scalarOffsets(p.typ, 0)
	for _, off := range scalars {
		out.leaves = append(out.leaves, scrubLeaf{off, func(at unsafe.Pointer) {
			v := (*model.Scalar)(at)
			*v = s.replaceScalar(*v)
		}})
	}
	for i := range p.leaves {
		l := &p.leaves[i]
		if slices.ContainsFunc(scalars, func(off uintptr) bool { return l.offset >= off && l.offset < off+typeScalar.Size() }) {
			continue
		}
		path := l.path
		if path == "" { // true if the type is an element of a list
			path = within
		}
		if change := s.leafChange(op, path, l); change != nil {
			out.leaves = append(out.leaves, scrubLeaf{l.offset, change})
		}
	}
	return out
}

// scalarOffsets returns the offsets of the values of type model.Scalar within a type.
func scalarOffsets(t reflect.Type, off uintptr) (at []uintptr) {
	switch {
	case t == typeScalar:
		return []uintptr{off}
	case t.Kind() != reflect.Struct || t == typeTime:
		return nil
	}
	for i := range t.NumField() {
		at = append(at, scalarOffsets(t.Field(i).Type, off+t.Field(i).Offset)...)
	}
	return at
}

// leafChange returns a function that anonymizes a leaf, or nil to keep the leaf.
func (s *Scrubber) leafChange(op model.Op, path string, l *leaf) func(at unsafe.Pointer) {
	class, names := classOf(op, path, l.kind)
	switch l.kind {
	case kindList, kindIntList:
		of := s.scrubPlanWithin(op, l.elements, path)
		if len(of.leaves) == 0 {
			return nil
		}
		list := reflect.SliceOf(of.typ)
		return func(at unsafe.Pointer) { of.changeList(list, at) }
	case kindText:
		return func(at unsafe.Pointer) {
			t := (*string)(at)
			*t = s.replaceText(class, *t)
		}
	case kindNumber:
		if names && idNames[class] != "" {
			return func(at unsafe.Pointer) {
				n := (*model.Int)(at)
				if is, ok := n.Get(); ok {
					*n = model.IntOf(s.replaceID(idNames[class], is))
				}
			}
		}
	case kindInt:
		if names && idNames[class] != "" {
			return func(at unsafe.Pointer) { storeInt(at, l.size, s.replaceID(idNames[class], loadInt(at, l.size))) }
		}
	case kindUint, kindBits, kindBool, kindTime:
	}
	return nil
}

// changeList replaces a list with an anonymized copy, because the old list belongs to a
// published record.
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

// scrubTable anonymizes a table of a snapshot and copies the result to a store.
type scrubTable interface {
	scrub(s *model.Snapshot, to *model.Store)
}

type scrubbedTable[K comparable, T any, R model.Record[K, T]] struct {
	*table[K, T, R]
	changes *scrubPlan
	last    *model.Table[K, T]
	results map[*T]*T // anonymized records by their original records in last
}

func (t *table[K, T, R]) newScrubTable(s *Scrubber) scrubTable {
	return &scrubbedTable[K, T, R]{table: t, changes: s.scrubPlanOf(t.op, t.plan)}
}

func (t *scrubbedTable[K, T, R]) scrub(s *model.Snapshot, to *model.Store) {
	now := t.fromSnapshot(s)
	if now == t.last {
		return
	}
	t.last = now
	made, rows := make(map[*T]*T, now.Len()), make([]*T, 0, now.Len())
	for _, r := range now.Rows() {
		own := t.results[r]
		if own == nil {
			own = new(T)
			*own = *r
			t.changes.change(unsafe.Pointer(own))
		}
		made[r] = own
		rows = append(rows, own)
	}
	t.results = made
	t.fromStore(to).Replace(rows)
}
