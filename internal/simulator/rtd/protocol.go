package rtd

import (
	"encoding/json"

	"github.com/gorilla/websocket"

	"wallboard/internal/simulator/webservice"
)

// message is a message of one of the two sub-protocols.
type message struct {
	ID      string          `json:"id,omitempty"`
	Type    string          `json:"type"`
	Payload json.RawMessage `json:"payload,omitempty"`
}

// Message types of the two sub-protocols.
const (
	typeInit      = "connection_init"
	typeAck       = "connection_ack"
	typeError     = "error"
	typeComplete  = "complete"
	typePing      = "ping"
	typePong      = "pong"
	typeSubscribe = "subscribe"
	typeNext      = "next"

	typeConnectionError = "connection_error"
	typeTerminate       = "connection_terminate"
	typeStart           = "start"
	typeData            = "data"
	typeStop            = "stop"
)

// subprotocol implements the differences between the two sub-protocols.
type subprotocol interface {
	// handle handles a message from the client.
	handle(c *conn, m message)
	// answerInvalid answers an invalid message from the client. id is the operation's ID, or
	// "" if it is unknown.
	answerInvalid(c *conn, id, reason string)
	// dataType returns the type of messages that carry a result.
	dataType() string
	// errorMessage returns the message that ends the operation with the given ID. errs is a
	// JSON list of errors.
	errorMessage(id string, errs json.RawMessage) message
	// keepAliveMessage returns the message that the server sends at the interval of
	// [Options.KeepAlive].
	keepAliveMessage() []byte
	// clientsAnswerPings reports whether clients answer keep-alive messages.
	clientsAnswerPings() bool
}

func protocolFor(name string) (subprotocol, bool) {
	switch name {
	case SubprotocolTransport:
		return transportProtocol{}, true
	case SubprotocolLegacy:
		return legacyProtocol{}, true
	}
	return nil, false
}

// acceptInit reads the access token in the payload of connection_init. It returns false if the
// token is invalid. Without a token it returns true, because the client may have a cookie or
// log in later over the socket.
func (c *conn) acceptInit(payload json.RawMessage) bool {
	var p struct {
		AccessToken string `json:"accessToken"`
	}
	if json.Unmarshal(payload, &p) != nil || p.AccessToken == "" || !c.service.opts.Switches.SocketAuth.readsInit() {
		return true // without a token to check, any payload is accepted
	}
	c.caller.SetToken(p.AccessToken)
	return c.service.platform.Accounts.Authenticate(c.service.opts.Switches.Rules.acceptedCredentials(c.caller.Credentials))
}

// transportProtocol implements graphql-transport-ws.
type transportProtocol struct{}

func (transportProtocol) handle(c *conn, m message) {
	switch m.Type {
	case typeInit:
		if c.hasReceivedInit {
			c.close(closeTooManyInits, "Too many initialisation requests")
			return
		}
		c.hasReceivedInit = true
		if !c.acceptInit(m.Payload) {
			c.close(closeForbidden, "Forbidden")
			return
		}
		c.isAcknowledged.Store(true)
		c.sendJSON(message{Type: typeAck})
	case typePing:
		c.sendJSON(message{Type: typePong, Payload: m.Payload})
	case typePong:
	case typeSubscribe:
		if !c.isAcknowledged.Load() {
			c.close(closeUnauthorized, codeUnauthorized)
			return
		}
		req, ok := webservice.ParseRequest(m.Payload)
		if !ok || m.ID == "" {
			c.close(closeBadRequest, "Invalid message received")
			return
		}
		if !c.startOperation(m.ID, req) {
			c.close(closeDuplicateID, "Subscriber for "+m.ID+" already exists")
		}
	case typeComplete:
		c.stopOperation(m.ID)
	default:
		c.close(closeBadRequest, "Invalid message received")
	}
}

func (transportProtocol) answerInvalid(c *conn, _, reason string) { c.close(closeBadRequest, reason) }

func (transportProtocol) dataType() string { return typeNext }

func (transportProtocol) errorMessage(id string, errs json.RawMessage) message {
	return message{ID: id, Type: typeError, Payload: errs}
}

func (transportProtocol) keepAliveMessage() []byte { return []byte(`{"type":"ping"}`) }

func (transportProtocol) clientsAnswerPings() bool { return true }

// legacyProtocol implements graphql-ws, the older sub-protocol.
type legacyProtocol struct{}

func (p legacyProtocol) handle(c *conn, m message) {
	switch m.Type {
	case typeInit:
		c.hasReceivedInit = true
		if !c.acceptInit(m.Payload) {
			p.reject(c, unauthorizedError{"the access token is not valid"}.Error())
			return
		}
		c.isAcknowledged.Store(true)
		c.sendJSON(message{Type: typeAck})
		c.send(frame{websocket.TextMessage, p.keepAliveMessage()})
	case typeStart:
		if !c.isAcknowledged.Load() {
			p.reject(c, "start before connection_ack")
			return
		}
		req, ok := webservice.ParseRequest(m.Payload)
		if !ok || m.ID == "" {
			p.answerInvalid(c, m.ID, "Invalid message received")
			return
		}
		c.stopOperation(m.ID) // a second start with the same id replaces the first operation
		c.startOperation(m.ID, req)
	case typeStop:
		c.stopOperation(m.ID)
	case typeTerminate:
		c.close(websocket.CloseNormalClosure, "")
	default:
		p.answerInvalid(c, m.ID, "Invalid message type")
	}
}

// reject refuses the connection with the message connection_error and closes it.
func (legacyProtocol) reject(c *conn, reason string) {
	c.sendJSON(message{Type: typeConnectionError, Payload: webservice.JSON(map[string]string{"message": reason})})
	c.close(websocket.CloseInternalServerErr, reason)
}

func (legacyProtocol) answerInvalid(c *conn, id, reason string) {
	c.sendJSON(message{ID: id, Type: typeError, Payload: webservice.JSON(map[string]string{"message": reason})})
}

func (legacyProtocol) dataType() string { return typeData }

// errorMessage implements [subprotocol]. The message contains only the first error, because
// its payload is a single object.
func (legacyProtocol) errorMessage(id string, errs json.RawMessage) message {
	var list []json.RawMessage
	if json.Unmarshal(errs, &list) == nil && len(list) > 0 {
		errs = list[0]
	}
	return message{ID: id, Type: typeError, Payload: errs}
}

func (legacyProtocol) keepAliveMessage() []byte { return []byte(`{"type":"ka"}`) }

func (legacyProtocol) clientsAnswerPings() bool { return false }
