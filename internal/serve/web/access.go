package web

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"

	"wallboard/internal/lib/securefile"
)

// Limits of the file with the access of browsers.
const (
	maxAccessBytes = 4 << 20
	maxLinks       = 1000
	maxDevices     = 10_000
	lockTimeout    = 5 * time.Second
	rereadInterval = 2 * time.Second // how often the file is checked for changes by commands
)

// LinkLifetime is how long a link can be used.
const LinkLifetime = 24 * time.Hour

const (
	deviceLifetime    = 400 * 24 * time.Hour // how long a device keeps its access without being used
	deviceUseInterval = 24 * time.Hour       // how often the use of a device is written to the file
)

// Device is a browser that a link has admitted.
type Device struct {
	Hash    string    `json:"sha256"` // hash of the secret in the browser's cookie
	User    string    `json:"user"`
	Since   time.Time `json:"since"`
	Browser string    `json:"browser"` // what the browser calls itself, without version numbers
	Link    string    `json:"link"`    // hash of the link
	Used    time.Time `json:"used"`    // when the device was last used, accurate to deviceUseInterval; zero: at Since
}

// isExpired reports whether a device was not used for so long that it has lost its access.
func (d *Device) isExpired(now time.Time) bool {
	used := d.Used
	if used.IsZero() {
		used = d.Since
	}
	return now.Sub(used) > deviceLifetime
}

// link is a link that was not used yet.
type link struct {
	Hash    string    `json:"sha256"`
	User    string    `json:"user"`
	Expires time.Time `json:"expires"`
}

// accessData is the content of the file.
type accessData struct {
	Links   []link   `json:"links"`
	Devices []Device `json:"devices"`
}

// Access is the file with the links and devices that may open the board. It contains only hashes,
// so that the file alone gives no access. Commands change it while the server runs. It is safe for
// concurrent use.
type Access struct {
	path string
	now  func() time.Time

	mu        sync.Mutex
	data      accessData
	byHash    map[string]*Device
	modified  time.Time // modification time of the file that data is from
	checkedAt time.Time // when the file was last checked for changes
}

// Errors of links and pictures.
var (
	errLinkUnknown = errors.New("the link is unknown, was used, or has expired")
	errOldPicture  = errors.New("the wall is not drawn any more")
	errDeviceLimit = errors.New("too many links or devices: remove some with wallboard serve unlink")
)

// OpenAccess reads the file at path, which need not exist.
func OpenAccess(path string, now func() time.Time) (*Access, error) {
	a := &Access{path: path, now: now}
	a.mu.Lock()
	defer a.mu.Unlock()
	return a, a.read()
}

// hashOf returns the hash of a secret. The secrets have 130 random bits, so a fast hash is
// enough.
func hashOf(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(sum[:])
}

// read reads the file. The caller must hold mu.
func (a *Access) read() error {
	a.checkedAt = a.now()
	info, err := os.Lstat(a.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		a.setData(accessData{}, time.Time{})
		return nil
	case err != nil:
		return fmt.Errorf("read the access of browsers: %w", err)
	case securefile.OthersPermissions(a.path, info) != 0:
		return fmt.Errorf("%s can be read by others: chmod 600 it", a.path)
	}
	text, err := securefile.Read(a.path, maxAccessBytes)
	if err != nil {
		return fmt.Errorf("read the access of browsers: %w", err)
	}
	var data accessData
	if err := json.Unmarshal(text, &data); err != nil {
		return fmt.Errorf("%s is damaged: remove it, and create new links", a.path)
	}
	a.setData(data, info.ModTime())
	return nil
}

func (a *Access) setData(data accessData, modified time.Time) {
	a.data, a.modified = data, modified
	a.byHash = make(map[string]*Device, len(data.Devices))
	for i := range data.Devices {
		a.byHash[data.Devices[i].Hash] = &a.data.Devices[i]
	}
}

// updateFile removes expired entries and applies edit to the file, under a lock against other processes.
func (a *Access) updateFile(edit func(*accessData) error) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if _, err := securefile.CreateFolder(filepath.Dir(a.path)); err != nil {
		return err
	}
	release, err := securefile.HoldLock(a.path+".lock", lockTimeout)
	if err != nil {
		return fmt.Errorf("change the access of browsers: %w", err)
	}
	defer release()
	if err := a.read(); err != nil {
		return err
	}
	data := accessData{Links: slices.Clone(a.data.Links), Devices: slices.Clone(a.data.Devices)}
	now := a.now()
	data.Links = slices.DeleteFunc(data.Links, func(l link) bool { return !now.Before(l.Expires) })
	data.Devices = slices.DeleteFunc(data.Devices, func(d Device) bool { return d.isExpired(now) })
	if err := edit(&data); err != nil {
		return err
	}
	if len(data.Links) > maxLinks || len(data.Devices) > maxDevices {
		return errDeviceLimit
	}
	text, err := json.MarshalIndent(data, "", " ")
	if err != nil {
		return fmt.Errorf("write the access of browsers: %w", err)
	}
	if len(text) >= maxAccessBytes { // a larger file could not be read again
		return errDeviceLimit
	}
	if err := securefile.Replace(a.path, append(text, '\n')); err != nil {
		return fmt.Errorf("write the access of browsers: %w", err)
	}
	return a.read()
}

