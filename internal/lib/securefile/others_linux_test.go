package securefile

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestSoleMember(t *testing.T) {
	t.Parallel()
	const users, groups = "root:x:0:0::/root:/bin/sh\nanna:x:1000:1000::/:/bin/sh\nbert:x:1001:1001::/:/bin/sh\n", "root:x:0:\nanna:x:1000:\nbert:x:1001:bert\nstaff:x:50:anna\n"
	for name, tt := range map[string]struct {
		users, groups string
		uid, gid      int
		want          bool
	}{
		"her own":                       {users, groups, 1000, 1000, true},
		"with himself in the list":      {users, groups, 1001, 1001, true},
		"of another user":               {users, groups, 1000, 1001, false},
		"not the primary one":           {users, groups, 1000, 50, false},
		"a second member":               {users, strings.Replace(groups, "anna:x:1000:", "anna:x:1000:anna,bert", 1), 1000, 1000, false},
		"primary of a second user":      {users + "carl:x:1002:1000::/:/bin/sh\n", groups, 1000, 1000, false},
		"a second name of the same id":  {users + "admin:x:1000:1000::/:/bin/sh\n", groups, 1000, 1000, true},
		"a second line of the group":    {users, groups + "more:x:1000:bert\n", 1000, 1000, false},
		"a group that is not listed":    {users, "root:x:0:\n", 1000, 1000, false},
		"a user that is not listed":     {"root:x:0:0::/root:/bin/sh\n", groups, 1000, 1000, false},
		"users of a directory service":  {users + "+::::::\n", groups, 1000, 1000, false},
		"groups of a directory service": {users, groups + "+:::\n", 1000, 1000, false},
		"lines that are no accounts":    {"# users\n\n" + users, "# groups\n\n" + groups, 1000, 1000, true},
		"nothing":                       {"", "", 1000, 1000, false},
	} {
		if got := isSoleMember([]byte(tt.users), []byte(tt.groups), tt.uid, tt.gid); got != tt.want {
			t.Errorf("%s: %v, want %v", name, got, tt.want)
		}
	}
}

// TestOthers gives a file the group of this user, which may be private to the user, and then the group of
// other users.
func TestOthers(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, 0o664); err != nil {
		t.Fatal(err)
	}
	others := func() os.FileMode {
		t.Helper()
		info, err := os.Lstat(path)
		if err != nil {
			t.Fatal(err)
		}
		return OthersPermissions(path, info)
	}
	info, err := os.Lstat(path)
	if err != nil {
		t.Fatal(err)
	}
	want := os.FileMode(0o064)
	if isPrivateGroup(path, info) {
		want = 0o004
	}
	if got := others(); got != want {
		t.Errorf("with group %d: %04o, want %04o", info.Sys().(*syscall.Stat_t).Gid, got, want) //nolint:forcetypeassert // it is Linux
	}
	if err := os.Chown(path, -1, 65534); err != nil {
		t.Skip("only root can give a file to any group")
	}
	if got := others(); got != 0o064 {
		t.Errorf("with a group of others: %04o, want 0064", got)
	}
}
