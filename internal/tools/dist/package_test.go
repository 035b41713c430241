package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"debug/buildinfo"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/CycloneDX/cyclonedx-go"
	"github.com/ProtonMail/go-crypto/openpgp"
	"github.com/ProtonMail/go-crypto/openpgp/armor"
	"github.com/ProtonMail/go-crypto/openpgp/packet"
	"github.com/blakesmith/ar"
	"github.com/goreleaser/nfpm/v2"
	"github.com/goreleaser/nfpm/v2/files"
	"github.com/goreleaser/nfpm/v2/rpm"
	"github.com/klauspost/compress/zstd"
	rpmutils "github.com/sassoftware/go-rpmutils"
)

// entry is a file in a package.
type entry struct {
	mode        os.FileMode
	owner, text string
}

// one returns the only file of the release in $DIST with a suffix.
func one(t *testing.T, suffix string) string {
	t.Helper()
	dir := os.Getenv("DIST")
	if dir == "" {
		t.Skip("DIST names no release of make dist for linux/amd64")
	}
	found, err := filepath.Glob(filepath.Join(dir, "*"+suffix))
	if err != nil || len(found) != 1 {
		t.Fatalf("%s: %q, %v", suffix, found, err)
	}
	return found[0]
}

// readTar adds the files of a tar archive.
func readTar(t *testing.T, in io.Reader, files map[string]entry) {
	t.Helper()
	for r := tar.NewReader(in); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		files["/"+strings.Trim(strings.TrimPrefix(h.Name, "./"), "/")] = entry{os.FileMode(h.Mode).Perm(), h.Uname + ":" + h.Gname, string(text)}
	}
}

// unpacked returns a reader of compressed data.
func unpacked(t *testing.T, name string, in io.Reader) io.Reader {
	t.Helper()
	var out io.Reader
	var err error
	switch filepath.Ext(name) {
	case ".gz", ".apk":
		out, err = gzip.NewReader(in)
	case ".xz":
		out, err = unpackXZ(t.Context(), in)
	case ".zst":
		out, err = zstd.NewReader(in)
	default:
		t.Fatalf("%s is compressed in an unknown way", name)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// unpackXZ unpacks with the program xz, because the library lacks its filters.
func unpackXZ(ctx context.Context, in io.Reader) (io.Reader, error) {
	data, err := io.ReadAll(in)
	if err != nil {
		return nil, err
	}
	data, err = runXZ(ctx, data, "-d")
	return bytes.NewReader(data), err
}

func openFile(t *testing.T, path string) *os.File {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	return f
}

func readDeb(t *testing.T, path string) map[string]entry {
	t.Helper()
	files := make(map[string]entry)
	for r := ar.NewReader(openFile(t, path)); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return files
		} else if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(h.Name, ".tar") {
			readTar(t, unpacked(t, strings.TrimRight(h.Name, "/ "), r), files)
		}
	}
}

func readRPM(t *testing.T, path string) (files map[string]entry, config []string) {
	t.Helper()
	p, err := rpmutils.ReadRpm(openFile(t, path))
	if err != nil {
		t.Fatal(err)
	}
	infos, err := p.Header.GetFiles()
	if err != nil {
		t.Fatal(err)
	}
	files = make(map[string]entry)
	for _, i := range infos {
		files[i.Name()] = entry{mode: os.FileMode(i.Mode()).Perm(), owner: i.UserName() + ":" + i.GroupName()}
		if i.Flags()&rpmutils.RPMFILE_CONFIG != 0 && i.Flags()&rpmutils.RPMFILE_NOREPLACE != 0 {
			config = append(config, i.Name())
		}
	}
	return files, config
}

