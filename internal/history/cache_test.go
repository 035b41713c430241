package history_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"wallboard/internal/history"
	"wallboard/internal/lib/secret"
	"wallboard/internal/lib/testkit"
	"wallboard/model/contact"
)

// keeping returns a client that keeps answers in dir.
func (p platform) keeping(t *testing.T, dir string) *history.Client {
	t.Helper()
	return p.client(t, func(o *history.Options) { o.CacheDir = dir })
}

// counted requests the n-th hour of March.
func counted(t *testing.T, c *history.Client, n int) int {
	t.Helper()
	count, err := c.Count(t.Context(), contact.Inbound, hourOf(2026, time.March, 1+n/24, n%24))
	if err != nil {
		t.Error(err)
	}
	return count
}

// TestCacheThatIsDamaged checks that invalid lines affect only their own answers.
func TestCacheThatIsDamaged(t *testing.T) {
	t.Parallel()
	p, dir := open(t, nil), testkit.PrivateDir(t)
	want := counted(t, p.keeping(t, dir), 10)
	files, err := history.ListCaches(dir)
	if err != nil || len(files) != 1 {
		t.Fatalf("%+v, %v", files, err)
	}
	good, err := os.ReadFile(files[0].Path)
	if err != nil {
		t.Fatal(err)
	}
	other := `{"version":2,"question":"x","answer":7}` + "\n" + `{"k":"","t":1,"v":7}` + "\n" + `{"k":"x","t":1}` + "\n"
	text := append([]byte("\x00\xff torn\n"+other), good...)
	text = append(text, good[:len(good)/2]...) // the end of the last line is missing
	if err := os.WriteFile(files[0].Path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	asked := len(p.Statistics().Requests())
	c := p.keeping(t, dir)
	if got := counted(t, c, 10); got != want || len(p.Statistics().Requests()) != asked {
		t.Errorf("%d contacts, want the %d that are kept, with %d requests", got, want, len(p.Statistics().Requests())-asked)
	}
	counted(t, c, 11) // the new line is appended to the torn one
	counted(t, c, 12)
	asked = len(p.Statistics().Requests())
	if counted(t, p.keeping(t, dir), 12); len(p.Statistics().Requests()) != asked {
		t.Error("the answer after a torn line is lost")
	}
}

// TestCacheOfManyPrograms checks that parallel programs share a file and keep to its
// limit.
func TestCacheOfManyPrograms(t *testing.T) {
	t.Parallel()
	const bound = 8 << 10
	p, dir := open(t, func(o *simulatorOptions) { o.Stat.Limit = 1000 }), testkit.PrivateDir(t)
	size := func() int64 {
		files, err := history.ListCaches(dir)
		if err != nil || len(files) != 1 {
			t.Fatal(files, err)
		}
		return files[0].Size
	}
	var all sync.WaitGroup
	for program := range 4 {
		c := p.client(t, func(o *history.Options) { o.CacheDir, o.CacheSize = dir, bound })
		all.Go(func() {
			for n := range 10 {
				counted(t, c, program*10+n)
			}
		})
	}
	all.Wait()
	if n := size(); n == 0 || n > bound {
		t.Errorf("the file has %d bytes", n)
	}
	asked := len(p.Statistics().Requests())
	c := p.keeping(t, dir)
	for n := range 40 {
		counted(t, c, n)
	}
	if n := len(p.Statistics().Requests()) - asked; n > 0 {
		t.Errorf("%d of 40 answers that fit were lost", n)
	}
	few := p.client(t, func(o *history.Options) { o.CacheDir, o.CacheSize = dir, bound })
	for n := 40; n < 100; n++ {
		if counted(t, few, n); size() > bound {
			t.Fatalf("the file has %d bytes", size())
		}
	}
}

// TestFullDisk checks that a full disk affects neither answers nor the budget.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip(err)
	}
	p, dir := open(t, nil), testkit.PrivateDir(t)
	counted(t, p.keeping(t, dir), 1)
	files, err := history.ListCaches(dir)
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	budget := filepath.Join(dir, "budget")
	for _, path := range []string{files[0].Path, budget} {
		_ = os.Remove(path)
		if err := os.Symlink("/dev/full", path); err != nil {
			t.Fatal(err)
		}
	}
	c := p.client(t, func(o *history.Options) { o.CacheDir, o.BudgetFile, o.Batch = dir, budget, 1 })
	for range 2 {
		for n := range 20 {
			counted(t, c, n)
		}
	}
	if used, asked := c.Budget().Used, len(p.Statistics().Requests())-1; used != 20 || asked != 20 {
		t.Errorf("%d requests are counted, %d were sent, want 20", used, asked)
	}
}

// TestBudgetFileThatIsDamaged checks that truncated ledgers and trailing data do not
// block requests.
func TestBudgetFileThatIsDamaged(t *testing.T) {
	t.Parallel()
	p, file := open(t, nil), filepath.Join(testkit.PrivateDir(t), "budget")
	c := p.client(t, func(o *history.Options) { o.BudgetFile, o.Batch = file, 1 })
	counted(t, c, 0)
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for n, damaged := range []string{string(text) + `7,8]}`, string(text[:len(text)-3]), ""} {
		if err := os.WriteFile(file, []byte(damaged), 0o600); err != nil {
			t.Fatal(err)
		}
		counted(t, c, n+1)
		if used := c.Budget().Used; used != n+2 {
			t.Errorf("%q: %d requests are counted, want %d", damaged, used, n+2)
		}
	}
}

// TestNoAnswerIsNotKept checks that invalid answers are not cached.
func TestNoAnswerIsNotKept(t *testing.T) {
	t.Parallel()
	answers := []string{"null", "{}", `"many"`, "-1", "7"}
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = fmt.Fprintf(w, `{"data":{"f0":%s}}`, answers[0])
		answers = answers[1:]
	}))
	defer srv.Close()
	c, err := history.New(history.Options{
		URL: srv.URL, APIKey: secret.New("key"), Location: time.UTC, Now: opening, CacheDir: testkit.PrivateDir(t),
	})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	closed := hourOf(2026, time.January, 7, 10) // the count of a past hour is kept without expiry
	for _, want := range []error{history.ErrNoData, history.ErrInvalidAnswer, history.ErrInvalidAnswer, history.ErrInvalidAnswer, nil, nil} {
		n, err := c.Count(t.Context(), contact.Inbound, closed)
		if !errors.Is(err, want) || err == nil && n != 7 {
			t.Errorf("%d, %v; want %v", n, err, want)
		}
	}
}
