package record

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"wallboard/internal/lib/testkit"
	"wallboard/model"
)

// makeFixture creates testdata/NAME.wbr and its expected content. Use it only for a new
// file format, with a new name; existing files must stay unchanged.
var makeFixture = flag.String("make-fixture", "", "make testdata/`NAME`.wbr and NAME.txt by this build")

// planter sets every field to another value.
type planter struct {
	n    int64
	keys bool // also change the keys of records
}

// keyFields returns the key fields of records.
func keyFields() []string {
	return []string{"Username", "Code", "Channel", "ID", "CampaignID", "Component"}
}

func (p *planter) plant(v reflect.Value, name string) {
	v = reflect.NewAt(v.Type(), v.Addr().UnsafePointer()).Elem()
	p.n++
	at := morning.Add(time.Duration(p.n) * time.Second)
	switch to := v.Addr().Interface().(type) {
	case *model.Stamp:
		return
	case *model.Int:
		*to = model.IntOf(p.n)
		return
	case *model.Float:
		*to = model.FloatOf(float64(p.n) + 0.5)
		return
	case *model.Text:
		*to = model.TextOf(fmt.Sprintf("%s %d", name, p.n))
		return
	case *model.Instant:
		*to = model.InstantFromElapsed(at.UnixMilli(), uint32(p.n))
		return
	case *time.Time:
		*to = at
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if name := v.Type().Field(i).Name; p.keys || !slices.Contains(keyFields(), name) {
				p.plant(v.Field(i), name)
			}
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range 2 {
			p.plant(v.Index(i), name)
		}
	case reflect.String:
		v.SetString(fmt.Sprintf("%s %d", name, p.n))
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Float64:
		v.SetFloat(float64(p.n))
	default:
		if v.CanInt() {
			v.SetInt(1 + p.n%100)
		} else {
			v.SetUint(uint64(1 + p.n%100))
		}
	}
}

// known appends a line with the path for every known value.
func known(lines []string, path string, v reflect.Value) []string {
	v = reflect.NewAt(v.Type(), v.Addr().UnsafePointer()).Elem()
	say := func(value any, is bool) []string {
		if is {
			lines = append(lines, fmt.Sprintf("%s = %v", path, value))
		}
		return lines
	}
	switch of := v.Interface().(type) {
	case model.Stamp:
		return lines
	case model.Int:
		n, is := of.Get()
		return say(n, is)
	case model.Float:
		n, is := of.Get()
		return say(n, is)
	case model.Text:
		s, is := of.Get()
		return say(s, is)
	case model.Instant:
		at, is := of.Get()
		return say(fmt.Sprint(at.UTC().Format(time.RFC3339Nano), " of ", of.ValueHash()), is)
	case time.Time:
		return say(of.UTC().Format(time.RFC3339Nano), !of.IsZero())
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			lines = known(lines, path+"."+v.Type().Field(i).Name, v.Field(i))
		}
		return lines
	case reflect.Slice:
		for i := range v.Len() {
			lines = known(lines, fmt.Sprintf("%s[%d]", path, i), v.Index(i))
		}
		return lines
	default:
		return say(v.Interface(), !v.IsZero())
	}
}

func knownOf[K comparable, T any](lines []string, op model.Op, of *model.Table[K, T]) []string {
	for i, r := range of.Sorted() {
		lines = known(lines, fmt.Sprintf("%s %d", op, i), reflect.ValueOf(r).Elem())
	}
	return lines
}

// wordsOf formats the content of a snapshot, one line per known value.
func wordsOf(s *model.Snapshot) []string {
	lines := []string{"picture " + s.At.UTC().Format(time.RFC3339Nano)}
	h := roundTimes(s.Health)
	lines = known(lines, "health", reflect.ValueOf(&h).Elem())
	lines = knownOf(lines, model.OpUsers, s.Users)
	lines = knownOf(lines, model.OpServices, s.Services)
	lines = knownOf(lines, model.OpGroups, s.Groups)
	lines = knownOf(lines, model.OpUserStats, s.UserStats)
	lines = knownOf(lines, model.OpProfiles, s.Profiles)
	lines = knownOf(lines, model.OpCampaigns, s.Campaigns)
	lines = knownOf(lines, model.OpAttendants, s.Attendants)
	lines = knownOf(lines, model.OpOperators, s.Operators)
	return knownOf(lines, model.OpOperatorProfiles, s.OperatorProfiles)
}

