// Package recordtest makes recordings of simulated contact centers, of any length, for tests.
package recordtest

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"slices"
	"time"

	"wallboard/internal/record"
	"wallboard/internal/simulator/demo"
	"wallboard/internal/simulator/world"
)

// RecordFloor simulates a contact center and records it for a period of length last that ends at
// o.Start. It writes a snapshot per second to a file in dir and returns the path of the file.
func RecordFloor(ctx context.Context, dir string, o world.Options, last time.Duration) (path string, err error) {
	return RecordPlatformFloor(ctx, "", dir, o, last, time.Second)
}

// RecordPlatformFloor is like [RecordFloor], but the recording names a platform address, and
// step is the interval between snapshots.
func RecordPlatformFloor(ctx context.Context, platform, dir string, o world.Options, last, step time.Duration) (path string, err error) {
	tape, err := record.NewBatchWriter(dir, record.About{Board: "test", Names: "full", Platform: platform})
	if err != nil {
		return "", err
	}
	day := demo.NewPastDay(o)
	for s, err := range day.Snapshots(ctx, o.Start.Add(-last), step) {
		if err == nil {
			err = tape.Add(s)
		}
		if err != nil {
			return "", errors.Join(err, tape.Discard())
		}
	}
	if err := tape.Close(); err != nil {
		return "", err
	}
	found, err := filepath.Glob(filepath.Join(dir, "*.wbr"))
	if err != nil || len(found) != 1 {
		return "", fmt.Errorf("record a floor: %d files in %s: %w", len(found), dir, err)
	}
	return found[0], nil
}

// Sizes, in bytes, at the end of a segment file: the header of the block with the footer, and
// the trailer.
const (
	blockPrefix = 9
	trailer     = 8
)

// chunk is the entry of a chunk in the footer of a segment file.
type chunk struct {
	Offset int64     `json:"offset"`
	First  time.Time `json:"first"`
	Last   time.Time `json:"last"`
	Frames int       `json:"frames"`
}

// Extend repeats the chunks of a segment file with later times until the recorded period is at
// least as long as length.
func Extend(path string, length time.Duration) error {
	b, err := os.ReadFile(path) //nolint:gosec // the path comes from a test
	if err != nil {
		return err
	}
	at := binary.LittleEndian.Uint64(b[len(b)-trailer:])
	var foot struct {
		Chunks []chunk       `json:"chunks"`
		Marks  []record.Mark `json:"marks"`
	}
	if err := json.Unmarshal(b[at+blockPrefix:len(b)-trailer], &foot); err != nil {
		return fmt.Errorf("stretch: %w", err)
	}
	once := foot.Chunks
	round := once[len(once)-1].Last.Add(time.Second).Sub(once[0].First)
	body := slices.Clone(b[once[0].Offset:at])
	b = b[:at]
	for by := round; by < length; by += round {
		for _, c := range once {
			c.First, c.Last = c.First.Add(by), c.Last.Add(by)
			c.Offset += int64(len(b)) - once[0].Offset
			foot.Chunks = append(foot.Chunks, c)
		}
		b = append(b, body...)
	}
	at = uint64(len(b))
	text, err := json.Marshal(foot)
	if err != nil {
		return fmt.Errorf("stretch: %w", err)
	}
	b = append(b, 'F')
	b = binary.LittleEndian.AppendUint32(b, uint32(len(text))) //nolint:gosec // small
	b = binary.LittleEndian.AppendUint32(b, crc32.Checksum(text, crc32.MakeTable(crc32.Castagnoli)))
	b = binary.LittleEndian.AppendUint64(append(b, text...), at)
	return os.WriteFile(path, b, 0o600) //nolint:gosec // the path comes from a test
}
