package web

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"wallboard/internal/lib/testkit"
)

// TestAccessFile changes links and devices with a server and with a command in another process.
func TestAccessFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(testkit.PrivateDir(t), "state", "access.json")
	now := time.Date(2026, time.November, 30, 12, 0, 0, 0, time.UTC)
	var mu sync.Mutex
	clock := func() time.Time { mu.Lock(); defer mu.Unlock(); return now }
	pass := func(d time.Duration) { mu.Lock(); defer mu.Unlock(); now = now.Add(d) }
	open := func() *Access {
		a, err := OpenAccess(path, clock)
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	server, command := open(), open()
	link, err := command.NewLink("anna")
	if err != nil {
		t.Fatal(err)
	}
	if user, ok := server.linkUser(link); user != "anna" || !ok {
		t.Errorf("a new link: %q, %v", user, ok)
	}
	user, secret, err := server.redeemLink(link, oldBrowser)
	if user != "anna" || err != nil || len(secret) < 26 {
		t.Errorf("use: %q, %v", user, err)
	}
	if _, _, err := server.redeemLink(link, oldBrowser); !errors.Is(err, errLinkUnknown) {
		t.Errorf("a second use: %v", err)
	}
	if _, ok := open().device(secret); !ok {
		t.Error("the device is unknown after a restart")
	}
	pass(deviceLifetime - time.Hour)
	d, ok := server.device(secret)
	if !ok {
		t.Error("a device loses its access too early")
	}
	server.recordUse(d)
	pass(deviceLifetime - time.Hour)
	if _, ok := server.device(secret); !ok {
		t.Error("a device that was used has lost its access")
	}
	idle := open()
	pass(2 * time.Hour)
	if _, ok := idle.device(secret); ok {
		t.Error("a device has access that was not used for too long")
	}
	pass(-2 * time.Hour)
	d, _ = server.device(secret)
	server.recordUse(d)
	late, err := command.NewLink("anna")
	if err != nil {
		t.Fatal(err)
	}
	pass(LinkLifetime)
	if _, ok := server.linkUser(late); ok {
		t.Error("a link works after a day")
	}
	if n, err := command.Remove("anna"); n != 1 || err != nil { // the expired link is gone already
		t.Errorf("%d removed, %v", n, err)
	}
	pass(2 * rereadInterval)
	if _, ok := server.device(secret); ok {
		t.Error("a removed device has access")
	}
}

// TestFullAccessFile checks that the file never grows beyond what can be read again.
func TestFullAccessFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(testkit.PrivateDir(t), "access.json")
	a, err := OpenAccess(path, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	if err := a.updateFile(func(d *accessData) error {
		for i := range maxDevices {
			d.Devices = append(d.Devices, Device{Hash: hashOf(fmt.Sprint(i)), User: "anna", Browser: strings.Repeat("x", maxBrowserLength), Link: hashOf("")})
		}
		return nil
	}); !errors.Is(err, errDeviceLimit) {
		t.Errorf("a file that is too large: %v", err)
	}
	if _, err := OpenAccess(path, time.Now); err != nil {
		t.Error(err)
	}
}

// TestBadAccessFile checks that a damaged file, or one that others can read, is refused at the start, and
// changes nothing while the server runs.
func TestBadAccessFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(testkit.PrivateDir(t), "access.json")
	now := time.Now()
	a, err := OpenAccess(path, func() time.Time { return now })
	if err != nil {
		t.Fatal(err)
	}
	link, err := a.NewLink("anna")
	if err != nil {
		t.Fatal(err)
	}
	_, secret, err := a.redeemLink(link, oldBrowser)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	now = now.Add(2 * rereadInterval)
	if _, ok := a.device(secret); !ok {
		t.Error("a damaged file takes the access away")
	}
	if _, err := OpenAccess(path, time.Now); err == nil || !strings.Contains(err.Error(), "damaged") {
		t.Errorf("a damaged file: %v", err)
	}
	if err := os.WriteFile(path, []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenAccess(path, time.Now); err == nil || !strings.Contains(err.Error(), "chmod 600") {
		t.Errorf("an open file: %v", err)
	}
}