// planted adds two records with all fields to a table, or changes them.
func planted[K comparable, T any, R model.Record[K, T]](p *planter, l *model.MutableTable[K, T, R], rows *[]K) {
	for i := range 2 {
		r := new(T)
		if i < len(*rows) {
			*r = *l.Get((*rows)[i])
			if p.keys {
				l.Delete((*rows)[i]) // the changed key makes it another record
			}
		}
		p.plant(reflect.ValueOf(r).Elem(), "")
		l.Put(r)
		if k := R(r).Key(); i < len(*rows) {
			(*rows)[i] = k
		} else {
			*rows = append(*rows, k)
		}
	}
}

// fixtureMarks returns a mark of each kind.
func fixtureMarks() []Mark {
	kinds := []MarkKind{MarkCritical, MarkWarning, MarkRecovered, MarkCut, MarkAction, MarkNote}
	marks := make([]Mark, len(kinds))
	for i, k := range kinds {
		marks[i] = Mark{At: morning.Add(time.Duration(i) * time.Second), Kind: k, Text: "Sales: " + string(k)}
	}
	return marks
}

// makesFixture writes a file and its content: three snapshots of every field, the
// second with changes, and one with all values unknown.
func makesFixture(t *testing.T, name string) {
	t.Helper()
	path := filepath.Join("testdata", name+".wbr")
	out, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close() //nolint:errcheck // it is read below
	about := Metadata{Board: "fixture", Platform: "simulated.example/rtd", Names: "full", Codes: []Code{{"service", "S1", "Sales"}}}
	seg, err := newSegment(out, about, morning, newFrameEncoder())
	if err != nil {
		t.Fatal(err)
	}
	var (
		p                          = &planter{}
		s                          = model.NewStore()
		users                      []string
		services                   []model.ServiceKey
		groups                     []model.GroupKey
		stats, operators           []model.UserStatKey
		profiles, operatorProfiles []model.ProfileKey
		campaigns                  []int64
		attendants                 []model.AttendantKey
		lines                      []string
	)
	for i := range 4 {
		var h model.Health
		if p.keys = i != 1; i < 3 { // the second snapshot changes the same records
			p.plant(reflect.ValueOf(&h).Elem(), "")
			planted(p, &s.Users, &users)
			planted(p, &s.Services, &services)
			planted(p, &s.Groups, &groups)
			planted(p, &s.UserStats, &stats)
			planted(p, &s.Profiles, &profiles)
			planted(p, &s.Campaigns, &campaigns)
			planted(p, &s.Attendants, &attendants)
			planted(p, &s.Operators, &operators)
			planted(p, &s.OperatorProfiles, &operatorProfiles)
		}
		snap := s.Publish(morning.Add(time.Duration(i+1)*time.Second), h)
		if err := seg.writeFrame(snap, snap.At, i%2 == 0); err != nil {
			t.Fatal(err)
		}
		lines = append(lines, wordsOf(snap)...)
	}
	for _, m := range fixtureMarks() {
		if err := seg.writeMark(m); err != nil {
			t.Fatal(err)
		}
	}
	if err := seg.close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join("testdata", name+".txt"), []byte(strings.Join(lines, "\n")+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
}

// wordsOfFile formats the content of a file.
func wordsOfFile(t *testing.T, path string) (lines []string) {
	t.Helper()
	for _, words := range contentOf(t, path) {
		lines = append(lines, words...)
	}
	return lines
}

// contentOf formats each snapshot of a recording.
func contentOf(t *testing.T, path string, keyFiles ...string) (all [][]string) {
	t.Helper()
	r, err := OpenFiltered(path, nil, keyFiles...)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close() //nolint:errcheck // only read from
	p := r.Player()
	for {
		s, err := p.Next()
		if err != nil {
			t.Fatal(err)
		}
		if s == nil {
			return all
		}
		all = append(all, wordsOf(s))
	}
}

// truthOf returns the expected content of a fixture.
func truthOf(t *testing.T, name string) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name+".txt"))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSpace(string(text)), "\n")
}

