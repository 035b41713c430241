package cluster

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"wallboard/internal/lib/testkit"
)

// smallDisk mounts a file system of a few megabytes until the test ends. full fills it, and empty frees
// the space again.
func smallDisk(t *testing.T) (dir string, full, empty func()) {
	t.Helper()
	dir = testkit.PrivateDir(t)
	if err := syscall.Mount("none", dir, "tmpfs", 0, "size=16m,mode=0700"); err != nil {
		t.Skip("a file system of its own: ", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(dir, syscall.MNT_DETACH) })
	rest := filepath.Join(dir, "rest")
	full = func() {
		f, err := os.OpenFile(rest, os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close() //nolint:errcheck // it cannot be written
		for part := bytes.Repeat([]byte("x"), 64<<10); len(part) > 0; part = part[:len(part)/2] {
			for {
				if _, err := f.Write(part); err != nil {
					if !errors.Is(err, syscall.ENOSPC) {
						t.Fatal(err)
					}
					break
				}
			}
		}
	}
	return dir, full, func() {
		if err := os.Remove(rest); err != nil {
			t.Fatal(err)
		}
	}
}

// TestDiskFull fills the disk of one node, and then the disks of all nodes: the snapshots continue
// without a break on one connection, and the boards report the problem. It is solved after the space is
// freed and the nodes are restarted.
func TestDiskFull(t *testing.T) {
	t.Parallel()
	inCluster(t)
	var full, empty []func()
	s := newFloor(t, func(_ int, o *Options) {
		dir, fill, free := smallDisk(t)
		o.Dir = filepath.Join(dir, "js")
		full, empty = append(full, fill), append(empty, free)
	})
	first, _ := s.settled()
	s.platform.most.Store(1)
	noted := func(i int) bool {
		return s.nodes[i].Shared.SendNote(t.Context(), "note", bytes.Repeat([]byte("n"), maxNoteBytes/2)) == nil
	}
	await(t, "notes are taken", func() bool { return noted(first) })
	goesOn := func(what string, long time.Duration, do func()) {
		t.Helper()
		for began := time.Now(); time.Since(began) < long; time.Sleep(20 * time.Millisecond) { //nolint:forbidigo // a while without a break
			do()
			for _, m := range s.nodes {
				if !m.live(3 * time.Second) {
					t.Fatalf("%s: %s after %v: %+v", what, m.o.Node, time.Since(began), m.Latest().Health)
				}
			}
		}
		if most := s.platform.most.Load(); most > 1 {
			t.Errorf("%s: %d connections at once", what, most)
		}
	}
	one := (first + 1) % 3
	full[one]()
	goesOn("one is full", 5*time.Second, func() { noted(first) })
	await(t, "it says so", func() bool { return strings.Contains(s.nodes[one].Latest().Health.Notice, "disk") })
	t.Log(s.nodes[one].Latest().Health.Notice)
	await(t, "the others take notes", func() bool { return noted(first) })

	for i := range full {
		if i != one {
			full[i]()
		}
	}
	goesOn("all are full", 10*time.Second, func() { go noted(first) })
	for _, m := range s.nodes {
		await(t, m.o.Node+" says so", func() bool { return strings.Contains(m.Latest().Health.Notice, "disk") })
	}
	for i := range s.nodes {
		empty[i]()
		s.end(i)
		s.start(i)
	}
	_, took := s.settled()
	t.Logf("all well %v after there is room", took)
	await(t, "notes are taken", func() bool { return noted(s.leader()) })
}
