package graphql

import "strings"

// protocol describes the messages in which the two sub-protocols differ when they are sent.
// Received messages are distinguished by type alone, because servers mix the sub-protocols.
type protocol struct {
	name, startType, stopType string // name of the sub-protocol; types of the messages that start and stop an operation
	terminateType             string // type of the message that is sent before the close frame; "": none
	canPing                   bool   // the client may send the sub-protocol's own ping
}

// protocolFor returns the protocol of a session. offered are the sub-protocols that the client
// offered. chosen is the server's choice. Servers of the legacy protocol often choose none, which
// RFC 6455 allows. So no choice means the legacy protocol, unless only the newer one was offered.
func protocolFor(offered, chosen []string) (protocol, error) {
	transport := protocol{name: TransportWS, startType: "subscribe", stopType: "complete", canPing: true}
	legacy := protocol{name: LegacyWS, startType: "start", stopType: "stop", terminateType: "connection_terminate"}
	only := len(offered) == 1
	switch {
	case len(chosen) == 0 || len(chosen) == 1 && chosen[0] == "":
		if only && offered[0] == TransportWS {
			return transport, nil
		}
		return legacy, nil
	case len(chosen) == 1 && chosen[0] == TransportWS:
		return transport, nil
	case len(chosen) == 1 && chosen[0] == LegacyWS:
		return legacy, nil
	}
	offer := TransportWS
	if only {
		offer = OtherSubprotocol(offered[0])
	}
	return protocol{}, &SubprotocolError{Chosen: clipLine(strings.Join(chosen, ", ")), Offer: offer}
}
