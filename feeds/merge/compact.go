package merge

import "bytes"

// AppendCompact appends a message to dst without the members that are null, which
// say nothing: most of an update is. It merges as the message itself does. The
// first and the last member of an object stay: one that is left with nothing but
// its __typename says something else. What is no JSON stays as it is.
func AppendCompact(dst, payload []byte) []byte {
	const null = ":null,"
	first := len(dst)
	for {
		at := bytes.IndexByte(payload, '"')
		if at < 0 {
			return append(dst, payload...)
		}
		dst, payload = append(dst, payload[:at]...), payload[at:]
		size := stringSize(payload)
		if size == 0 {
			return append(dst, payload...)
		}
		if rest := payload[size:]; len(dst) > first && dst[len(dst)-1] == ',' && len(rest) >= len(null) && string(rest[:len(null)]) == null {
			payload = rest[len(null):]
			continue
		}
		dst, payload = append(dst, payload[:size]...), payload[size:]
	}
}

// stringSize returns the size of the string that b begins with, quotes included,
// 0 where it does not end.
func stringSize(b []byte) int {
	for i := 1; ; i++ {
		if i += plainRun(b[min(i, len(b)):]); i >= len(b) {
			return 0
		}
		switch b[i] {
		case '"':
			return i + 1
		case '\\':
			i++
		}
	}
}
