package commands

import "testing"

func TestManDate(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ epoch, commit, want string }{
		{"0", "2026-11-28T23:30:00-02:00", "1970-01-01"},
		{"", "2026-11-28T23:30:00-02:00", "2026-11-29"},
		{"soon", "", ""},
	} {
		if got := manDate(c.epoch, c.commit); got != c.want {
			t.Errorf("manDate(%q, %q) = %q, want %q", c.epoch, c.commit, got, c.want)
		}
	}
}
