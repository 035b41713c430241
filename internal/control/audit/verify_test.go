package audit

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"wallboard/internal/lib/testkit"
)

// writeChain writes n actions and returns the path of the file.
func writeChain(t *testing.T, n int, tune func(*Options)) string {
	t.Helper()
	path := filepath.Join(testkit.PrivateDir(t), "audit.jsonl")
	l := openLog(t, path, tune)
	for i := range n {
		take(t, l, fmt.Sprint("agent ", i))
	}
	return path
}

func verify(t *testing.T, path string, heads ...Head) *Verification {
	t.Helper()
	v, err := Verify(path, heads)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func readFile(t *testing.T, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func writeFile(t *testing.T, path string, b []byte) {
	t.Helper()
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
}

func lines(b []byte) [][]byte {
	return bytes.SplitAfter(bytes.TrimSuffix(b, []byte{'\n'}), []byte{'\n'})
}

func kinds(v *Verification) (all []Damage) {
	for _, f := range v.Findings {
		all = append(all, f.Damage)
	}
	return all
}

// TestChainIsWhatOthersCanCompute recomputes the hashes without the package.
func TestChainIsWhatOthersCanCompute(t *testing.T) {
	t.Parallel()
	want := chainStart
	for i, b := range lines(readFile(t, writeChain(t, 3, nil))) {
		var l struct{ Previous string }
		if err := json.Unmarshal(b, &l); err != nil || l.Previous != want {
			t.Errorf("line %d: previous %q, %v; want %q", i+1, l.Previous, err, want)
		}
		sum := sha256.Sum256(bytes.TrimSuffix(b, []byte{'\n'}))
		want = hex.EncodeToString(sum[:])
	}
}

// TestIntactChains verifies files that nobody changed: rotated ones, with torn lines, of an earlier
// version, and of several writers.
func TestIntactChains(t *testing.T) {
	t.Parallel()
	t.Run("rotated", func(t *testing.T) {
		t.Parallel()
		v := verify(t, writeChain(t, 30, func(o *Options) { o.MaxSize, o.MaxGenerations = 2000, 100 }))
		if !v.Intact() || v.Chained != 60 || v.StartMissing {
			t.Errorf("%+v", v)
		}
	})
	t.Run("rotated away", func(t *testing.T) {
		t.Parallel()
		v := verify(t, writeChain(t, 30, func(o *Options) { o.MaxSize, o.MaxGenerations = 2000, 2 }))
		if !v.Intact() || !v.StartMissing {
			t.Errorf("%+v", v)
		}
	})
	t.Run("torn at every place", func(t *testing.T) {
		t.Parallel()
		path := writeChain(t, 2, nil)
		whole := readFile(t, path)
		line := lines(whole)[3]
		for cut := 1; cut < len(line)-1; cut++ {
			writeFile(t, path, append(slices.Clone(whole), line[:cut]...))
			if v := verify(t, path); !v.Intact() || v.Incomplete != 1 {
				t.Fatalf("cut at %d, before the next line: %+v", cut, v)
			}
			take(t, openLog(t, path, nil), "next")
			if v := verify(t, path); !v.Intact() || v.Incomplete != 1 || v.Chained != 6 {
				t.Fatalf("cut at %d: %+v", cut, v)
			}
		}
	})
	t.Run("clock set back", func(t *testing.T) {
		t.Parallel()
		path := writeChain(t, 2, nil)
		yesterday := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
		take(t, openLog(t, path, func(o *Options) { o.Now = func() time.Time { return yesterday } }), "next")
		if v := verify(t, path); !v.Intact() || v.Chained != 6 || v.SetBack != 1 {
			t.Errorf("%+v", v)
		}
	})
}

// TestIntactChainsOfOthers verifies files that nobody changed, which more than one session or version
// wrote.
func TestIntactChainsOfOthers(t *testing.T) {
	t.Parallel()
	t.Run("torn and rotated", func(t *testing.T) {
		t.Parallel()
		path := writeChain(t, 2, nil)
		writeFile(t, path, append(readFile(t, path), `{"time":"2026`...))
		take(t, openLog(t, path, func(o *Options) { o.MaxSize = 500 }), "next")
		if v := verify(t, path); !v.Intact() || v.Incomplete != 1 || v.Chained != 6 {
			t.Errorf("%+v", v)
		}
	})
	t.Run("of an earlier version", func(t *testing.T) {
		t.Parallel()
		path := filepath.Join(testkit.PrivateDir(t), "audit.jsonl")
		old := `{"time":"2026-03-01T12:00:00.000Z","session":"9-z","seq":1,"id":"9-z-1","phase":"intent","user":"u","osUser":"s","action":"dial","target":"x"}` + "\n"
		writeFile(t, path, []byte(old))
		take(t, openLog(t, path, nil), "next")
		if v := verify(t, path); !v.Intact() || v.Unchained != 1 || v.Chained != 2 {
			t.Errorf("%+v", v)
		}
		b := readFile(t, path)
		writeFile(t, path, bytes.Replace(b, []byte(`"target":"x"`), []byte(`"target":"y"`), 1))
		if v := verify(t, path); v.Intact() {
			t.Error("the change of the last line before the chain is not reported")
		}
	})
}

// TestSeveralWritersChain verifies a file that several programs wrote and renamed at once.
func TestSeveralWritersChain(t *testing.T) {
	t.Parallel()
	path := filepath.Join(testkit.PrivateDir(t), "audit.jsonl")
	heads := filepath.Join(filepath.Dir(path), "heads.jsonl")
	done := make(chan struct{})
	const writers = 6
	for w := range writers {
		l := openLog(t, path, func(o *Options) {
			o.Session, o.MaxSize, o.MaxGenerations, o.HeadsPath = fmt.Sprint("s", w), 4000, 100, heads
		})
		go func() {
			defer func() { done <- struct{}{} }()
			for i := range 20 {
				finish, err := l.Begin(Intent{Action: "dial", Target: fmt.Sprint(w, ".", i)})
				if err == nil {
					err = finish(Result{Outcome: "confirmed"})
				}
				if err != nil {
					t.Error(err)
					return
				}
			}
		}()
	}
	for range writers {
		<-done
	}
	stored, _, err := ReadStoredHeads(heads)
	if err != nil {
		t.Fatal(err)
	}
	v := verify(t, path, stored...)
	if !v.Intact() || v.Chained != writers*40 || v.Heads != writers*40 {
		t.Errorf("%+v, %d heads", v, len(stored))
	}
}

// TestDamageIsFound changes a file in one place and expects the kind of damage.
func TestDamageIsFound(t *testing.T) {
	t.Parallel()
	path := writeChain(t, 20, nil)
	whole := readFile(t, path)
	join := func(parts ...[][]byte) []byte { return bytes.Join(slices.Concat(parts...), nil) }
	ls := lines(whole)
	last := append(slices.Clone(ls[len(ls)-1]), '\n')
	ls[len(ls)-1] = last
	changed := bytes.Replace(ls[9], []byte("agent 4"), []byte("agent 5"), 1)
	forged := bytes.Replace(ls[9], []byte(`"previous":"`), []byte(`"previous":"`+HashLine(ls[9])+`","x":"`), 1)
	unchained, _, _ := bytes.Cut(ls[9], []byte(`,"previous"`))
	for _, tt := range []struct {
		name string
		file []byte
		want []Damage
		line int
	}{
		{"changed", join(ls[:9], [][]byte{changed}, ls[10:]), []Damage{DamageChanged}, 11},
		{"unreadable", join(ls[:9], [][]byte{[]byte("gone\n")}, ls[10:]), []Damage{DamageChanged}, 11},
		{"removed", join(ls[:9], ls[12:]), []Damage{DamageRemoved}, 10},
		{"start removed", join(ls[2:]), []Damage{DamageRemoved}, 1},
		{"swapped", join(ls[:9], ls[10:11], ls[9:10], ls[11:]), []Damage{DamageReordered}, 10},
		{"copied", join(ls[:15], ls[3:4], ls[15:]), []Damage{DamageInserted}, 16},
		{"inserted with a right hash", join(ls[:10], [][]byte{forged}, ls[10:]), []Damage{DamageInserted}, 12},
		{"inserted without a hash", join(ls[:10], [][]byte{append(slices.Clone(unchained), "}\n"...)}, ls[10:]), []Damage{DamageInserted}, 11},
		{"last line unreadable", join(ls[:39], [][]byte{[]byte("gone\n")}), []Damage{DamageChanged}, 40},
	} {
		writeFile(t, path, tt.file)
		v := verify(t, path)
		if !slices.Equal(kinds(v), tt.want) || v.Findings[0].Line != tt.line {
			t.Errorf("%s: %+v, want %v at line %d", tt.name, v.Findings, tt.want, tt.line)
		}
	}
}

// TestHeads cuts the end off, and writes a new chain, which only a stored head shows.
func TestHeads(t *testing.T) {
	t.Parallel()
	dir := testkit.PrivateDir(t)
	path, stored := filepath.Join(dir, "audit.jsonl"), filepath.Join(dir, "disk", "heads.jsonl")
	if err := os.Mkdir(filepath.Dir(stored), 0o700); err != nil {
		t.Fatal(err)
	}
	l := openLog(t, path, func(o *Options) { o.HeadsPath, o.MaxSize, o.MaxGenerations = stored, 3000, 2 })
	for i := range 30 {
		take(t, l, fmt.Sprint(i))
	}
	tear(t, stored)
	take(t, l, "after a torn head")
	heads, unreadable, err := ReadStoredHeads(stored)
	if err != nil || unreadable != 1 {
		t.Fatalf("%d unreadable, %v", unreadable, err)
	}
	v := verify(t, path, heads...)
	if !v.Intact() || v.OlderHeads == 0 || v.Heads+v.OlderHeads != 62 || v.Head != heads[61] {
		t.Fatalf("%+v", v)
	}
	whole := readFile(t, path)
	ls := lines(whole)
	writeFile(t, path, bytes.Join(ls[:len(ls)-2], nil))
	if v := verify(t, path); !v.Intact() {
		t.Errorf("without heads a cut end cannot be seen, but: %+v", v.Findings)
	}
	if v := verify(t, path, heads...); !slices.Equal(kinds(v), []Damage{DamageHeadAbsent}) {
		t.Errorf("cut end: %+v", v.Findings)
	}
	forged := writeChain(t, 30, nil)
	if v := verify(t, forged, heads[61]); !slices.Equal(kinds(v), []Damage{DamageHeadAbsent}) {
		t.Errorf("new chain: %+v", v.Findings)
	}
}

// tear appends half a head, as a crash or a full disk does.
func tear(t *testing.T, path string) {
	t.Helper()
	writeFile(t, path, append(readFile(t, path), `{"time":"2026`...))
}

// TestCopiesAreHeads takes the copies of a cluster as heads.
func TestCopiesAreHeads(t *testing.T) {
	t.Parallel()
	path := writeChain(t, 5, nil)
	var copies bytes.Buffer
	for i, b := range lines(readFile(t, path)) {
		b = bytes.TrimSpace(b)
		fmt.Fprintf(&copies, "{\"node\":\"a\",\"hash\":%q,\"line\":%s}\n", HashLine(b), b)
		fmt.Fprintf(&copies, "{\"node\":\"b\",\"hash\":%q,\"line\":%s}\n", HashLine([]byte("other")), bytes.Replace(b, []byte("agent"), []byte("other"), 1))
		if i == 7 {
			break
		}
	}
	heads, _, err := ReadHeads(&copies, "a")
	if err != nil || len(heads) != 8 {
		t.Fatalf("%d heads, %v", len(heads), err)
	}
	if v := verify(t, path, heads...); !v.Intact() || v.Heads != 8 {
		t.Errorf("%+v", v)
	}
	for _, text := range []string{"{}", "x", `{"hash":"12"}`, `{"node":"a","line":{"id":"1"}}`} {
		if h, _, err := ReadHeads(strings.NewReader("\n"+text), "a"); err == nil || !strings.Contains(err.Error(), "line 2 ") {
			t.Errorf("%s: %v, %v", text, h, err)
		}
	}
}

// TestUnwritableHeads performs actions although their heads cannot be stored.
func TestUnwritableHeads(t *testing.T) {
	t.Parallel()
	path := writeChain(t, 1, func(o *Options) { o.HeadsPath = "/nonexistent/heads.jsonl" })
	if v := verify(t, path); !v.Intact() || v.Chained != 2 {
		t.Errorf("%+v", v)
	}
}

// chainFile is an audit file or an older generation of one, in memory.
type chainFile struct {
	name string
	text []byte
}

// readChainFiles returns the file at path and its older generations, oldest first.
func readChainFiles(t *testing.T, path string) (all []chainFile) {
	t.Helper()
	files, errs := openGenerations(path)
	for _, f := range files {
		all = append(all, chainFile{filepath.Base(f.Name()), readFile(t, f.Name())})
		errs = append(errs, f.Close())
	}
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
	return all
}

// verifyFiles verifies files in memory.
func verifyFiles(t *testing.T, files []chainFile, heads []Head) *Verification {
	t.Helper()
	v, err := verifyLines(heads, func(check func(*chainLine)) (int, error) {
		index := 0
		var errs []error
		for _, f := range files {
			errs = append(errs, readChain(f.name, bytes.NewReader(f.text), int64(len(f.text)), &index, check))
		}
		return len(files), errors.Join(errs...)
	})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// damages holds, by kind, functions that damage a file at a random place.
var damages = map[string]func(random *rand.Rand, text []byte, lines [][]byte) []byte{
	"changed byte": func(random *rand.Rand, text []byte, _ [][]byte) []byte {
		b := slices.Clone(text)
		b[random.IntN(len(b))] ^= byte(1 + random.IntN(255))
		return b
	},
	"swapped lines": func(random *rand.Rand, _ []byte, ls [][]byte) []byte {
		ls = slices.Clone(ls)
		i := random.IntN(len(ls) - 1)
		j := i + 1 + random.IntN(len(ls)-i-1)
		ls[i], ls[j] = ls[j], ls[i]
		return bytes.Join(ls, nil)
	},
	"removed lines": func(random *rand.Rand, _ []byte, ls [][]byte) []byte {
		i := random.IntN(len(ls))
		return bytes.Join(slices.Delete(slices.Clone(ls), i, i+1+random.IntN(len(ls)-i)), nil)
	},
	"inserted line": func(random *rand.Rand, _ []byte, ls [][]byte) []byte {
		return bytes.Join(slices.Insert(slices.Clone(ls), random.IntN(len(ls)+1), ls[random.IntN(len(ls))]), nil)
	},
	"cut end": func(random *rand.Rand, text []byte, _ [][]byte) []byte {
		return text[:random.IntN(len(text)-1)]
	},
}

// TestEveryChangeIsFound damages chains at random places: it changes single bytes, and swaps, removes
// and repeats lines, and cuts the end off. Every damage is found with the heads that were stored
// elsewhere, and none is reported for the chains themselves. AUDIT_CHANGES is the number of damages of
// each kind.
func TestEveryChangeIsFound(t *testing.T) {
	t.Parallel()
	changes, err := strconv.Atoi(os.Getenv("AUDIT_CHANGES"))
	if err != nil {
		changes = 100
	}
	random := rand.New(rand.NewPCG(1, 2))
	found, unseen := make(map[string]int), 0
	chains := max(1, changes/2000)
	for range chains {
		stored := filepath.Join(testkit.PrivateDir(t), "heads.jsonl")
		path := writeChain(t, 3+random.IntN(20), func(o *Options) {
			o.MaxSize, o.MaxGenerations, o.HeadsPath = int64(2000+random.IntN(6000)), 4+random.IntN(20), stored
		})
		heads, _, err := ReadStoredHeads(stored)
		if err != nil {
			t.Fatal(err)
		}
		files := readChainFiles(t, path)
		if v, inMemory := verify(t, path, heads...), verifyFiles(t, files, heads); !v.Intact() || !reflect.DeepEqual(v, inMemory) {
			t.Fatalf("intact: %+v, in memory: %+v", v, inMemory)
		}
		for kind, damage := range damages {
			for range changes / chains {
				n := random.IntN(len(files))
				if kind == "cut end" {
					n = len(files) - 1
				}
				whole := files[n].text
				ls := bytes.SplitAfter(bytes.TrimSuffix(whole, []byte{'\n'}), []byte{'\n'})
				ls[len(ls)-1] = append(slices.Clone(ls[len(ls)-1]), '\n')
				damaged := slices.Clone(files)
				damaged[n].text = damage(random, whole, ls)
				// Lines that are missing at the beginning of the oldest file look like lines that the rotation
				// deleted.
				if n == 0 && len(files) > 1 && bytes.HasSuffix(whole, damaged[n].text) {
					unseen++
					continue
				}
				if v := verifyFiles(t, damaged, heads); v.Intact() {
					t.Fatalf("%s in %s is not found", kind, files[n].name)
				}
				found[kind]++
			}
		}
	}
	t.Logf("%d chains; found %v; %d times the oldest lines were removed, as by the rotation", chains, found, unseen)
}

// TestVerifyHostileFiles verifies hostile files: many short lines, one long line, and many broken links.
func TestVerifyHostileFiles(t *testing.T) {
	t.Parallel()
	path := writeChain(t, 1, nil)
	line := lines(readFile(t, path))[1]
	for name, b := range map[string][]byte{
		"newlines": bytes.Repeat([]byte{'\n'}, 1<<20), "long line": bytes.Repeat([]byte{'x'}, 3<<20),
		"repeated line": bytes.Repeat(append(bytes.TrimSuffix(line, []byte{'\n'}), '\n'), 5000), "empty": {},
	} {
		writeFile(t, path, b)
		began := time.Now()
		v := verify(t, path)
		if len(v.Findings) > maxFindings+1 {
			t.Errorf("%s: %d findings", name, len(v.Findings))
		}
		t.Log(name, len(v.Findings), v.Further, time.Since(began))
	}
	take(t, openLog(t, path, nil), "next")
}

// BenchmarkAction measures an action: its intent and its outcome, each synced to the disk of TMPDIR, with
// stored heads. The metrics are the processor time and the median time, which other programs on the
// machine hardly change.
func BenchmarkAction(b *testing.B) {
	l, err := Open(Options{Path: filepath.Join(b.TempDir(), "audit.jsonl"), HeadsPath: filepath.Join(b.TempDir(), "heads.jsonl")})
	if err != nil {
		b.Fatal(err)
	}
	defer l.Close() //nolint:errcheck // the benchmark ends
	before := testkit.ProcessCPUTime(b)
	var took []time.Duration
	for b.Loop() {
		began := time.Now()
		finish, err := l.Begin(Intent{Action: "dial", Target: "anna"})
		if err == nil {
			err = finish(Result{Outcome: "confirmed"})
		}
		if err != nil {
			b.Fatal(err)
		}
		took = append(took, time.Since(began))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2]), "median-ns/op")
	b.ReportMetric(float64(testkit.ProcessCPUTime(b)-before)/float64(b.N), "cpu-ns/op")
}
