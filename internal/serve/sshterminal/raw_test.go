package sshterminal

import (
	"bufio"
	"crypto/aes"
	"crypto/cipher"
	"crypto/ecdh"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"io"
	"math/big"
	mrand "math/rand/v2"
	"net"
	"runtime"
	"strings"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"
)

// raw is an SSH client that can send arbitrary packets.
type raw struct {
	net.Conn
	in      *bufio.Reader
	session []byte
	seal    cipher.AEAD
	open    cipher.AEAD
	out, to []byte // nonces of the sent and the received packets
	batch   []byte // packets to send
}

type kexInit struct {
	Cookie                                                                  [16]byte `sshtype:"20"`
	Kex, HostKey, CipherOut, CipherIn, MACOut, MACIn, ComprOut, ComprIn, LO []string
	LI                                                                      []string
	Follows                                                                 bool
	Reserved                                                                uint32
}

// newRaw connects to a server and runs the key exchange.
func newRaw(t *testing.T, addr string) (*raw, error) {
	t.Helper()
	conn, err := new(net.Dialer).DialContext(t.Context(), "tcp", addr)
	if err != nil {
		return nil, err
	}
	t.Cleanup(func() { _ = conn.Close() })
	_ = conn.SetDeadline(time.Now().Add(10 * time.Second))
	x := &raw{Conn: conn, in: bufio.NewReader(conn)}
	const mine = "SSH-2.0-raw"
	_, _ = io.WriteString(conn, mine+"\r\n")
	theirs, err := x.in.ReadString('\n')
	if err != nil {
		return nil, err
	}
	aead, mac, none := []string{ssh.CipherAES128GCM}, []string{ssh.HMACSHA256}, []string{"none"}
	init := ssh.Marshal(&kexInit{Kex: []string{ssh.KeyExchangeCurve25519}, HostKey: []string{ssh.KeyAlgoED25519}, CipherOut: aead, CipherIn: aead, MACOut: mac, MACIn: mac, ComprOut: none, ComprIn: none})
	x.put(init)
	key, err := ecdh.X25519().GenerateKey(rand.Reader)
	if err != nil {
		return nil, err
	}
	x.put(ssh.Marshal(&struct {
		Q []byte `sshtype:"30"`
	}{key.PublicKey().Bytes()}))
	if err := x.flush(); err != nil {
		return nil, err
	}
	var reply struct {
		HostKey, Q, Sig []byte `sshtype:"31"`
	}
	serverInit, err := x.next()
	if err != nil {
		return nil, err
	}
	p, err := x.next()
	if err != nil {
		return nil, err
	}
	if err := ssh.Unmarshal(p, &reply); err != nil {
		return nil, err
	}
	if _, err := x.next(); err != nil { // NEWKEYS
		return nil, err
	}
	public, err := ecdh.X25519().NewPublicKey(reply.Q)
	if err != nil {
		return nil, err
	}
	secret, err := key.ECDH(public)
	if err != nil {
		return nil, err
	}
	k := ssh.Marshal(struct{ K *big.Int }{new(big.Int).SetBytes(secret)})
	h := sha256.New()
	for _, part := range [][]byte{[]byte(mine), []byte(strings.TrimSpace(theirs)), init, serverInit, reply.HostKey, key.PublicKey().Bytes(), reply.Q} {
		h.Write(ssh.Marshal(struct{ S []byte }{part}))
	}
	h.Write(k)
	x.session = h.Sum(nil)
	derive := func(letter byte, n int) []byte {
		sum := sha256.Sum256(append(append(append(append([]byte{}, k...), x.session...), letter), x.session...))
		return sum[:n]
	}
	x.put([]byte{21})
	if err := x.flush(); err != nil {
		return nil, err
	}
	x.out, x.to = derive('A', 12), derive('B', 12)
	for letter, to := range map[byte]*cipher.AEAD{'C': &x.seal, 'D': &x.open} {
		block, err := aes.NewCipher(derive(letter, 16))
		if err != nil {
			return nil, err
		}
		if *to, err = cipher.NewGCM(block); err != nil {
			return nil, err
		}
	}
	return x, nil
}

