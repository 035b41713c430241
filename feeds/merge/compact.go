package merge

import "bytes"

// AppendCompact appends a message to dst, leaving out null members. Most members of an update are
// null and change nothing, so merging the result has the same effect. The first and the last member
// of an object stay, because an object with only __typename has a different meaning. Invalid JSON
// is copied unchanged from the error on.
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

// stringSize returns the size in bytes of the string at the start of b, including the quotes, or 0
// if the string does not end.
func stringSize(b []byte) int {
	for i := 1; ; i++ {
		if i += plainRunLength(b[min(i, len(b)):]); i >= len(b) {
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
