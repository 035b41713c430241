//go:build !linux

package powersave

// releaseProgramPages does nothing, because only Linux counts the mapped pages of the program
// file as memory of the process.
func releaseProgramPages() {}
