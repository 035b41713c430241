package record

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unsafe"

	"wallboard/internal/lib/testkit"
	"wallboard/model"
)

// secretsOf puts a unique text into every text of a record and its lists, and a unique
// number into every identifying number.
type secretsOf struct {
	texts []string
	n     int64
}

func (s *secretsOf) text() string {
	s.n++
	t := fmt.Sprintf("Geheim%06dRossi", s.n)
	s.texts = append(s.texts, t)
	return t
}

func (s *secretsOf) fill(v reflect.Value) {
	v = reflect.NewAt(v.Type(), v.Addr().UnsafePointer()).Elem()
	switch {
	case v.Type() == reflect.TypeFor[time.Time]() || v.Type() == reflect.TypeFor[model.Stamp]():
	case v.Type() == reflect.TypeFor[model.Scalar]():
		v.Set(reflect.ValueOf(model.ScalarText(s.text())))
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			s.fill(v.Field(i))
		}
	case v.Kind() == reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range 2 {
			s.fill(v.Index(i))
		}
	case v.Kind() == reflect.String:
		v.SetString(s.text())
	case v.Kind() == reflect.Int64:
		s.n++
		v.SetInt(7_000_000_000_000 + s.n)
	}
}

// numbers returns the identifying numbers of a record, according to its plan.
func numbers(op model.Op, p *typePlan, within string, at unsafe.Pointer) (found []int64) {
	for i := range p.leaves {
		l := &p.leaves[i]
		path := l.path
		if path == "" {
			path = within
		}
		here := unsafe.Add(at, l.offset)
		class, is := classOf(op, path, l.kind)
		switch {
		case l.elements != nil:
			list := (*sliceHeader)(here)
			for j := range list.len {
				found = append(found, numbers(op, l.elements, path, list.element(l.elements, j))...)
			}
		case is && idNames[class] != "" && l.kind == kindNumber:
			n, _ := (*model.Int)(here).Get()
			found = append(found, n)
		case is && idNames[class] != "" && l.kind == kindInt:
			found = append(found, loadInt(here, l.size))
		}
	}
	return found
}

func secretRecords[K comparable, T any, R model.Record[K, T]](s *secretsOf, l *model.MutableTable[K, T, R]) (all []*T) {
	for range 3 {
		r := new(T)
		s.fill(reflect.ValueOf(r).Elem())
		l.Put(r)
		all = append(all, r)
	}
	return all
}

func noted[T any](note func(model.Op, unsafe.Pointer), op model.Op, records []*T) {
	for _, r := range records {
		note(op, unsafe.Pointer(r))
	}
}

// TestNothingOfTheOriginalIsLeft fills every text of every recorded type and searches
// the anonymized file for them, compressed and decompressed.
func TestNothingOfTheOriginalIsLeft(t *testing.T) {
	t.Parallel()
	dir := testkit.PrivateDir(t)
	secret, store := &secretsOf{}, model.NewStore()
	ids := make(map[int64]bool)
	note := func(op model.Op, r unsafe.Pointer) {
		for _, tab := range tables() {
			if tab.operation() == op {
				for _, n := range numbers(op, tab.layout(), "", r) {
					ids[n] = true
				}
			}
		}
	}
	noted(note, model.OpUsers, secretRecords(secret, &store.Users))
	noted(note, model.OpServices, secretRecords(secret, &store.Services))
	noted(note, model.OpGroups, secretRecords(secret, &store.Groups))
	noted(note, model.OpUserStats, secretRecords(secret, &store.UserStats))
	noted(note, model.OpProfiles, secretRecords(secret, &store.Profiles))
	noted(note, model.OpCampaigns, secretRecords(secret, &store.Campaigns))
	noted(note, model.OpAttendants, secretRecords(secret, &store.Attendants))
	noted(note, model.OpOperators, secretRecords(secret, &store.Operators))
	noted(note, model.OpOperatorProfiles, secretRecords(secret, &store.OperatorProfiles))
	var h model.Health
	secret.fill(reflect.ValueOf(&h).Elem())
	secret.texts = slices.DeleteFunc(secret.texts, func(s string) bool { return s == h.Notice }) // the notice differs in each frame
	about := Metadata{Board: "test", Platform: secret.text(), Names: "full"}
	for _, kind := range []model.NameKind{model.NameUser, model.NameService, model.NameGroup} {
		about.Codes = append(about.Codes, Code{string(kind), secret.text(), secret.text()})
	}
	path := filepath.Join(dir, "a.wbr")
	out, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	seg, err := newSegment(out, about, morning, newFrameEncoder())
	if err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		at := morning.Add(time.Duration(i) * time.Second)
		h.Notice = secret.text()
		if err := seg.writeFrame(store.Publish(at, h), at, i%2 == 0); err != nil {
			t.Fatal(err)
		}
		if err := seg.writeMark(Mark{
			At: at, Kind: MarkNote, Text: secret.text(), Taken: model.TakenAlert{Rule: secret.text(), Code: secret.text(), By: secret.text()},
		}); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(seg.close(), out.Close()); err != nil {
		t.Fatal(err)
	}
	if len(secret.texts) < 200 || len(ids) < 50 {
		t.Fatalf("only %d texts and %d numbers are looked for", len(secret.texts), len(ids))
	}
	for _, mode := range []model.NameMode{model.NamesHidden, model.NamesInitials} {
		lookFor(t, path, mode, secret.texts, ids)
	}
	if left := leftIn(t, path, secret.texts); len(left) < len(secret.texts) {
		t.Errorf("the test finds %d of %d texts in the original", len(left), len(secret.texts))
	}
}