func TestPackages(t *testing.T) {
	t.Parallel()
	deb := readDeb(t, one(t, "_amd64.deb"))
	apk := make(map[string]entry)
	readTar(t, unpacked(t, ".apk", openFile(t, one(t, ".apk"))), apk)
	rpm, config := readRPM(t, one(t, ".rpm"))
	const configuration = "/etc/wallboard/config.toml"
	if !slices.Equal(config, []string{configuration}) {
		t.Errorf("the rpm keeps changes of %q", config)
	}
	if got := deb["/conffiles"].text; strings.TrimSpace(got) != configuration {
		t.Errorf("the deb keeps changes of %q", got)
	}
	for name, files := range map[string]map[string]entry{"deb": deb, "rpm": rpm, "apk": apk} {
		want := map[string]os.FileMode{
			"/usr/bin/wallboard": 0o755, "/etc/wallboard": 0o750, "/etc/wallboard/conf.d": 0o750, configuration: 0o640, "/usr/share/doc/wallboard/LICENCES.txt": 0o644,
			"/usr/share/doc/wallboard/CHANGELOG.md":          0o644,
			"/usr/share/man/man1/wallboard-serve-check.1.gz": 0o644, "/usr/share/bash-completion/completions/wallboard": 0o644,
			"/usr/share/fish/vendor_completions.d/wallboard.fish": 0o644,
		}
		if name != "apk" {
			want["/usr/lib/systemd/system/wallboard-serve.service"] = 0o644
			want["/usr/lib/systemd/system/wallboard-kiosk@.service"] = 0o644
			want["/usr/lib/sysusers.d/wallboard.conf"] = 0o644
			want["/usr/lib/tmpfiles.d/wallboard.conf"] = 0o644
		}
		for _, path := range []string{"/usr/share/doc/wallboard/" + debianChangelog, "/" + lintianOverrides} {
			if _, ok := files[path]; ok != (name == "deb") {
				t.Errorf("%s: %s is present: %t", name, path, ok)
			}
		}
		for path, mode := range want {
			if f, ok := files[path]; !ok || f.mode != mode {
				t.Errorf("%s: %s has mode %o, want %o (present: %t)", name, path, f.mode, mode, ok)
			}
		}
		if owner := files[configuration].owner; owner != "root:wallboard" {
			t.Errorf("%s: the configuration belongs to %s", name, owner)
		}
		for path, f := range files {
			if strings.Contains(f.text, "/usr/local/bin/wallboard") && strings.HasPrefix(path, "/usr/lib/") {
				t.Errorf("%s: %s starts another program", name, path)
			}
			if f.mode&0o022 != 0 {
				t.Errorf("%s: others may write %s", name, path)
			}
		}
	}
}

// TestDebianChangelog checks that the changes of the Debian package begin with its version.
func TestDebianChangelog(t *testing.T) {
	t.Parallel()
	path := one(t, "_amd64.deb")
	text, err := io.ReadAll(unpacked(t, debianChangelog, strings.NewReader(readDeb(t, path)["/usr/share/doc/wallboard/"+debianChangelog].text)))
	if err != nil {
		t.Fatal(err)
	}
	version := strings.Split(filepath.Base(path), "_")[1]
	if !strings.HasPrefix(string(text), "wallboard ("+version+") stable;") {
		t.Errorf("the package has version %s, its changelog: %s", version, text)
	}
	r := release{version: "1.4.0-rc.1"}
	if got := string(r.debianChanges()); !strings.HasPrefix(got, "wallboard (1.4.0~rc.1-1) stable;") {
		t.Errorf("a candidate: %s", got)
	}
}

// TestRPMChangelog checks that the changes of the rpm begin with its version.
func TestRPMChangelog(t *testing.T) {
	t.Parallel()
	p, err := rpmutils.ReadRpm(openFile(t, one(t, ".x86_64.rpm")))
	if err != nil {
		t.Fatal(err)
	}
	names, err := p.Header.GetStrings(rpmutils.CHANGELOGNAME)
	if err != nil || len(names) != 1 {
		t.Fatalf("%q, %v", names, err)
	}
	evra, err := p.Header.GetNEVRA()
	if err != nil {
		t.Fatal(err)
	}
	if want := " - " + evra.Version + "-" + evra.Release; !strings.HasSuffix(names[0], want) {
		t.Errorf("%q does not end with %q", names[0], want)
	}
}