// TestFileOfAnEarlierBuild reads a file of the first version with every field of all
// tables. Fields that were renamed or changed their kind would be lost in existing
// recordings.
func TestFileOfAnEarlierBuild(t *testing.T) {
	t.Parallel()
	if *makeFixture != "" {
		makesFixture(t, *makeFixture)
	}
	path := filepath.Join("testdata", "v1.wbr")
	truth := truthOf(t, "v1")
	if diff := cmp.Diff(truth, wordsOfFile(t, path)); diff != "" {
		t.Error(diff)
	}
	for _, tab := range tables() {
		if !slices.ContainsFunc(truth, func(line string) bool { return strings.HasPrefix(line, string(tab.operation())+" 1.") }) {
			t.Errorf("nothing is written down of %s", tab.operation())
		}
	}
	in := infoOf(t, path)
	if in.About.Platform != "simulated.example/rtd" || in.About.Names != "full" || len(in.About.Codes) != 1 || in.About.Codes[0].Name != "Sales" ||
		in.Frames != 4 || in.Chunks != 2 || in.Unclosed != 0 || len(in.Interruption) != 0 {
		t.Errorf("%+v", in)
	}
	if diff := cmp.Diff(fixtureMarks(), in.Marks); diff != "" {
		t.Error(diff)
	}
}

// TestFileWithOtherFields changes names and kinds of fields in the header: these fields
// are unknown, all others are unchanged.
func TestFileWithOtherFields(t *testing.T) {
	t.Parallel()
	whole, err := os.ReadFile(filepath.Join("testdata", "v1.wbr"))
	if err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		change func(s *schema)
		gone   []string // fields that are unknown after the change
		left   []string // fields of the file that are skipped
	}{
		"no more, and new": {func(s *schema) { fieldOf(t, s, model.OpUserStats, "Surname.held").Path = "Moniker.held" }, []string{"Surname"}, []string{"userStats.Moniker.held"}},
		"of other kinds": {func(s *schema) {
			a, b := fieldOf(t, s, model.OpUserStats, "Surname.held"), fieldOf(t, s, model.OpUserStats, "NumberCallIn")
			a.Path, b.Path = b.Path, a.Path
		}, []string{"Surname", "NumberCallIn"}, []string{"userStats.AgentFigures.NumberCallIn", "userStats.Surname.held"}},
		"one more": {func(s *schema) {
			f := &s.Tables[len(s.Tables)-1].Fields
			*f = append(*f, fieldSchema{Path: "Mood", Kind: kindNumber})
		}, nil, []string{"operatorProfileStats.Mood"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(testkit.PrivateDir(t), "other.wbr")
			if err := os.WriteFile(path, headed(t, whole, tt.change), 0o600); err != nil {
				t.Fatal(err)
			}
			if got := infoOf(t, path).Unknown; !slices.Equal(got, tt.left) {
				t.Errorf("left out is %q, want %q", got, tt.left)
			}
			want := slices.DeleteFunc(truthOf(t, "v1"), func(line string) bool {
				return slices.ContainsFunc(tt.gone, func(field string) bool {
					return strings.HasPrefix(line, "userStats ") && strings.Contains(line, "."+field+" = ")
				})
			})
			if all := len(truthOf(t, "v1")); all-len(want) != 8*len(tt.gone) { // there are two records in each of four snapshots
				t.Fatalf("%d of %d lines are left", len(want), all)
			}
			if diff := cmp.Diff(want, wordsOfFile(t, path)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// fieldOf finds a field of a table by the end of its path.
func fieldOf(t *testing.T, s *schema, op model.Op, ends string) *fieldSchema {
	t.Helper()
	for _, ts := range s.Tables {
		for i := range ts.Fields {
			if f := &ts.Fields[i]; ts.Op == op && (f.Path == ends || strings.HasSuffix(f.Path, "."+ends)) {
				return f
			}
		}
	}
	t.Fatalf("there is no %s in %s", ends, op)
	return nil
}

// headed returns a file with another schema in its header, with the same size.
func headed(t *testing.T, whole []byte, change func(*schema)) []byte {
	t.Helper()
	b := &blockReader{source: bytes.NewReader(whole), offset: int64(len(magic))}
	kind, payload, err := b.nextBlock()
	var h header
	if err != nil || kind != blockHeader || json.Unmarshal(payload, &h) != nil {
		t.Fatal(kind, err)
	}
	change(&h.Schema)
	h.About.Codes = nil // makes room in the header for the change
	head, err := json.Marshal(h)
	if err != nil || len(head) > len(payload) {
		t.Fatal(err, len(head), len(payload))
	}
	head = append(head, bytes.Repeat([]byte(" "), len(payload)-len(head))...)
	return append(appendBlock([]byte(magic), blockHeader, head), whole[b.offset:]...)
}
