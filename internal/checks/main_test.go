// Package checks holds tests of the source tree: which package may import which, the
// size of types and packages, names, documents and licences.
package checks

import (
	"os"
	"testing"
)

// TestMain runs the tests in the root of the module.
func TestMain(m *testing.M) {
	if err := os.Chdir("../.."); err != nil {
		panic(err)
	}
	m.Run()
}
