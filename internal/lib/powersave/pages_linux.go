package powersave

import (
	"fmt"
	"os"
	"strings"
	"syscall"
)

// releaseProgramPages removes the pages of the program file from the memory of the process.
// The kernel keeps them in its cache and maps sixteen of them again when the program uses one.
// Without releaseProgramPages, most of the file would stay mapped, because the start of the
// program runs code of every package.
func releaseProgramPages() {
	file, err := os.Readlink("/proc/self/exe")
	if err != nil {
		return
	}
	smaps, err := os.ReadFile("/proc/self/smaps")
	if err != nil {
		return
	}
	for _, m := range unwrittenMappings(string(smaps), file) {
		// An error only means that the pages stay mapped.
		_, _, _ = syscall.Syscall(syscall.SYS_MADVISE, m.start, m.end-m.start, syscall.MADV_DONTNEED)
	}
}

// mapping is a range of addresses.
type mapping struct{ start, end uintptr }

// unwrittenMappings returns the read-only mappings of a file that contain no changed page. A
// page that was changed, for example by a relocation or a breakpoint, could not be read from
// the file again. smaps has the format of /proc/self/smaps.
func unwrittenMappings(smaps, file string) []mapping {
	var found []mapping
	var current mapping
	for line := range strings.Lines(smaps) {
		fields := strings.Fields(line)
		if len(fields) < 2 {
			continue
		}
		switch name, isField := strings.CutSuffix(fields[0], ":"); {
		case !isField:
			current = mapping{}
			if isReadOnly := fields[1] == "r-xp" || fields[1] == "r--p"; isReadOnly && strings.HasSuffix(strings.TrimSpace(line), file) {
				_, _ = fmt.Sscanf(fields[0], "%x-%x", &current.start, &current.end) // the kernel writes addresses in this form
			}
		case name == "Anonymous" && fields[1] == "0" && current.end > current.start:
			found = append(found, current)
		case name == "Swap" && fields[1] != "0" && len(found) > 0 && found[len(found)-1] == current: // changed pages on disk
			found = found[:len(found)-1]
		}
	}
	return found
}
