//go:build nonatsserver

package cluster

import (
	"errors"

	"github.com/nats-io/nats.go"
)

// errNoServer means that the program was built with the tag nonatsserver and must run its own NATS
// server.
var errNoServer = errors.New("this build of wallboard has no NATS server of its own: name existing NATS servers in cluster.servers, or install the complete build")

// CheckBuild returns an error if this build of the program lacks something that a cluster needs.
// servers are the addresses of existing NATS servers.
func CheckBuild(servers []string) error {
	if len(servers) == 0 {
		return errNoServer
	}
	return nil
}

// embeddedServer stands for the NATS server that this build does not have. It has no values.
type embeddedServer struct{}

func startEmbedded(*Options, []string) (*embeddedServer, error) { return nil, errNoServer }

func (*embeddedServer) problem() string { return "" }

func (*embeddedServer) clientProvider() nats.InProcessConnProvider { return nil }

func (*embeddedServer) stop() {}