// lookFor exports a recording and searches the result for the given texts and numbers.
func lookFor(t *testing.T, path string, mode model.NameMode, texts []string, ids map[int64]bool) {
	t.Helper()
	r, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close() //nolint:errcheck // only read from
	scrub := NewScrubber(mode, r.Info().About)
	to := filepath.Join(testkit.PrivateDir(t), "b.wbr")
	if n, err := Export(t.Context(), r, morning, morning.Add(time.Minute), to, scrub); err != nil || n != 3 {
		t.Fatalf("%s: %d pictures, %v", mode, n, err)
	}
	nothingLeft(t, scrub, to, mode, texts)
	played, err := Open(to)
	if err != nil {
		t.Fatal(err)
	}
	defer played.Close() //nolint:errcheck // only read from
	if in := played.Info(); in.About.Names != string(mode) || len(in.Marks) != 3 {
		t.Errorf("%+v", in)
	}
	s, err := played.Player().Seek(morning.Add(time.Second))
	if err != nil || s == nil || s.Users.Len() != 3 || s.Services.Len() == 0 || s.Campaigns.Len() != 3 {
		t.Fatalf("%v, %v", s, err)
	}
	otherNumbers(t, s, ids)
	if removed := scrub.RemovedCounts(); len(removed) < 3 || removed[0].What != "agents" || removed[0].Count < 3 {
		t.Errorf("removed %v", removed)
	}
}

// nothingLeft searches a file for texts; with initials, codes are kept.
func nothingLeft(t *testing.T, scrub *Scrubber, to string, mode model.NameMode, texts []string) {
	t.Helper()
	left := leftIn(t, to, texts)
	if mode == model.NamesInitials { // codes are not replaced
		class := make(map[string]bool)
		for _, text := range texts {
			if original, known := scrub.allowedTexts[text]; known && original {
				class[text] = true
			}
		}
		left = slices.DeleteFunc(left, func(s string) bool { return class[s] })
		if len(class) == 0 || len(left) > 4 { // the codes of the header, and their names
			t.Errorf("%d codes are left, and %q", len(class), left)
		}
	} else if len(left) > 0 {
		t.Errorf("%s: %q are left", mode, left)
	}
}

// otherNumbers checks for identifying numbers.
func otherNumbers(t *testing.T, s *model.Snapshot, ids map[int64]bool) {
	t.Helper()
	for c := range s.Campaigns.All() {
		if ids[c.Key()] {
			t.Errorf("the campaign %d has its number", c.Key())
		}
	}
	for u := range s.UserStats.All() {
		if ids[u.LoggedProfileID.Or(0)] || !strings.HasPrefix(u.Username.String(), "Agent ") {
			t.Errorf("%v is %v", u.LoggedProfileID, u.Username)
		}
	}
	for sv := range s.Services.All() {
		for _, id := range sv.UserStats.LoggedUsers.ProfileIDs {
			if ids[id] {
				t.Errorf("the profile %d has its number", id)
			}
		}
	}
}

