package cli

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

// TestScaleOfTheProgram measures the whole program, a process of its own on a
// terminal, on a large floor: its platform is another process. What it takes of
// the processor is counted, not how long that lasts. It takes minutes and a
// machine that has nothing else to do:
//
//	SCALE=2m go test ./cli -run ScaleOfTheProgram -v -timeout 30m
func TestScaleOfTheProgram(t *testing.T) { //nolint:paralleltest // it measures
	long, err := time.ParseDuration(os.Getenv("SCALE"))
	if err != nil {
		t.Skip("SCALE says for how long")
	}
	for _, c := range []struct {
		agents, updates int     // updates of agents' figures per second
		resident, core  float64 // at most: MiB at any time, and the part of one core
	}{
		{5_000, 2_000, 150, 0.6},
		{20_000, 8_000, 450, 0.6},
	} {
		t.Run(fmt.Sprint(c.agents), func(t *testing.T) {
			fo := platform(t, fmt.Sprintf("--agents %d --services 40 --groups 20 --channels 2 --drama=false --updates %d", c.agents, c.updates))
			x := newTerminal(t, t.TempDir(), "--config", configFile(t, fmt.Sprintf(
				"[ui]\ntheme = \"dark\"\npage = \"Agents\"\n[rtd]\nurl = %q\nws_url = %q\naccess_token = \"demo-token\"\n", fo.URL, fo.WSURL)))
			began := time.Now()
			x.until("LIVE", func(screen string) bool { return strings.Contains(screen, "● LIVE") })
			t.Logf("LIVE after %v, for %v of the processor", time.Since(began), processorTime(t, x.cmd.Process.Pid))
			before, began := processorTime(t, x.cmd.Process.Pid), time.Now()
			seen, live := 0, 0
			for time.Since(began) < long {
				<-time.After(100 * time.Millisecond)
				screen := x.text()
				if seen++; strings.Contains(screen, "● LIVE") {
					live++
				} else if seen-live == 1 {
					t.Logf("LIVE went after %v:\n%s", time.Since(began), screen)
				}
			}
			core := float64(processorTime(t, x.cmd.Process.Pid)-before) / float64(time.Since(began))
			most := mostResident(t, x.cmd.Process.Pid)
			t.Logf("%.0f MiB at most, %.0f %% of a core, LIVE at %d of %d looks", most, 100*core, live, seen)
			if live < seen {
				t.Errorf("LIVE at %d of %d looks", live, seen)
			}
			if most > c.resident || core > c.core {
				t.Errorf("want %.0f MiB and %.0f %% of a core at most", c.resident, 100*c.core)
			}
		})
	}
}

// mostResident is the most memory that a process ever had, in MiB.
func mostResident(t *testing.T, pid int) float64 {
	t.Helper()
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := bytes.Cut(b, []byte("VmHWM:"))
	var kb float64
	if _, err := fmt.Sscan(string(rest), &kb); err != nil {
		t.Fatal(err)
	}
	return kb / 1024
}

// processorTime is how long a process has used the processor, to 10 ms.
func processorTime(t *testing.T, pid int) time.Duration {
	t.Helper()
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := bytes.Cut(b, []byte(") "))
	fields := bytes.Fields(rest)
	var user, system int
	if _, err := fmt.Sscan(string(bytes.Join(fields[11:13], []byte(" "))), &user, &system); err != nil {
		t.Fatal(err)
	}
	return time.Duration(user+system) * 10 * time.Millisecond
}