func count(nonce []byte) { binary.BigEndian.PutUint64(nonce[4:], binary.BigEndian.Uint64(nonce[4:])+1) }

// put adds a packet to the batch.
func (x *raw) put(payload []byte) {
	block, covered := 8, 5+len(payload)
	if x.seal != nil {
		block, covered = 16, 1+len(payload)
	}
	pad := block - covered%block
	if pad < 4 {
		pad += block
	}
	body := append(append([]byte{byte(pad)}, payload...), make([]byte, pad)...)
	head := binary.BigEndian.AppendUint32(nil, uint32(len(body)))
	if x.seal != nil {
		body = x.seal.Seal(nil, x.out, body, head)
		count(x.out)
	}
	x.batch = append(append(x.batch, head...), body...)
}

func (x *raw) flush() error {
	_, err := x.Write(x.batch)
	x.batch = nil
	return err
}

// next returns the payload of the server's next packet.
func (x *raw) next() ([]byte, error) {
	head := make([]byte, 4)
	if _, err := io.ReadFull(x.in, head); err != nil {
		return nil, err
	}
	n := int(binary.BigEndian.Uint32(head))
	if x.open != nil {
		n += x.open.Overhead()
	}
	body := make([]byte, n)
	_, err := io.ReadFull(x.in, body)
	if err != nil {
		return nil, err
	}
	if x.open != nil {
		if body, err = x.open.Open(nil, x.to, body, head); err != nil {
			return nil, err
		}
		count(x.to)
	}
	return body[1 : len(body)-int(body[0])], nil
}

// expect reads packets until one has the given message number.
func (x *raw) expect(kind byte) error {
	for {
		p, err := x.next()
		if err != nil {
			return err
		}
		if p[0] == kind {
			return nil
		}
	}
}

// service requests the authentication service.
func (x *raw) service() error {
	x.put(ssh.Marshal(&struct {
		Name string `sshtype:"5"`
	}{"ssh-userauth"}))
	if err := x.flush(); err != nil {
		return err
	}
	return x.expect(6)
}

// login authenticates with a key.
func (x *raw) login(key ssh.Signer) error {
	type request struct {
		User, Service, Method string `sshtype:"50"`
		HasSig                bool
		Algo                  string
		Key                   []byte
		Sig                   []byte `ssh:"rest"`
	}
	r := request{User: "raw", Service: "ssh-connection", Method: "publickey", HasSig: true, Algo: key.PublicKey().Type(), Key: key.PublicKey().Marshal()}
	sig, err := key.Sign(rand.Reader, append(ssh.Marshal(struct{ S []byte }{x.session}), ssh.Marshal(&r)...))
	if err != nil {
		return err
	}
	r.Sig = ssh.Marshal(struct{ S []byte }{ssh.Marshal(sig)})
	x.put(ssh.Marshal(&r))
	if err := x.flush(); err != nil {
		return err
	}
	return x.expect(52)
}

// openBoard opens a board on a channel with a window of the given bytes, and returns the
// server's number of the channel.
func (x *raw) openBoard(window uint32) (channel uint32, err error) {
	x.put(ssh.Marshal(&struct {
		Type                       string `sshtype:"90"`
		Channel, Window, MaxPacket uint32
	}{"session", 0, window, 1 << 15}))
	if err := x.flush(); err != nil {
		return 0, err
	}
	var opened struct {
		Channel                   uint32 `sshtype:"91"`
		Theirs, Window, MaxPacket uint32
	}
	for { // requests to keep the connection alive may come first
		p, err := x.next()
		if err != nil {
			return 0, err
		}
		if p[0] == 91 {
			if err := ssh.Unmarshal(p, &opened); err != nil {
				return 0, err
			}
			break
		}
	}
	type request struct {
		Channel uint32 `sshtype:"98"`
		Type    string
		Reply   bool
		Payload []byte `ssh:"rest"`
	}
	x.put(ssh.Marshal(&request{opened.Theirs, "pty-req", false, ssh.Marshal(&ptyRequest{Term: "xterm", Width: 80, Height: 24})}))
	x.put(ssh.Marshal(&request{opened.Theirs, "shell", false, nil}))
	return opened.Theirs, x.flush()
}

