package record

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"wallboard/internal/lib/secret"
	"wallboard/internal/lib/testkit"
	"wallboard/model"
)

// newLock returns a lock with a new key, and the path of the file with the private key.
func newLock(t *testing.T) (secret.Lock, string) {
	t.Helper()
	public, path := testkit.AgeKey(t)
	return secret.Lock{public}, path
}

// TestEncryptedRecording records with a lock and compares the result with a recording of the same
// floor without one: with the key it has the same content, and without it no text of the floor is
// in its bytes. A copy of its beginning, as a killed writer leaves it, opens too.
func TestEncryptedRecording(t *testing.T) {
	t.Parallel()
	lock, key := newLock(t)
	plainDir, sealedDir := testkit.PrivateDir(t), testkit.PrivateDir(t)
	for dir, locks := range map[string][]secret.Lock{plainDir: nil, sealedDir: {lock}} {
		synctest.Test(t, func(t *testing.T) {
			run(t, Options{Dir: dir, About: Metadata{Platform: "floor.example"}, Recipients: locks}, 150, func(i int, w *Writer) {
				if i == 20 {
					w.QueueMark(Mark{At: time.Now(), Kind: MarkNote, Text: "a note about the floor"})
				}
			})
		})
	}
	paths, err := segmentPaths(sealedDir)
	if err != nil || len(paths) != 1 {
		t.Fatal(paths, err)
	}
	raw, err := os.ReadFile(paths[0])
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"floor.example", "a note about the floor", "platform", "schema"} {
		if bytes.Contains(raw, []byte(text)) {
			t.Errorf("%q is readable", text)
		}
	}
	if _, err := Open(sealedDir); !errors.Is(err, secret.ErrNoKey) {
		t.Errorf("without a key: %v", err)
	}
	_, other := newLock(t)
	if _, err := OpenFiltered(sealedDir, nil, other); !errors.Is(err, secret.ErrNoKey) {
		t.Errorf("with another key: %v", err)
	}
	want := contentOf(t, plainDir)
	if got := contentOf(t, sealedDir, key); len(got) != len(want) || len(got) < 100 {
		t.Errorf("%d snapshots, want %d", len(got), len(want))
	} else {
		for i := range got {
			if !slices.Equal(got[i], want[i]) {
				t.Fatalf("snapshot %d differs", i)
			}
		}
	}
	testCutEncryptedFile(t, raw, key, len(want))
}

// testCutEncryptedFile reads the beginning of an encrypted file, whole and with one changed bit. raw
// is the file, snapshots the number of its snapshots, and key is the path of its key.
func testCutEncryptedFile(t *testing.T, raw []byte, key string, snapshots int) {
	t.Helper()
	begun := filepath.Join(testkit.PrivateDir(t), "begun.wbr")
	if err := os.WriteFile(begun, raw[:len(raw)*2/3], 0o600); err != nil {
		t.Fatal(err)
	}
	if n := len(contentOf(t, begun, key)); n < 50 || n > snapshots {
		t.Errorf("%d of %d snapshots before the end of a cut file", n, snapshots)
	}
	r, err := OpenFiltered(begun, nil, key)
	if err != nil || len(r.chunks) < 2 {
		t.Fatal(len(r.chunks), err)
	}
	begins, next, last := r.chunks[0].Offset, r.chunks[1].Offset, r.Info().Last
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	raw[(begins+next)/2] ^= 1
	if err := os.WriteFile(begun, raw[:len(raw)*2/3], 0o600); err != nil {
		t.Fatal(err)
	}
	r, err = OpenFiltered(begun, nil, key)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close() //nolint:errcheck // only read from
	if in := r.Info(); !in.Last.Equal(last) || !r.chunks[0].isDamaged {
		t.Errorf("one changed bit: until %v, want %v; the first chunk is marked damaged: %t", in.Last, last, r.chunks[0].isDamaged)
	}
}

// TestEncryptedBlocksCannotBeMoved exchanges two blocks of an encrypted file, with valid checksums:
// neither is accepted at the place of the other.
func TestEncryptedBlocksCannotBeMoved(t *testing.T) {
	t.Parallel()
	c, err := newBlockCipher(bytes.Repeat([]byte{1}, fileKeyBytes))
	if err != nil {
		t.Fatal(err)
	}
	first := c.seal(100, blockData, []byte("first"))
	if got, err := c.open(100, blockData, bytes.Clone(first)); err != nil || string(got) != "first" {
		t.Errorf("%q, %v", got, err)
	}
	for _, moved := range []struct {
		at   int64
		kind byte
	}{{101, blockData}, {100, blockMark}} {
		if _, err := c.open(moved.at, moved.kind, bytes.Clone(first)); !errors.Is(err, errTornBlock) {
			t.Errorf("%v: %v", moved, err)
		}
	}
}

// TestEncryptedExportIsSearched exports with hidden names and a lock: the file opens with the key
// only, and the search for names, which needs no key file, has read it.
func TestEncryptedExportIsSearched(t *testing.T) {
	t.Parallel()
	lock, key := newLock(t)
	dir := testkit.PrivateDir(t)
	synctest.Test(t, func(t *testing.T) { run(t, Options{Dir: dir}, 30, nil) })
	r, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close() //nolint:errcheck // only read from
	in := r.Info()
	path := filepath.Join(testkit.PrivateDir(t), "export.wbr")
	scrub := NewScrubber(model.NamesHidden, in.About)
	n, err := Export(t.Context(), r, in.First, in.Last, path, scrub, lock)
	if err != nil || n < 20 {
		t.Fatal(n, err)
	}
	if got := contentOf(t, path, key); len(got) != n {
		t.Errorf("%d snapshots, want %d", len(got), n)
	}
	if _, err := Open(path); !errors.Is(err, secret.ErrNoKey) {
		t.Errorf("without a key: %v", err)
	}
	clear(scrub.allowedTexts) // now no text of the file is allowed
	if err := scrub.check(path, openHeaderWith([]string{key})); !errors.Is(err, ErrNameRemains) {
		t.Errorf("the search did not read the encrypted file: %v", err)
	}
}