// TestBillOfMaterials checks that the bill names every module of the program.
func TestBillOfMaterials(t *testing.T) {
	t.Parallel()
	f := openFile(t, one(t, "_linux_amd64.cdx.json"))
	bom := new(cyclonedx.BOM)
	if err := cyclonedx.NewBOMDecoder(f, cyclonedx.BOMFileFormatJSON).Decode(bom); err != nil {
		t.Fatal(err)
	}
	names := make(map[string]bool)
	for _, c := range *bom.Components {
		names[c.Name] = c.PackageURL != "" && c.Version != ""
	}
	archive := one(t, "_linux_amd64.tar.gz")
	info, err := buildinfo.Read(strings.NewReader(readArchive(t, archive, "wallboard")))
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range info.Deps {
		if !names[d.Path] {
			t.Errorf("%s of go version -m is missing", d.Path)
		}
	}
	if len(info.Deps)+1 != len(names) {
		t.Errorf("%d modules, want those of go version -m, %d, and std", len(names), len(info.Deps))
	}
	licences := readArchive(t, archive, "LICENCES.txt")
	for name := range names {
		if !strings.Contains(licences, "\n"+name+" ") {
			t.Errorf("LICENCES.txt has no text of %s", name)
		}
	}
}

// readArchive returns the text of a file in an archive.
func readArchive(t *testing.T, path, name string) string {
	t.Helper()
	files := make(map[string]entry)
	readTar(t, unpacked(t, path, openFile(t, path)), files)
	for p, f := range files {
		if filepath.Base(p) == name {
			return f.text
		}
	}
	t.Fatalf("%s has no %s", path, name)
	return ""
}

// TestImage checks that the layout has all blobs and runs the program as a user without rights.
func TestImage(t *testing.T) {
	t.Parallel()
	files := make(map[string]entry)
	readTar(t, openFile(t, one(t, "_oci.tar")), files)
	var index struct{ Manifests []struct{ Digest string } }
	if err := json.Unmarshal([]byte(files["/index.json"].text), &index); err != nil || len(index.Manifests) == 0 {
		t.Fatalf("%v: %s", err, files["/index.json"].text)
	}
	blob := func(digest string) []byte { return []byte(files["/blobs/"+strings.Replace(digest, ":", "/", 1)].text) }
	for _, m := range index.Manifests {
		var manifest struct {
			Config struct{ Digest string }
			Layers []struct{ Digest string }
		}
		if err := json.Unmarshal(blob(m.Digest), &manifest); err != nil || len(manifest.Layers) != 1 {
			t.Fatalf("%v: %s", err, blob(m.Digest))
		}
		if c := blob(manifest.Config.Digest); !bytes.Contains(c, []byte(`"User":"65532"`)) {
			t.Errorf("the image runs as another user: %s", c)
		}
		layer := make(map[string]entry)
		readTar(t, unpacked(t, ".gz", bytes.NewReader(blob(manifest.Layers[0].Digest))), layer)
		if layer["/usr/bin/wallboard"].mode != 0o755 || layer["/state"].mode != 0o750 || layer["/etc/ssl/certs/ca-certificates.crt"].text == "" {
			t.Error("the image lacks the program, certificates or the state")
		}
	}
}

func TestVersions(t *testing.T) {
	t.Parallel()
	for version, want := range map[string]bool{"1.2.3": true, "1.2.3-rc.1": true, "0.0.0-20261129.10825f51": true, "1.2": false, "devel": false, "1.2.3 ": false} {
		if semver.MatchString(version) != want {
			t.Errorf("%q is valid: %t", version, !want)
		}
	}
}