// NewLink returns the secret of a new link for a user. The link works once, within [LinkLifetime].
func (a *Access) NewLink(user string) (secret string, err error) {
	secret = rand.Text()
	return secret, a.updateFile(func(d *accessData) error {
		d.Links = append(d.Links, link{Hash: hashOf(secret), User: user, Expires: a.now().Add(LinkLifetime).UTC()})
		return nil
	})
}

// Remove removes all links and devices of a user. It returns how many there were.
func (a *Access) Remove(user string) (n int, err error) {
	err = a.updateFile(func(d *accessData) error {
		before := len(d.Links) + len(d.Devices)
		d.Links = slices.DeleteFunc(d.Links, func(l link) bool { return l.User == user })
		d.Devices = slices.DeleteFunc(d.Devices, func(x Device) bool { return x.User == user })
		n = before - len(d.Links) - len(d.Devices)
		return nil
	})
	return n, err
}

// Devices returns the devices that have access.
func (a *Access) Devices() []Device {
	a.mu.Lock()
	defer a.mu.Unlock()
	now := a.now()
	return slices.DeleteFunc(slices.Clone(a.data.Devices), func(d Device) bool { return d.isExpired(now) })
}

// linkUser returns the user of a link that can be used.
func (a *Access) linkUser(secret string) (user string, ok bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.checkedAt = time.Time{} // the link may have been created a moment ago
	a.reread()
	hash := hashOf(secret)
	i := slices.IndexFunc(a.data.Links, func(l link) bool { return l.Hash == hash && a.now().Before(l.Expires) })
	if i < 0 {
		return "", false
	}
	return a.data.Links[i].User, true
}

// redeemLink uses up a link. It returns the user of the link and the secret of the new device.
func (a *Access) redeemLink(linkSecret, userAgent string) (user, secret string, err error) {
	secret = rand.Text()
	hash := hashOf(linkSecret)
	err = a.updateFile(func(d *accessData) error {
		i := slices.IndexFunc(d.Links, func(l link) bool { return l.Hash == hash })
		if i < 0 {
			return errLinkUnknown
		}
		user = d.Links[i].User
		d.Links = slices.Delete(d.Links, i, i+1)
		d.Devices = append(d.Devices, Device{Hash: hashOf(secret), User: user, Since: a.now().UTC(), Browser: browserOf(userAgent), Link: hash})
		return nil
	})
	return user, secret, err
}

// device returns the device with a secret.
func (a *Access) device(secret string) (Device, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.reread()
	d, ok := a.byHash[hashOf(secret)]
	if !ok || d.isExpired(a.now()) {
		return Device{}, false
	}
	return *d, true
}

// recordUse notes once a day that a device is used. If the file cannot be written, the next request
// tries again.
func (a *Access) recordUse(d Device) {
	now := a.now()
	if now.Sub(d.Used) < deviceUseInterval || now.Sub(d.Since) < deviceUseInterval {
		return
	}
	_ = a.updateFile(func(data *accessData) error {
		for i := range data.Devices {
			if data.Devices[i].Hash == d.Hash {
				data.Devices[i].Used = now.UTC()
			}
		}
		return nil
	})
}

// remove removes a device.
func (a *Access) remove(d Device) error {
	return a.updateFile(func(data *accessData) error {
		data.Devices = slices.DeleteFunc(data.Devices, func(x Device) bool { return x.Hash == d.Hash })
		return nil
	})
}

// reread reads the file if it has changed since it was last read. If it cannot be read, the access read
// before remains valid. The caller must hold mu.
func (a *Access) reread() {
	if now := a.now(); now.Sub(a.checkedAt) < rereadInterval && !now.Before(a.checkedAt) {
		return
	}
	a.checkedAt = a.now()
	var modified time.Time
	if info, err := os.Lstat(a.path); err == nil {
		modified = info.ModTime()
	}
	if !modified.Equal(a.modified) {
		_ = a.read() // on an error, the access read before remains valid
	}
}

// maxBrowserLength limits the stored name of a browser.
const maxBrowserLength = 200

// browserOf returns what a browser calls itself without the digits, which change with each update. With
// this name, the server notices a stolen cookie that another kind of browser sends.
func browserOf(userAgent string) string {
	text := strings.Map(func(r rune) rune {
		if unicode.IsDigit(r) || !unicode.IsPrint(r) || r > unicode.MaxASCII {
			return -1
		}
		return r
	}, userAgent)
	return text[:min(len(text), maxBrowserLength)]
}
