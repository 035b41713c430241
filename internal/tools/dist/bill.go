package main

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"strings"
	"time"

	"github.com/CycloneDX/cyclonedx-go"
	"github.com/package-url/packageurl-go"
)

// writeBill writes the bill of materials of a program in the format CycloneDX. It lists the modules
// in the build information of the program.
func (r release) writeBill(t target, program string, modules []module) error {
	sum, err := checksum(program)
	if err != nil {
		return err
	}
	bom := cyclonedx.NewBOM()
	bom.SerialNumber = "" // a serial number would have to be random, but every build must give the same bytes
	self := cyclonedx.Component{
		BOMRef: "wallboard", Type: cyclonedx.ComponentTypeApplication, Name: "wallboard", Version: r.version,
		Hashes:     &[]cyclonedx.Hash{{Algorithm: cyclonedx.HashAlgoSHA256, Value: sum}},
		Properties: &[]cyclonedx.Property{{Name: "platform", Value: t.String()}, {Name: "commit", Value: r.commit}},
	}
	bom.Metadata = &cyclonedx.Metadata{Timestamp: r.date.Format(time.RFC3339), Component: &self}
	components, refs := []cyclonedx.Component{}, []string{}
	for _, m := range modules {
		url := moduleURL(m)
		components = append(components, cyclonedx.Component{
			BOMRef: url, Type: cyclonedx.ComponentTypeLibrary, Name: m.Path, Version: m.Version, PackageURL: url, Scope: cyclonedx.ScopeRequired,
		})
		refs = append(refs, url)
	}
	bom.Components = &components
	bom.Dependencies = &[]cyclonedx.Dependency{{Ref: self.BOMRef, Dependencies: &refs}}
	f, err := os.Create(r.path(t.system + "_" + t.arch + ".cdx.json"))
	if err != nil {
		return err
	}
	err = cyclonedx.NewBOMEncoder(f, cyclonedx.BOMFileFormatJSON).SetPretty(true).Encode(bom)
	return closeAfter(f, err)
}

// moduleURL returns the package URL of a module, such as pkg:golang/golang.org/x/net@v0.62.0.
func moduleURL(m module) string {
	namespace, name := "", m.Path
	if i := strings.LastIndex(m.Path, "/"); i >= 0 {
		namespace, name = m.Path[:i], m.Path[i+1:]
	}
	return packageurl.NewPackageURL(packageurl.TypeGolang, namespace, name, strings.TrimPrefix(m.Version, "go"), nil, "").ToString()
}

// checksum returns the SHA-256 hash of a file in hexadecimal.
func checksum(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	_, err = io.Copy(h, f)
	return hex.EncodeToString(h.Sum(nil)), err
}

// closeAfter closes f after writing to it. It returns err, the error of writing, or else the error
// of closing.
func closeAfter(f io.Closer, err error) error {
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	return err
}
