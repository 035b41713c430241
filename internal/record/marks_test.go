package record

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"wallboard/internal/lib/testkit"
)

// TestMarksMemory opens files with as many marks and chunks as have room, in blocks or in
// the footer.
func TestMarksMemory(t *testing.T) { //nolint:paralleltest // it counts what is allocated
	path := filepath.Join(testkit.PrivateDir(t), "marks.wbr")
	var head bytes.Buffer
	seg, err := newSegment(&head, Metadata{}, morning, newFrameEncoder())
	if err != nil {
		t.Fatal(err)
	}
	at := seg.size
	begin := appendBlock(head.Bytes(), blockChunk, binary.AppendVarint(nil, morning.UnixMilli()))
	open := func(text []byte) {
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		r, err := Open(path)
		if err != nil {
			return
		}
		if n := len(r.Info().Marks); n > maxIndexEntries {
			t.Errorf("%d marks are kept", n)
		}
		_ = r.Close()
	}
	testkit.CheckMemory(t, []testkit.Pattern{
		{Repeated: string(appendBlock(nil, blockMark, []byte("{}")))},
		{Repeated: string(appendBlock(nil, blockMark, []byte(`{"text":"\u0301"}`)))},
		{Repeated: string(appendBlock(nil, blockChunk, binary.AppendVarint(nil, morning.UnixMilli())))},
	}, 200, func(text string) { open(append(bytes.Clone(begin), text...)) })
	chunk := fmt.Sprintf(`{"chunks":[{"offset":%d,"first":%q,"last":%[2]q,"frames":1}]`, at, morning.Format("2006-01-02T15:04:05Z07:00"))
	testkit.CheckMemory(t, []testkit.Pattern{
		{Before: chunk + `,"marks":[`, Repeated: "{},", After: "{}]}"},
		{Before: chunk + `,"marks":[`, Repeated: "0,", After: "0]}"},
		{Before: `{"chunks":[`, Repeated: "{},", After: "{}]}"},
		{Before: `{"chunks":`, Repeated: "[", After: "}"},
	}, 200, func(text string) {
		b := appendBlock(bytes.Clone(begin), blockFooter, []byte(text))
		open(binary.LittleEndian.AppendUint64(b, uint64(len(begin))))
	})
}
