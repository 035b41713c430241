package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/ProtonMail/go-crypto/openpgp"
	"github.com/ProtonMail/go-crypto/openpgp/armor"
	"github.com/ProtonMail/go-crypto/openpgp/clearsign"
	"github.com/ProtonMail/go-crypto/openpgp/packet"
)

// writeRepositories writes a signed apt repository to dir/apt and a signed rpm repository to
// dir/rpm. They contain the packages of this release and those that are already in these folders.
// Any web server can serve the repositories.
func (r release) writeRepositories(ctx context.Context, dir, key string) error {
	signer, err := readKey(key)
	if err != nil {
		return err
	}
	for format, folder := range map[string]string{"deb": "apt/pool", "rpm": "rpm"} {
		if err := copyPackages(r.out, filepath.Join(dir, folder), "."+format); err != nil {
			return err
		}
	}
	if err := r.writeApt(ctx, filepath.Join(dir, "apt"), signer); err != nil {
		return fmt.Errorf("apt repository: %w", err)
	}
	if err := r.writeRPM(ctx, filepath.Join(dir, "rpm"), signer); err != nil {
		return fmt.Errorf("rpm repository: %w", err)
	}
	fmt.Printf("apt:\n  curl -fsSL %[1]s/apt/wallboard.asc | sudo tee /etc/apt/keyrings/wallboard.asc >/dev/null\n"+
		"  echo 'deb [signed-by=/etc/apt/keyrings/wallboard.asc] %[1]s/apt stable main' | sudo tee /etc/apt/sources.list.d/wallboard.list\n"+
		"  sudo apt update && sudo apt install wallboard\n"+
		"rpm:\n  sudo rpm --import %[1]s/rpm/wallboard.asc\n  sudo curl -fsSL -o /etc/yum.repos.d/wallboard.repo %[1]s/rpm/wallboard.repo\n  sudo dnf install wallboard\n", r.url)
	return nil
}

// readKey reads an armored private key without a passphrase.
func readKey(path string) (*openpgp.Entity, error) {
	if path == "" {
		return nil, errors.New("the repository needs a private key: set DIST_KEY to its file (gpg --armor --export-secret-keys ID)")
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	keys, err := openpgp.ReadArmoredKeyRing(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	key := keys[0]
	switch {
	case key.PrivateKey == nil:
		return nil, fmt.Errorf("%s is a public key, not a private one", path)
	case key.PrivateKey.Encrypted:
		return nil, fmt.Errorf("%s has a passphrase: export the key without one", path)
	}
	if _, ok := key.SigningKey(time.Now()); !ok {
		return nil, fmt.Errorf("%s cannot sign: it has expired or is revoked", path)
	}
	return key, nil
}

func copyPackages(from, to, extension string) error {
	packages, err := filepath.Glob(filepath.Join(from, "*"+extension))
	if err != nil {
		return err
	}
	if len(packages) == 0 {
		return fmt.Errorf("%s has no %s package: run make dist first", from, extension)
	}
	if err := os.MkdirAll(to, 0o755); err != nil {
		return err
	}
	for _, p := range packages {
		if err := rewrite(p, filepath.Join(to, filepath.Base(p)), func(b []byte) []byte { return b }); err != nil {
			return err
		}
	}
	return nil
}

// writeApt writes the indexes of the suite "stable" with the component "main".
func (r release) writeApt(ctx context.Context, dir string, signer *openpgp.Entity) error {
	archs := []string{"amd64", "arm64"}
	for _, arch := range archs {
		folder := filepath.Join(dir, "dists/stable/main/binary-"+arch)
		if err := os.MkdirAll(folder, 0o755); err != nil {
			return err
		}
		index, err := output(ctx, dir, "apt-ftparchive", "--arch", arch, "packages", "pool")
		if err != nil {
			return fmt.Errorf("%w (Debian's package apt-utils has it)", err)
		}
		if err := os.WriteFile(filepath.Join(folder, "Packages"), index, 0o644); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(folder, "Packages.gz"), compressed(index), 0o644); err != nil {
			return err
		}
	}
	suite := filepath.Join(dir, "dists/stable")
	for _, name := range []string{"Release", "Release.gpg", "InRelease"} {
		_ = os.Remove(filepath.Join(suite, name)) // otherwise the new index would list the old one
	}
	const option = "APT::FTPArchive::Release::"
	release, err := output(ctx, dir, "apt-ftparchive", "-o", option+"Origin=wallboard", "-o", option+"Label=wallboard", "-o", option+"Suite=stable",
		"-o", option+"Codename=stable", "-o", option+"Components=main", "-o", option+"Architectures="+strings.Join(archs, " "), "release", "dists/stable")
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(suite, "Release"), release, 0o644); err != nil {
		return err
	}
	if err := writeFile(filepath.Join(suite, "Release.gpg"), func(w io.Writer) error {
		return openpgp.ArmoredDetachSign(w, signer, bytes.NewReader(release), nil)
	}); err != nil {
		return err
	}
	if err := writeFile(filepath.Join(suite, "InRelease"), func(w io.Writer) error {
		key, _ := signer.SigningKey(time.Now())
		c, err := clearsign.Encode(w, key.PrivateKey, &packet.Config{})
		if err != nil {
			return err
		}
		_, err = c.Write(release)
		return closeAfter(c, err)
	}); err != nil {
		return err
	}
	return writePublicKey(filepath.Join(dir, "wallboard.asc"), signer)
}

// writeRPM writes the metadata of the rpm repository, and a file for /etc/yum.repos.d.
func (r release) writeRPM(ctx context.Context, dir string, signer *openpgp.Entity) error {
	if _, err := output(ctx, dir, "createrepo_c", "--quiet", "--revision", strconv.FormatInt(r.date.Unix(), 10), "--set-timestamp-to-revision", "."); err != nil {
		return fmt.Errorf("%w (the package createrepo-c or createrepo_c has it)", err)
	}
	index, err := os.ReadFile(filepath.Join(dir, "repodata/repomd.xml"))
	if err != nil {
		return err
	}
	if err := writeFile(filepath.Join(dir, "repodata/repomd.xml.asc"), func(w io.Writer) error {
		return openpgp.ArmoredDetachSign(w, signer, bytes.NewReader(index), nil)
	}); err != nil {
		return err
	}
	repo := fmt.Sprintf("[wallboard]\nname=wallboard\nbaseurl=%[1]s/rpm\nenabled=1\nrepo_gpgcheck=1\ngpgcheck=0\ngpgkey=%[1]s/rpm/wallboard.asc\n", r.url)
	if err := os.WriteFile(filepath.Join(dir, "wallboard.repo"), []byte(repo), 0o644); err != nil {
		return err
	}
	return writePublicKey(filepath.Join(dir, "wallboard.asc"), signer)
}

func writePublicKey(path string, key *openpgp.Entity) error {
	return writeFile(path, func(w io.Writer) error {
		a, err := armor.Encode(w, openpgp.PublicKeyType, nil)
		if err != nil {
			return err
		}
		return closeAfter(a, key.Serialize(a))
	})
}

// writeFile creates a file whose content the function write writes.
func writeFile(path string, write func(io.Writer) error) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	return closeAfter(f, write(f))
}

// output runs a program in a folder and returns its standard output.
func output(ctx context.Context, dir, name string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Stderr = dir, os.Stderr
	return cmd.Output()
}