// leftIn returns the texts that a recording contains, in its bytes or decompressed.
func leftIn(t *testing.T, path string, texts []string) (left []string) {
	t.Helper()
	all, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close() //nolint:errcheck // only read from
	for _, c := range r.chunks {
		frames, err := c.file.unpack(c.chunkEntry, &r.unpacker)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, bytes.Join(frames, nil)...)
	}
	for _, text := range texts {
		if bytes.Contains(all, []byte(text)) {
			left = append(left, text)
		}
	}
	return left
}

// TestScrubOfAnything exports random snapshots and checks what the scrub lets through.
func TestScrubOfAnything(t *testing.T) {
	t.Parallel()
	dir := testkit.PrivateDir(t)
	film(t, filepath.Join(dir, "a.wbr"), 11, 40, 15, true)
	for _, mode := range []model.NameMode{model.NamesHidden, model.NamesInitials} {
		r, err := Open(filepath.Join(dir, "a.wbr"))
		if err != nil {
			t.Fatal(err)
		}
		to := filepath.Join(testkit.PrivateDir(t), "b.wbr")
		scrub := NewScrubber(mode, r.Info().About)
		n, err := Export(t.Context(), r, morning, morning.Add(time.Hour), to, scrub)
		refused := mode == model.NamesInitials && errors.Is(err, ErrNameRemains) // services have names of agents
		if (err != nil || n != 40) && !refused {
			t.Errorf("%s: %d pictures, %v", mode, n, err)
		}
		if _, err := os.Stat(to); refused != errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s, refused %v: %v", mode, refused, err)
		}
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestCheckFindsNames checks files that the scrub has not written.
func TestCheckFindsNames(t *testing.T) {
	t.Parallel()
	dir := testkit.PrivateDir(t)
	path := filepath.Join(dir, "a.wbr")
	film(t, path, 12, 10, 5, true)
	if err := NewScrubber(model.NamesHidden, Metadata{}).check(path, nil); !errors.Is(err, ErrNameRemains) {
		t.Errorf("of the original: %v", err)
	}
}

// TestEveryTextIsClassed checks the classes of all types, so that new fields are
// classified explicitly or removed.
func TestEveryTextIsClassed(t *testing.T) {
	t.Parallel()
	taken := make(map[string]bool)
	var walk func(op model.Op, p *typePlan, within string)
	walk = func(op model.Op, p *typePlan, within string) {
		for _, l := range p.leaves {
			path := strings.TrimPrefix(within+"."+l.path, ".")
			if l.elements != nil {
				walk(op, l.elements, path)
			}
			if class, _ := classOf(op, strings.TrimSuffix(path, "."), l.kind); class == classFree && l.kind == kindText {
				taken[path] = true
			}
		}
	}
	for _, tab := range tables() {
		walk(tab.operation(), tab.layout(), "")
	}
	var paths []string
	for p := range taken {
		paths = append(paths, p)
	}
	slices.Sort(paths)
	want := []string{"ActiveProfile.text", "CustomStats.Value.AggregatedValue.text", "CustomStats.Value.Value.text", "Site.text"}
	if !slices.Equal(paths, want) { // these fields have no known type
		t.Errorf("taken out of records are %q, want %q", paths, want)
	}
}

// TestNumbersStay checks that figures are kept, as are small numbers of unknown type.
func TestNumbersStay(t *testing.T) {
	t.Parallel()
	store := model.NewStore()
	r := &model.Service{Code: model.TextOf("SALES"), Channel: model.Call}
	r.ChannelStats.QueuedCalls, r.ChannelStats.AverageTimeOnQueue = model.IntOf(1234567), model.FloatOf(12.5)
	for key, v := range map[string]model.Scalar{
		"a": model.ScalarNumber("12.50", 12.5), "b": model.ScalarText("0391234567"), "c": model.ScalarBool(true), "d": model.ScalarNumber("391234567", 391234567),
	} {
		r.CustomStats = append(r.CustomStats, model.CustomStat{Key: key, Value: model.CustomValue{Value: v}})
	}
	store.Services.Put(r)
	u := &model.UserStat{Username: model.TextOf("mrossi"), Name: model.TextOf("Maria"), Surname: model.TextOf("Rossi")}
	u.CurrentService, u.Channel, u.Status, u.ActivityCode = model.TextOf("SALES"), model.Call, model.Busy, model.TextOf("__EMPTY__")
	store.UserStats.Put(u)
	scrub := NewScrubber(model.NamesHidden, Metadata{})
	s, _ := scrub.Apply(store.Publish(morning, model.Health{Link: model.Link{State: model.LinkUp, Reason: "login of mrossi"}}))
	got := s.Services.Sorted()[0]
	if got.ChannelStats.QueuedCalls != r.ChannelStats.QueuedCalls || got.ChannelStats.AverageTimeOnQueue != r.ChannelStats.AverageTimeOnQueue {
		t.Errorf("the figures are %+v", got.ChannelStats)
	}
	values := make(map[string]int)
	for _, c := range got.CustomStats {
		values[c.Value.Value.String()]++
	}
	if values["12.5"] != 1 || values["true"] != 1 || values[""] != 2 {
		t.Errorf("values of no known type: %v", values)
	}
	agent := s.UserStats.Sorted()[0]
	if agent.CurrentService.String() != got.Code.String() || agent.Status != model.Busy || agent.ActivityCode != u.ActivityCode || agent.Surname.Known() {
		t.Errorf("%+v of %s", agent, got.Code)
	}
	if s.Health.Link.State != model.LinkUp || s.Health.Link.Reason != removedText {
		t.Errorf("%+v", s.Health.Link)
	}
	if r.Code.String() != "SALES" || u.Username.String() != "mrossi" {
		t.Error("the original is changed")
	}
}

// TestInitialsKeepWhatCodesAreCalled checks that display names follow the replaced
// numbers.
func TestInitialsKeepWhatCodesAreCalled(t *testing.T) {
	t.Parallel()
	store := model.NewStore()
	store.Campaigns.Put(&model.Campaign{CampaignID: model.IntOf(4711)})
	store.Campaigns.Put(&model.Campaign{CampaignID: model.IntOf(4712)})
	scrub := NewScrubber(model.NamesInitials, Metadata{})
	about := scrub.About(Metadata{Names: "full", Codes: []Code{
		{"campaign", "4712", "Win-back"}, {"campaign", "no number", "x"}, {"service", "SALES", "Sales"}, {"user", "mrossi", "Maria Rossi"},
	}})
	s, _ := scrub.Apply(store.Publish(morning, model.Health{}))
	if len(about.Codes) != 2 || about.Codes[0].Name != "Win-back" || about.Codes[1].Name != "Sales" {
		t.Fatalf("%+v", about.Codes)
	}
	ids := make(map[string]bool)
	for c := range s.Campaigns.All() {
		ids[fmt.Sprint(c.Key())] = true
	}
	if !ids[about.Codes[0].Code] || ids["4711"] || ids["4712"] {
		t.Errorf("campaigns %v, the name is that of %s", ids, about.Codes[0].Code)
	}
}

// TestExportHidesSmallGroups exports a recording with full names as initials: a group with too few
// members is not in the result.
func TestExportHidesSmallGroups(t *testing.T) {
	t.Parallel()
	store := model.NewStore()
	for i, group := range []string{"G1", "G2", "G2", "G3", "G3", "G3"} {
		store.Users.Put(&model.User{Username: model.TextOf("u" + strconv.Itoa(i)), Skillsets: []string{group}})
		store.Groups.Put(&model.Group{Code: model.TextOf(group), Channel: model.Call})
	}
	scrub := NewScrubber(model.NamesInitials, Metadata{Names: string(model.NamesFull)})
	scrub.HideSmallGroups(3)
	s, err := scrub.Apply(store.Publish(time.Now(), model.Health{}))
	if err != nil || s.Groups.Len() != 1 || s.Groups.Rows()[0].Code.String() != "G3" || s.Users.Len() != 6 {
		t.Errorf("%d groups, %d users, %v", s.Groups.Len(), s.Users.Len(), err)
	}
}
