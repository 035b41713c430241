package record

import (
	"path/filepath"
	"slices"
	"testing"
	"time"

	"wallboard/internal/lib/testkit"
	"wallboard/model"
)

// toTape records a minute of an empty floor in a folder.
func toTape(t *testing.T, dir string, about Metadata, from time.Time) {
	t.Helper()
	tape, err := NewBatchWriter(dir, about)
	if err != nil {
		t.Fatal(err)
	}
	st := model.NewStore()
	for at := from; at.Before(from.Add(time.Minute)); at = at.Add(time.Second) {
		if err := tape.Add(st.Publish(at, model.Health{})); err != nil {
			t.Fatal(err)
		}
	}
	if err := tape.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestAboutWhereNamesChanged records with changing names, codes and versions, and
// checks the combined description and its parts.
func TestAboutWhereNamesChanged(t *testing.T) {
	t.Parallel()
	dir := testkit.PrivateDir(t)
	sales, support, verkauf := Code{"service", "S1", "Sales"}, Code{"service", "S2", "Support"}, Code{"service", "S1", "Verkauf"}
	at := func(hour int) time.Time { return morning.Add(time.Duration(hour) * time.Hour) }
	toTape(t, dir, Metadata{Platform: "p", Names: "initials", Board: "1", Codes: []Code{sales, support}}, at(0))
	toTape(t, dir, Metadata{Platform: "p", Names: "full", Board: "1", Codes: []Code{sales}}, at(1))
	toTape(t, dir, Metadata{Platform: "p", Names: "full", Board: "1", Codes: []Code{sales}}, at(2))
	toTape(t, dir, Metadata{Platform: "p", Names: "hidden", Board: "2", Codes: []Code{verkauf}}, at(3))
	r, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close() //nolint:errcheck // only read from
	in := r.Info()
	if !slices.Equal(in.About.Codes, []Code{verkauf, support}) || in.About.Names != "full" || in.About.Board != "2" {
		t.Errorf("of all: %+v", in.About)
	}
	var made []string
	for _, p := range in.Parts {
		made = append(made, p.Names+" "+p.Board)
		if !p.First.Before(p.Last) {
			t.Errorf("%+v", p)
		}
	}
	if !slices.Equal(made, []string{"initials 1", "full 1", "hidden 2"}) || in.Parts[1].Last.Sub(in.Parts[1].First) < time.Hour {
		t.Errorf("parts: %+v", in.Parts)
	}
	for _, c := range []struct {
		from, to int
		mode     model.NameMode
		want     string
	}{
		{0, 4, model.NamesFull, "full"},
		{0, 4, model.NamesInitials, "initials"},
		{0, 4, model.NamesHidden, "hidden"},
		{3, 4, model.NamesFull, "hidden"},
		{3, 4, model.NamesInitials, "hidden"},
		{0, 1, model.NamesInitials, "initials"},
	} {
		about, _ := r.About(at(c.from), at(c.to))
		path := filepath.Join(testkit.PrivateDir(t), "a.wbr")
		if _, err := Export(t.Context(), r, at(c.from), at(c.to).Add(-time.Second), path, NewScrubber(c.mode, about)); err != nil {
			t.Fatal(err)
		}
		out, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		if got := out.Info(); got.About.Names != c.want || got.Parts != nil {
			t.Errorf("%d to %d with names %s: %+v", c.from, c.to, c.mode, got)
		}
		if err := out.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if about, parts := r.About(at(9), at(10)); about.Names != "hidden" || len(parts) > 0 {
		t.Errorf("of nothing: %+v, %+v", about, parts)
	}
}
