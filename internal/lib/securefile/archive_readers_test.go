package securefile_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"testing"

	"wallboard/internal/lib/securefile"
	"wallboard/internal/lib/testkit"
)

// packed returns an archive with a manifest and one file.
func packed(t *testing.T, manifest, name string, content []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	zw := gzip.NewWriter(&out)
	tw := tar.NewWriter(zw)
	add := func(name string, content []byte) error {
		err := tw.WriteHeader(&tar.Header{Name: name, Size: int64(len(content)), Mode: 0o600, Typeflag: tar.TypeReg})
		_, writeErr := tw.Write(content)
		return errors.Join(err, writeErr)
	}
	if err := errors.Join(add("manifest.json", []byte(manifest)), add(name, content), tw.Close(), zw.Close()); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestReadMemory reads small archives that expand to much more: a file of zeros, and a manifest with
// very many empty files.
func TestReadMemory(t *testing.T) { //nolint:paralleltest // it measures memory
	const limit = 200 << 20
	zeros := make([]byte, 200<<20)
	sum := sha256.Sum256(zeros)
	list := func(size int, sum string) string {
		return fmt.Sprintf(`{"format": 1, "files": [{"name": "config/a", "size": %d, "sha256": %q}]}`, size, sum)
	}
	for name, c := range map[string]struct {
		text []byte
		want string
	}{
		"zeros":    {packed(t, list(len(zeros), hex.EncodeToString(sum[:])), "config/a", zeros), "times as large as the backup"},
		"manifest": {packed(t, `{"format": 1, "files": [`+strings.Repeat("{},", 20<<20)+"{}]}", "config/a", nil), "more than 1000000 elements"},
		"a lie":    {packed(t, list(60<<20, ""), "config/a", []byte("a")), "differs from the manifest"},
	} {
		if len(c.text) > 1<<20 {
			t.Fatalf("%s: the archive has %d bytes", name, len(c.text))
		}
		grown := testkit.HeapGrowth(func() {
			if _, err := securefile.ReadArchive(bytes.NewReader(c.text), int64(len(c.text))); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: %v", name, err)
			}
		})
		if t.Logf("%s: %d KB, the heap grows by %d MB", name, len(c.text)>>10, grown>>20); grown > limit {
			t.Errorf("%s: the heap grows by %d MB", name, grown>>20)
		}
	}
}
