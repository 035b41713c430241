package config

import (
	"net"
	"net/url"
	"strconv"
	"strings"
)

// WSURL returns the WebSocket address of the service: ws_url if it is set, else
// that of url with ws for http and wss for https.
func (c *RTD) WSURL() string {
	if c.WSOverride != "" {
		return c.WSOverride
	}
	u, err := url.Parse(c.URL)
	if err != nil {
		return ""
	}
	switch u.Scheme {
	case "https":
		u.Scheme = "wss"
	case "http":
		u.Scheme = "ws"
	default:
		return ""
	}
	return u.String()
}

func (c *RTD) checkAddresses(r *report, o Options) {
	switch {
	case c.URL != "":
		c.checkAddress(r, "rtd.url", c.URL, "https", "http")
	case !o.Demo:
		r.add("rtd.url", "is missing", "write the address of the real-time display service, for example "+
			`"https://host/rtd", or run `+"`wallboard demo`")
	}
	if c.WSOverride != "" {
		c.checkAddress(r, "rtd.ws_url", c.WSOverride, "wss", "ws")
	}
}

// checkAddress never quotes the address: it may hold a password.
func (c *RTD) checkAddress(r *report, key, address, secure, plain string) {
	u, err := url.Parse(address)
	if err != nil {
		r.add(key, "is not a valid address", "write it like "+secure+"://host/rtd")
		return
	}
	port, portErr := strconv.ParseUint(u.Port(), 10, 16)
	switch {
	case u.Scheme != secure && u.Scheme != plain:
		r.add(key, "must begin with "+secure+":// or "+plain+"://", "write it like "+secure+"://host/rtd")
	case u.Hostname() == "":
		r.add(key, "names no host", "write it like "+secure+"://host/rtd")
	case u.User != nil:
		r.add(key, "holds a user name or a password", "take them out of the address; use rtd.username and rtd.password_file")
	case u.RawQuery != "" || u.ForceQuery || strings.Contains(address, "#"):
		r.add(key, "holds a query (?) or a fragment (#)", "write only scheme, host, port and path")
	case u.Port() != "" && (portErr != nil || port == 0):
		r.add(key, "has a port out of range", "allowed: 1 to 65535")
	case u.Scheme == plain && !loopback(u.Hostname()) && !c.InsecureSkipVerify:
		r.add(key, plain+":// sends the secrets readable by everyone on the way", "use "+secure+
			"://; "+plain+":// is for this machine only, unless insecure_skip_verify = true accepts the risk, "+
			"which marks the board permanently")
	}
}

// loopback tells whether a host is this machine, without asking a name server.
func loopback(host string) bool {
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}
