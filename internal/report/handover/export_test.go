package handover

// Safe makes escapeText available to the tests.
func Safe(s string) string { return escapeText(s) }
