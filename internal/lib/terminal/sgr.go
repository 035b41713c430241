package terminal

// SGRLen returns the length, in bytes, of the style sequence (SGR) at the start of s, or 0 if
// s does not begin with one.
func SGRLen[T string | []byte](s T) int {
	if len(s) < 3 || s[0] != '\x1b' || s[1] != '[' {
		return 0
	}
	for i := 2; i < len(s); i++ {
		switch b := s[i]; {
		case b == 'm':
			return i + 1
		case b != ';' && b != ':' && (b < '0' || b > '9'):
			return 0
		}
	}
	return 0
}