// TestSlowClientGetsTheExitStatus ends the session of a client that reads nothing for two
// seconds. Without the exit status the client would reconnect.
func TestSlowClientGetsTheExitStatus(t *testing.T) {
	t.Parallel()
	h := newHouse(t, nil)
	x, err := newRaw(t, h.addr)
	if err == nil {
		err = x.service()
	}
	if err == nil {
		err = x.login(h.anna)
	}
	if err != nil {
		t.Fatal(err)
	}
	_ = x.SetDeadline(time.Now().Add(time.Minute))
	channel, err := x.openBoard(40) // enough for the first line, but not for the final message as well
	if err == nil {
		err = x.expect(94) // data of the channel
	}
	if err != nil {
		t.Fatal(err)
	}
	if n := h.s.EndSessionsOf("anna"); n != 1 {
		t.Fatalf("%d sessions were ended", n)
	}
	<-time.After(2 * time.Second)
	x.put(ssh.Marshal(&struct {
		Channel uint32 `sshtype:"93"`
		Bytes   uint32
	}{channel, 1000}))
	if err := x.flush(); err != nil {
		t.Fatal(err)
	}
	for {
		p, err := x.next()
		if err != nil {
			t.Fatalf("no exit status: %v", err)
		}
		if p[0] == 98 {
			if got := string(p[9:]); !strings.HasPrefix(got, "exit-status") || p[len(p)-1] != 1 {
				t.Errorf("the request is %q, want the exit status 1", got)
			}
			return
		}
	}
}

// left returns the number of connections that the library still serves.
func left() int {
	b := make([]byte, 8<<20)
	return strings.Count(string(b[:runtime.Stack(b, true)]), "ssh.(*handshakeTransport).kexLoop(")
}

// TestNothingIsLeft sends packets that the library rejects and random packets at each stage
// of a connection. It checks that no goroutine remains.
func TestNothingIsLeft(t *testing.T) { //nolint:paralleltest // the test counts goroutines
	for name, stage := range map[string]func(*raw, ssh.Signer) error{
		"before the service request": func(*raw, ssh.Signer) error { return nil },
		"before the login":           func(x *raw, _ ssh.Signer) error { return x.service() },
		"after the login": func(x *raw, key ssh.Signer) error {
			if err := x.service(); err != nil {
				return err
			}
			return x.login(key)
		},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHouse(t, func(o *Options) {
				o.OnEvent = func(Event) {}
				o.Access.Accounts[0].MaxSessions = 100
			})
			r := mrand.New(mrand.NewPCG(1, 2))
			for i := range 20 {
				h.s.failedLogins.Reset()
				x, err := newRaw(t, h.addr)
				if err == nil {
					err = stage(x, h.anna)
				}
				if err != nil {
					t.Fatal(err)
				}
				x.put([]byte{99})
				for range 40 {
					p := make([]byte, 1+r.IntN(20))
					for j := range p {
						p[j] = byte(r.Uint32())
					}
					if p[0] = 50 + byte(r.IntN(200)); i%2 == 0 {
						p = []byte{50}
					}
					x.put(p)
				}
				_ = x.flush()
				_ = x.Close()
			}
			late := time.Now().Add(5 * time.Second)
			for left() > 0 && time.Now().Before(late) {
				<-time.After(10 * time.Millisecond)
			}
			if n := left(); n > 0 {
				t.Errorf("%d connections are left", n)
			}
		})
	}
}
