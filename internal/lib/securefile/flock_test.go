//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package securefile_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"wallboard/internal/lib/securefile"
	"wallboard/internal/lib/testkit"
)

func openTwice(t *testing.T) (a, b *os.File) {
	t.Helper()
	path := filepath.Join(testkit.PrivateDir(t), "file")
	open := func() *os.File {
		f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = f.Close() })
		return f
	}
	return open(), open()
}

func TestLockKeepsOthersAway(t *testing.T) {
	t.Parallel()
	a, b := openTwice(t)
	if err := securefile.Lock(a, 0); err != nil {
		t.Fatal(err)
	}
	if err := securefile.Lock(b, 0); !errors.Is(err, securefile.ErrLocked) {
		t.Errorf("a second lock: %v", err)
	}
	if err := securefile.LockShared(b, 0); !errors.Is(err, securefile.ErrLocked) {
		t.Errorf("a shared lock beside an exclusive one: %v", err)
	}
	securefile.Unlock(a)
	if err := securefile.Lock(b, 0); err != nil {
		t.Errorf("after the unlock: %v", err)
	}
}

func TestSharedLocksGoTogether(t *testing.T) {
	t.Parallel()
	a, b := openTwice(t)
	if err := errors.Join(securefile.LockShared(a, 0), securefile.LockShared(b, 0)); err != nil {
		t.Fatal(err)
	}
	if err := securefile.Lock(b, 0); !errors.Is(err, securefile.ErrLocked) {
		t.Errorf("an exclusive lock beside a shared one: %v", err)
	}
}

func TestLockIsWaitedFor(t *testing.T) {
	t.Parallel()
	a, b := openTwice(t)
	if err := securefile.Lock(a, 0); err != nil {
		t.Fatal(err)
	}
	given := make(chan struct{})
	time.AfterFunc(20*time.Millisecond, func() {
		defer close(given)
		securefile.Unlock(a)
	})
	if err := securefile.Lock(b, 10*time.Second); err != nil {
		t.Errorf("a lock that is given back: %v", err)
	}
	<-given // wait before the file is closed
}

func TestHold(t *testing.T) {
	t.Parallel()
	path := filepath.Join(testkit.PrivateDir(t), "folder", "x.lock")
	release, err := securefile.HoldLock(path, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := securefile.HoldLock(path, 0); !errors.Is(err, securefile.ErrLocked) {
		t.Errorf("held twice: %v", err)
	}
	release()
	again, err := securefile.HoldLock(path, 0)
	if err != nil {
		t.Fatal(err)
	}
	again()
}