// TestReadKey checks that a key that cannot sign the repository is refused in words.
func TestReadKey(t *testing.T) {
	t.Parallel()
	write := func(created time.Time, kind string, serialize func(*openpgp.Entity, io.Writer) error) string {
		key, err := openpgp.NewEntity("Test", "", "test@wallboard.example", &packet.Config{
			Algorithm: packet.PubKeyAlgoEdDSA, KeyLifetimeSecs: 3600, Time: func() time.Time { return created },
		})
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), "key.asc")
		if err := writeFile(path, func(w io.Writer) error {
			a, err := armor.Encode(w, kind, nil)
			if err != nil {
				return err
			}
			return closeAfter(a, serialize(key, a))
		}); err != nil {
			t.Fatal(err)
		}
		return path
	}
	private := func(e *openpgp.Entity, w io.Writer) error { return e.SerializePrivateWithoutSigning(w, nil) }
	public := func(e *openpgp.Entity, w io.Writer) error { return e.Serialize(w) }
	for path, want := range map[string]string{
		"": "DIST_KEY",
		write(time.Now(), openpgp.PrivateKeyType, private):                   "",
		write(time.Now(), openpgp.PublicKeyType, public):                     "public key",
		write(time.Now().Add(-2*time.Hour), openpgp.PrivateKeyType, private): "expired",
		filepath.Join(t.TempDir(), "none"):                                   "no such file",
	} {
		_, err := readKey(path)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", path, err, want)
		}
	}
}

// TestCompressRPM checks the digests, the size and the files of an rpm after it was compressed again.
func TestCompressRPM(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("xz"); err != nil {
		t.Skip("needs the program xz")
	}
	dir := t.TempDir()
	text := strings.Repeat("the same line of a file\n", 10000)
	source, path := filepath.Join(dir, "file"), filepath.Join(dir, "x.rpm")
	if err := os.WriteFile(source, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	info := nfpm.WithDefaults(&nfpm.Info{Name: "x", Arch: "amd64", Version: "1.0.0", Maintainer: "x <x@example.com>", Overridables: nfpm.Overridables{
		Contents: files.Contents{{Source: source, Destination: "/usr/share/x", Type: files.TypeFile}},
		RPM:      nfpm.RPM{Compression: "xz", BuildHost: "localhost"},
	}})
	var b bytes.Buffer
	if err := errors.Join(nfpm.PrepareForPackager(info, "rpm"), nfpm.Validate(info), rpm.DefaultRPM.Package(info, &b), os.WriteFile(path, b.Bytes(), 0o600), compressRPM(t.Context(), path, []string{"-9"})); err != nil {
		t.Fatal(err)
	}
	after, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Equal(after, b.Bytes()) {
		t.Fatal("nothing has changed")
	}
	p, err := rpmutils.ReadRpm(bytes.NewReader(after))
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := rpmutils.Verify(bytes.NewReader(after), nil); err != nil {
		t.Error(err) // a digest is wrong
	}
	first, err := rpmHeader(after, rpmLead)
	if err != nil {
		t.Fatal(err)
	}
	rest := len(after) - (rpmLead+len(first)+rpmAlign-1)/rpmAlign*rpmAlign
	if size, err := p.Header.GetInts(rpmutils.SIG_SIZE); err != nil || size[0] != rest {
		t.Errorf("the size is %d, not %d: %v", size, rest, err)
	}
	// The library cannot read the filter for amd64: pack with it, and then without it.
	if err := compressRPM(t.Context(), path, xzOptions("amd64")); err != nil {
		t.Fatal(err)
	}
	filtered, err := os.ReadFile(path)
	if err != nil || bytes.Equal(filtered, after) {
		t.Fatalf("the filter changes nothing: %v", err)
	}
	if _, _, err := rpmutils.Verify(bytes.NewReader(filtered), nil); err != nil {
		t.Error(err)
	}
	if err := compressRPM(t.Context(), path, xzOptions("arm64")); err != nil {
		t.Fatal(err)
	}
	if again, err := os.ReadFile(path); err != nil || !bytes.Equal(again, after) {
		t.Errorf("packing again without the filter gives other bytes: %v", err)
	}
	r, err := p.PayloadReaderExtended()
	if err != nil {
		t.Fatal(err)
	}
	if f, err := r.Next(); err != nil || f.Name() != "/usr/share/x" {
		t.Fatal(f, err)
	}
	if got, err := io.ReadAll(r); err != nil || string(got) != text {
		t.Errorf("the file has %d bytes: %v", len(got), err)
	}
}
