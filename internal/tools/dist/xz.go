package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"

	"github.com/blakesmith/ar"
)

// xzOptions returns the options of the program xz for packages of an architecture. For amd64, it converts
// addresses in the code, and does not expect values at multiples of four: the tables of a Go program
// have none. All versions of xz can unpack that; the filter for arm64 needs a version from 2023 or later.
func xzOptions(arch string) []string {
	if arch == "amd64" {
		return []string{"--x86", "--lzma2=preset=9e,lc=4,pb=0"}
	}
	return []string{"-9"}
}

// compressDeb compresses data.tar in a deb with the program xz. The result is a fifth smaller
// than with the xz of nfpm. It uses one thread, so that it writes the same bytes on every machine.
func compressDeb(ctx context.Context, path string, options []string) error {
	deb, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var out bytes.Buffer
	w := ar.NewWriter(&out)
	if err := w.WriteGlobalHeader(); err != nil {
		return err
	}
	for r := ar.NewReader(bytes.NewReader(deb)); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return err
		}
		data, err := io.ReadAll(r)
		if err != nil {
			return err
		}
		if h.Name == "data.tar" {
			if data, err = runXZ(ctx, data, options...); err != nil {
				return err
			}
			h.Name, h.Size = "data.tar.xz", int64(len(data))
		}
		if err := w.WriteHeader(h); err != nil {
			return err
		}
		if _, err := w.Write(data); err != nil {
			return err
		}
	}
	return os.WriteFile(path, out.Bytes(), 0o644)
}

// runXZ returns the output of the program xz for data.
func runXZ(ctx context.Context, data []byte, options ...string) ([]byte, error) {
	xz := exec.CommandContext(ctx, "xz", append(options, "--threads=1", "--stdout")...)
	xz.Stdin, xz.Stderr = bytes.NewReader(data), os.Stderr
	out, err := xz.Output()
	if err != nil {
		return nil, fmt.Errorf("%w (the package xz-utils has it; DIST_COMPRESSION=zstd needs no other program)", err)
	}
	return out, nil
}

// The parts of an rpm before the payload: the lead, and two headers with an index of tags.
const (
	rpmLead    = 96
	rpmIntro   = 16   // magic, reserved, number of tags, size of the values
	rpmIndex   = 16   // tag, type, offset, count
	rpmSizeTag = 1000 // in the first header: size of the second header and the payload
	rpmAlign   = 8    // the second header begins at a multiple of rpmAlign
)

// compressRPM compresses the payload of an rpm, which is compressed by the xz of nfpm, with the
// program xz, and corrects the size and the two digests in the headers. The rpm must not be signed.
func compressRPM(ctx context.Context, path string, options []string) error {
	rpm, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	first, err := rpmHeader(rpm, rpmLead)
	if err != nil {
		return err
	}
	start := (rpmLead + len(first) + rpmAlign - 1) / rpmAlign * rpmAlign
	second, err := rpmHeader(rpm, start)
	if err != nil {
		return err
	}
	before := rpm[start+len(second):]
	files, err := runXZ(ctx, before, "-d")
	if err != nil {
		return err
	}
	payload, err := runXZ(ctx, files, options...)
	if err != nil {
		return err
	}
	inFirst, inSecond := bytes.Index(first, hexDigest(second)), bytes.Index(second, hexDigest(before))
	if inFirst < 0 || inSecond < 0 {
		return fmt.Errorf("%s: a digest is missing", path)
	}
	copy(second[inSecond:], hexDigest(payload))
	copy(first[inFirst:], hexDigest(second))
	tags := int(binary.BigEndian.Uint32(first[8:]))
	for i := range tags {
		entry := first[rpmIntro+i*rpmIndex:]
		if binary.BigEndian.Uint32(entry) == rpmSizeTag {
			value := first[rpmIntro+tags*rpmIndex+int(binary.BigEndian.Uint32(entry[8:])):]
			binary.BigEndian.PutUint32(value, uint32(len(second)+len(payload)))
		}
	}
	return os.WriteFile(path, append(rpm[:start+len(second):start+len(second)], payload...), 0o644)
}

// rpmHeader returns the header of an rpm that begins at a position.
func rpmHeader(rpm []byte, at int) ([]byte, error) {
	if len(rpm) < at+rpmIntro || !bytes.HasPrefix(rpm[at:], []byte{0x8e, 0xad, 0xe8, 1}) {
		return nil, errors.New("not an rpm")
	}
	size := rpmIntro + int(binary.BigEndian.Uint32(rpm[at+8:]))*rpmIndex + int(binary.BigEndian.Uint32(rpm[at+12:]))
	if len(rpm) < at+size {
		return nil, errors.New("the rpm is cut off")
	}
	return rpm[at : at+size], nil
}

// hexDigest returns the SHA-256 digest of data as text.
func hexDigest(data []byte) []byte {
	sum := sha256.Sum256(data)
	return hex.AppendEncode(nil, sum[:])
}
