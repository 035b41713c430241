package main

import (
	"archive/tar"
	"bytes"
	"context"
	"encoding/pem"
	"io"
	"os"
	"path/filepath"
	"strconv"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"
	"golang.org/x/crypto/x509roots/fallback/bundle"
)

// imageUser is the ID of the user that runs the image and owns /state.
const imageUser = 65532

// writeImage writes an image for the Linux targets, as a tar archive of an OCI layout. The image
// contains the program, license texts, root certificates and time zones. It runs as user 65532 and
// keeps its state in /state.
func (r release) writeImage(ctx context.Context, targets []target) error {
	certificates := filepath.Join(r.work, "ca-certificates.crt")
	if err := writeCertificates(certificates); err != nil {
		return err
	}
	root, err := goRoot(ctx)
	if err != nil {
		return err
	}
	index := mutate.IndexMediaType(empty.Index, types.OCIImageIndex)
	for _, t := range targets {
		program, err := r.compile(ctx, t)
		if err != nil {
			return err
		}
		img, err := r.image(t, []file{
			{"etc/ssl/certs/ca-certificates.crt", certificates, 0o644},
			{"usr/bin/wallboard", program, 0o755},
			{"usr/share/doc/wallboard/LICENCES.txt", filepath.Join(filepath.Dir(program), "LICENCES.txt"), 0o644},
			{"usr/share/zoneinfo.zip", filepath.Join(root, "lib/time/zoneinfo.zip"), 0o644},
		})
		if err != nil {
			return err
		}
		index = mutate.AppendManifests(index, mutate.IndexAddendum{Add: img, Descriptor: v1.Descriptor{
			Platform:    &v1.Platform{OS: t.system, Architecture: t.arch},
			Annotations: map[string]string{"org.opencontainers.image.ref.name": r.version},
		}})
	}
	folder := filepath.Join(r.work, "oci")
	if _, err := layout.Write(folder, index); err != nil {
		return err
	}
	files, err := filesBelow(folder, "")
	if err != nil {
		return err
	}
	f, err := os.Create(r.path("oci.tar"))
	if err != nil {
		return err
	}
	return closeAfter(f, writeTar(f, "", files, r.date))
}

// image returns the image for a target, with one layer.
func (r release) image(t target, files []file) (v1.Image, error) {
	var tape bytes.Buffer
	content := tar.NewWriter(&tape)
	for _, dir := range []*tar.Header{{Name: "state/", Mode: 0o750, Uid: imageUser, Gid: imageUser}, {Name: "tmp/", Mode: 0o1777}} {
		dir.Typeflag, dir.ModTime, dir.Format = tar.TypeDir, r.date, tar.FormatPAX
		if err := content.WriteHeader(dir); err != nil {
			return nil, err
		}
	}
	if err := addToTar(content, "", files, r.date); err != nil {
		return nil, err
	}
	if err := content.Close(); err != nil {
		return nil, err
	}
	layer, err := tarball.LayerFromOpener(func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(tape.Bytes())), nil }, tarball.WithMediaType(types.OCILayer))
	if err != nil {
		return nil, err
	}
	img := mutate.ConfigMediaType(mutate.MediaType(empty.Image, types.OCIManifestSchema1), types.OCIConfigJSON)
	img, err = mutate.Append(img, mutate.Addendum{Layer: layer, History: v1.History{CreatedBy: "make dist", Created: v1.Time{Time: r.date}}})
	if err != nil {
		return nil, err
	}
	c, err := img.ConfigFile()
	if err != nil {
		return nil, err
	}
	c = c.DeepCopy()
	c.OS, c.Architecture, c.Created = t.system, t.arch, v1.Time{Time: r.date}
	c.Config = v1.Config{
		User: strconv.Itoa(imageUser), WorkingDir: "/", Entrypoint: []string{"/usr/bin/wallboard"},
		Env: []string{
			"PATH=/usr/bin", "LANG=C.UTF-8", "TERM=xterm-256color", "ZONEINFO=/usr/share/zoneinfo.zip",
			"XDG_CONFIG_HOME=/etc", "XDG_STATE_HOME=/state", "XDG_CACHE_HOME=/state/cache",
		},
		Volumes: map[string]struct{}{"/state": {}},
		Labels: map[string]string{
			"org.opencontainers.image.title": "wallboard", "org.opencontainers.image.version": r.version,
			"org.opencontainers.image.revision": r.commit, "org.opencontainers.image.licenses": "MIT", "org.opencontainers.image.url": r.url,
		},
	}
	return mutate.ConfigFile(img, c)
}

// writeCertificates writes Mozilla's root certificates, which come from a Go module.
func writeCertificates(path string) error {
	var b bytes.Buffer
	for root := range bundle.Roots() {
		if root.Constraint != nil {
			continue // a file of certificates cannot contain this restriction
		}
		if err := pem.Encode(&b, &pem.Block{Type: "CERTIFICATE", Bytes: root.Certificate}); err != nil {
			return err
		}
	}
	return os.WriteFile(path, b.Bytes(), 0o644)
}
