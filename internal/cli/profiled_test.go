package cli

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/pprof"
)

// profileEnv names the folder for profiles of a measured server, written between the lines
// "begin" and "end" on its input.
const profileEnv = "SERVE_PROFILE"

// answerTest answers the questions of a measuring test, one per line. The answer to "count" is the number
// of goroutines and the size of the live heap.
func answerTest() {
	var busy *os.File
	for asked := bufio.NewScanner(os.Stdin); asked.Scan(); {
		dir := os.Getenv(profileEnv)
		switch what := asked.Text(); {
		case what == "count":
			var m runtime.MemStats
			runtime.GC()
			runtime.GC() // frees what finalizers held in the first run
			runtime.ReadMemStats(&m)
			fmt.Println(runtime.NumGoroutine(), m.HeapAlloc)
			continue
		case dir == "":
		case what == "begin":
			busy = created(filepath.Join(dir, "cpu.pprof"))
			if err := pprof.StartCPUProfile(busy); err != nil {
				panic(err)
			}
		case what == "end":
			pprof.StopCPUProfile()
			kept := created(filepath.Join(dir, "heap.pprof"))
			runtime.GC()
			if err := errors.Join(pprof.WriteHeapProfile(kept), kept.Close(), busy.Close()); err != nil {
				panic(err)
			}
		}
		fmt.Println("done")
	}
}

func created(path string) *os.File {
	f, err := os.Create(path)
	if err != nil {
		panic(err)
	}
	return f
}
