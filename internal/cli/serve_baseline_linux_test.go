package cli

import (
	"os"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"

	"wallboard/internal/lib/testkit"
)

// share is the resource usage per viewer.
type share struct {
	core     float64 // percent of a core
	resident float64 // resident memory in MiB
	kept     float64 // live heap in MiB
}

// shareOf measures a number of viewers for a while.
func shareOf(t *testing.T, x *measuredServer, key ssh.Signer, viewers int) share {
	t.Helper()
	<-time.After(3 * time.Second)
	_, keptAlone := x.count()
	alone, rss := x.core(5*time.Second), resident(t, x.pid, "VmRSS")
	var clients []*client
	for range viewers {
		clients = append(clients, &client{key: key, width: 200, height: 60})
	}
	x.crowd(clients)
	<-time.After(5 * time.Second)
	core := x.core(30*time.Second) - alone
	out := share{core: core / float64(viewers), resident: (resident(t, x.pid, "VmRSS") - rss) / float64(viewers)}
	_, kept := x.count()
	out.kept = float64(kept-keptAlone) / float64(viewers) / (1 << 20)
	for _, c := range clients {
		_ = c.conn.Close()
	}
	return out
}

// TestBaseline compares the cost per viewer of `wallboard serve` with that of a server on wish that runs
// a Bubble Tea program per viewer. SERVE_BASELINE is the path of this server, built from proof/wish:
//
//	make served-baseline
func TestBaseline(t *testing.T) { //nolint:paralleltest // it measures
	program := os.Getenv("SERVE_BASELINE")
	if program == "" {
		t.Skip("SERVE_BASELINE names the other server")
	}
	const viewers = 60
	key := sshKey(t)
	ours := measureServer(t, "--agents 60", "", serveUser("anna", key, "page = \"Agents\"\nsessions = 100"))
	mine := shareOf(t, ours, key, viewers)
	fo := platform(t, "--agents 60")
	theirs := shareOf(t, startServer(t, program, testkit.PrivateDir(t), []string{fo.URL, fo.WSURL, fo.Credentials.AccessToken.Reveal(), "Agents"}), key, viewers)
	for _, one := range []struct {
		what       string
		ours, wish float64
	}{{"% of a core", mine.core, theirs.core}, {"MiB resident", mine.resident, theirs.resident}, {"MiB of heap", mine.kept, theirs.kept}} {
		t.Logf("a viewer takes %.3f %s, by wish %.3f: %.1f times as much", one.ours, one.what, one.wish, one.wish/one.ours)
		if one.ours*12 > one.wish {
			t.Error("the goal is missed: a twelfth of it")
		}
	}
}
