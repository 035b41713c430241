//go:build !linux

package term

import (
	"os"
	"testing"
)

func largePTY(t *testing.T) *os.File {
	t.Helper()
	t.Skip("no pseudo-terminal")
	return nil
}
