package cli

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"
	"golang.org/x/sys/unix"

	"wallboard/internal/simulator/world"
)

// damage is a kind of damage to a recording.
type damage struct {
	before func(t *testing.T, s *sitting) // called before the board opens again; nil: nothing
	beside func(x *seated, dir string)    // called while the board is open, with the expected words
	log    string                         // part of the log
}

// rewritten changes a file of the recording before the board opens again.
func rewritten(change func(b []byte) []byte) func(*testing.T, *sitting) {
	return func(t *testing.T, s *sitting) {
		t.Helper()
		for _, name := range recordedFiles(t, s.config.Record.Dir) {
			b, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(name, change(b), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// disk mounts a file system of 4 MB for the recordings. It requires root.
func disk(t *testing.T, s *sitting) {
	t.Helper()
	dir := s.config.Record.Dir
	if err := errors.Join(os.RemoveAll(dir), os.MkdirAll(dir, 0o700)); err != nil {
		t.Fatal(err)
	}
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "size=4m,mode=0700"); err != nil {
		t.Skip("no disk can be mounted here:", err)
	}
	t.Cleanup(func() { _ = unix.Unmount(dir, unix.MNT_DETACH) })
}

// went returns a function that rewinds by five minutes and waits for words.
func went(words ...string) func(*seated, string) {
	return func(x *seated, _ string) {
		x.press(":back 5m\n")
		x.shows(append([]string{"REWOUND"}, words...)...)
		x.press("Z")
	}
}

// damages returns all known kinds of damage.
func damages() map[string]damage {
	headed := func(behind []byte) func(b []byte) []byte { // keeps the header and replaces the rest
		return func(b []byte) []byte {
			end := bytes.IndexByte(b, '\n') + 1
			end += 9 + int(binary.LittleEndian.Uint32(b[end+1:]))
			return append(bytes.Clone(b[:end]), behind...)
		}
	}
	return map[string]damage{
		"disk full": {before: disk, beside: func(x *seated, dir string) {
			x.goesOn("before the disk is full")
			full := filepath.Join(dir, "full")
			if err := fill(full); err != nil {
				x.t.Fatal(err)
			}
			x.pass(time.Minute)
			x.shows("Nothing is being recorded", "no space left")
			x.goesOn("while the disk is full")
			if err := os.Remove(full); err != nil {
				x.t.Fatal(err)
			}
			x.pass(2 * time.Minute)
			if screen := x.screen(); strings.Contains(screen, "Nothing is being recorded") {
				x.t.Errorf("there is room again:\n%s", screen)
			}
		}, log: "recording interrupted"},
		"folder not writable": {before: func(t *testing.T, s *sitting) {
			disk(t, s)
			if err := unix.Mount("", s.config.Record.Dir, "", unix.MS_REMOUNT|unix.MS_RDONLY, ""); err != nil {
				t.Fatal(err)
			}
		}, beside: func(x *seated, _ string) { x.shows("Nothing is being recorded", "read-only file system") }, log: "recording failed"},
		"folder is a file": {before: func(t *testing.T, s *sitting) {
			dir := s.config.Record.Dir
			if err := errors.Join(os.RemoveAll(dir), os.WriteFile(dir, nil, 0o600)); err != nil {
				t.Fatal(err)
			}
		}, beside: func(x *seated, _ string) { x.shows("Nothing is being recorded", "not a directory") }, log: "recording failed"},
		"folder taken away": {beside: func(x *seated, dir string) {
			x.pass(10 * time.Second)
			if err := os.RemoveAll(dir); err != nil {
				x.t.Fatal(err)
			}
			x.pass(10 * time.Second)
			if files := recordedFiles(x.t, dir); len(files) != 1 || strings.Contains(x.screen(), "Nothing is being recorded") {
				x.t.Errorf("it is not recorded again: %q, in\n%s", files, x.screen())
			}
		}, log: "creating it again"},
		"budget reached": {before: func(t *testing.T, s *sitting) {
			s.config.Record.MaxSize = 8 << 20
			if err := os.Truncate(recordedFiles(t, s.config.Record.Dir)[0], 20<<20); err != nil {
				t.Fatal(err)
			}
		}, beside: func(x *seated, dir string) {
			x.pass(2 * time.Minute)
			if files := recordedFiles(x.t, dir); len(files) != 1 {
				x.t.Errorf("the oldest file did not go: %q", files)
			}
			x.press(":back 10m\n")
			x.shows("REWOUND", "The recording begins at ")
			x.press("Z")
		}},
		"clock set back": {before: func(t *testing.T, s *sitting) { // the recording begins in the future
			taped(t, s.config.Record.Dir, s.config.RTD.RecordingPlatform(), time.Now().Add(time.Hour), 0)
		}, beside: went(" · 5:0", "feed was live")},
		"killed": {before: rewritten(func(b []byte) []byte { return b[:len(b)*3/4] }), beside: went(" · 5:0", "feed was live")},
		"cut off": {
			before: rewritten(func(b []byte) []byte { return b[:len(b)/3] }),
			beside: went(" · 5:0", "nothing was recorded until "),
		},
		"altered": {before: rewritten(func(b []byte) []byte {
			for at := len(b) / 4; at < len(b)*3/4; at += 500 {
				b[at] ^= 0xff
			}
			return b
		}), beside: went(" · 5:0", "the recording is damaged here")},
		"later version": {before: rewritten(func(b []byte) []byte {
			return bytes.Replace(b, []byte("recording 1\n"), []byte("recording 3\n"), 1)
		}), beside: went("The recording begins at "), log: "later version"},
		"another platform": {before: func(_ *testing.T, s *sitting) { s.config.RTD.URL = "https://elsewhere.example/rtd" }, beside: went("The recording begins at ")},
		"zeros":            {before: rewritten(headed(make([]byte, 4<<20))), beside: went()},
		"bomb of zeros":    {before: rewritten(headed(bomb())), beside: went()},
	}
}

// block is a block of a recording.
func block(kind byte, payload []byte) []byte {
	b := binary.LittleEndian.AppendUint32([]byte{kind}, uint32(len(payload)))
	b = binary.LittleEndian.AppendUint32(b, crc32.Checksum(payload, crc32.MakeTable(crc32.Castagnoli)))
	return append(b, payload...)
}

// bomb returns a compressed chunk of 600 MB of zeros.
func bomb() []byte {
	var packed bytes.Buffer
	z, err := zstd.NewWriter(&packed, zstd.WithWindowSize(1<<20))
	piece := make([]byte, 1<<20)
	for n := 0; n < 600 && err == nil; n++ {
		_, err = z.Write(piece)
	}
	if err := errors.Join(err, z.Close()); err != nil {
		panic(err)
	}
	begin := time.Date(2000, 1, 1, 0, 4, 0, 0, time.UTC)
	return append(block('C', binary.AppendVarint(nil, begin.UnixMilli())), block('D', packed.Bytes())...)
}

// TestLiveGoesOnWhateverIsRecorded damages a recording and opens the board again: live data
// continues in every case, and the screen or the log reports the damage.
func TestLiveGoesOnWhateverIsRecorded(t *testing.T) {
	t.Parallel()
	for name, tt := range damages() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			bubble(t, func(t *testing.T) {
				s := newSitting(t, world.Options{Seed: 7, Services: 2, Groups: 2, Agents: 5})
				defer s.stop()
				dir := s.config.Record.Dir
				s.sits(10 * time.Minute)
				if tt.before != nil {
					tt.before(t, s)
				}
				s.sitsBeside(time.Second, func(x *seated) {
					x.pass(5 * time.Second)
					tt.beside(x, dir)
					x.goesOn("after all")
				})
				if log := s.log.String(); !strings.Contains(log, tt.log) {
					t.Errorf("the log has no %q:\n%s", tt.log, log)
				}
			})
		})
	}
}
