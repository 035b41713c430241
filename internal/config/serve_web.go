package config

import (
	"net"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/adrg/xdg"
)

// Web configures access to the board with a browser, which `wallboard serve` offers over HTTPS to
// users with web = true. See docs/admin/web.md.
type Web struct {
	Listen   string   `toml:"listen"`    // Address to listen on, such as ":8443"; "": no access with a browser.
	Hosts    []string `toml:"hosts"`     // Names and IP addresses by which browsers reach the server; empty: those in the certificate or, without cert_file, the machine's name.
	CertFile string   `toml:"cert_file"` // Certificate with its chain, in PEM format; read again when it changes. "": a self-signed one in wallboard/web.pem in $XDG_STATE_HOME.
	KeyFile  string   `toml:"key_file"`  // Private key of cert_file.
	WallSize string   `toml:"wall_size"` // Columns and rows of the picture of a wall (role kiosk), 80x24 to 240x80.
}

// Limits of serve.web.wall_size.
const (
	minWallColumns, maxWallColumns = 80, 240
	minWallRows, maxWallRows       = 24, 80
)

// Enabled reports whether the board can be opened with a browser.
func (w *Web) Enabled() bool { return w.Listen != "" }

// SelfSignedPath returns the path of the self-signed certificate with its key.
func (w *Web) SelfSignedPath() string { return filepath.Join(xdg.StateHome, "wallboard", "web.pem") }

// AccessPath returns the path of the file with the hashes of links and devices.
func (w *Web) AccessPath() string {
	return filepath.Join(xdg.StateHome, "wallboard", "web-access.json")
}

// WallCells returns the columns and rows of the picture of a wall.
func (w *Web) WallCells() (columns, rows int) {
	c, r, _ := strings.Cut(w.WallSize, "x")
	columns, _ = strconv.Atoi(c)
	rows, _ = strconv.Atoi(r)
	return columns, rows
}

func (w *Web) check(r *report) {
	if _, port, err := net.SplitHostPort(w.Listen); w.Enabled() && (err != nil || !isPort(port)) {
		r.add("serve.web.listen", quoteValue(w.Listen)+" is not an address", `write it like ":8443" or "127.0.0.1:8443"`)
	}
	for i, host := range w.Hosts {
		if host == "" || strings.ContainsAny(host, "/: \t") && net.ParseIP(host) == nil {
			r.add(elementKey("serve.web.hosts", i), quoteValue(host)+" is not a name or an IP address", `write it without scheme and port, like "board.example.com"`)
		}
	}
	if (w.CertFile == "") != (w.KeyFile == "") {
		r.add("serve.web.key_file", "and cert_file belong together", "set both or none")
	}
	if c, rows := w.WallCells(); c < minWallColumns || c > maxWallColumns || rows < minWallRows || rows > maxWallRows {
		r.add("serve.web.wall_size", quoteValue(w.WallSize)+" is not a size from 80x24 to 240x80", `write columns and rows, like "160x45"`)
	}
}
