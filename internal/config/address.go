package config

import "net/url"

// WSURL returns the WebSocket address of the service: ws_url or, if it is not set, url with the
// scheme http replaced with ws, or https with wss.
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
		c.checkAddress(r, "rtd", "url", c.URL, "https", "http")
	case !o.Demo:
		r.add("rtd.url", "is missing", "write the address of the real-time display service, for example "+
			`"https://host/rtd", or run `+"`wallboard demo`")
	}
	if c.WSOverride != "" {
		c.checkAddress(r, "rtd", "ws_url", c.WSOverride, "wss", "ws")
	}
}

// RecordingPlatform returns the name of the platform in recordings: the host and the path of the
// service's address, without credentials. If there is no address, it returns "".
func (c *RTD) RecordingPlatform() string {
	u, err := url.Parse(c.URL)
	if err != nil {
		return ""
	}
	return u.Host + u.Path
}
