package powersave

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// TestUnwrittenMappings checks that only read-only mappings of the program file without changed
// pages are released.
func TestUnwrittenMappings(t *testing.T) {
	t.Parallel()
	const smaps = `00400000-01b41000 r-xp 00000000 fe:00 10003320                           /bin/wallboard
Size:              23812 kB
Anonymous:             0 kB
VmFlags: rd ex mr mw me sd
01b41000-033d0000 r--p 01741000 fe:00 10003320                           /bin/wallboard
Anonymous:             4 kB
033d0000-034d9000 rw-p 02fd0000 fe:00 10003320                           /bin/wallboard
Anonymous:             0 kB
034d9000-034da000 r--p 02fd0000 fe:00 10003320                           /bin/wallboard
Anonymous:             0 kB
034d9000-056fb000 rw-p 00000000 00:00 0 
Anonymous:             0 kB
034e0000-034e1000 r--p 02fd0000 fe:00 10003320                           /bin/wallboard
Anonymous:             0 kB
Swap:                  4 kB
7f0000000000-7f0000001000 r--p 00000000 fe:00 10003321                   /lib/libc.so
Anonymous:             0 kB
`
	want := []mapping{{0x400000, 0x1b41000}, {0x34d9000, 0x34da000}}
	if got := unwrittenMappings(smaps, "/bin/wallboard"); !slices.Equal(got, want) {
		t.Errorf("got %x, want %x", got, want)
	}
}

// TestReleasedPagesComeBack checks that the mappings of this program are found and that it still
// runs and reads its constants after their release.
func TestReleasedPagesComeBack(t *testing.T) {
	t.Parallel()
	file, err := os.Readlink("/proc/self/exe")
	if err != nil {
		t.Fatal(err)
	}
	smaps, err := os.ReadFile("/proc/self/smaps")
	if err != nil {
		t.Fatal(err)
	}
	if len(unwrittenMappings(string(smaps), file)) == 0 {
		t.Errorf("no mapping of %s in\n%s", file, smaps)
	}
	releaseProgramPages()
	if got := strings.ToUpper(strings.Repeat("page ", 3)); got != "PAGE PAGE PAGE " {
		t.Errorf("got %q", got)
	}
}
