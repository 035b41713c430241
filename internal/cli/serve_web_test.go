package cli

import (
	"crypto/tls"
	"image/png"
	"io"
	"net/http"
	"net/http/cookiejar"
	"strings"
	"testing"
	"time"

	"wallboard/internal/lib/testkit"
)

// TestServeBrowsers opens the boards of a server in two browsers, and removes one of them.
func TestServeBrowsers(t *testing.T) {
	t.Parallel()
	addr := testkit.FreeAddr(t)
	x := serveTo(t, newScripts(t, nil, quiet()),
		"[serve.web]\nlisten = \""+addr+"\"\nhosts = [\"127.0.0.1\"]\n",
		"[[serve.user]]\nname = \"webanna\"\nweb = true\n",
		"[[serve.user]]\nname = \"webhall\"\nweb = true\nrole = \"kiosk\"\n")
	defer x.end()
	if code, _, errs := x.run("", "serve", "link", "nobody"); code == 0 || !strings.Contains(errs, `no [[serve.user]] has the name "nobody"`) {
		t.Errorf("a link for nobody: %d %s", code, errs)
	}
	anna, hall := x.browser("webanna", addr), x.browser("webhall", addr)
	x.await(anna, addr+"/", func(res *http.Response) bool {
		text, err := io.ReadAll(res.Body)
		return err == nil && res.StatusCode == http.StatusOK && strings.Contains(string(text), "Who can take a break") && strings.Contains(string(text), "<td>")
	})
	x.await(hall, addr+"/wall/webhall/picture.png", func(res *http.Response) bool {
		img, err := png.Decode(res.Body)
		return err == nil && img.Bounds().Dx() == 1920
	})
	if code, out, errs := x.run("", "serve", "unlink", "webanna"); code != 0 || out != "1 browser or link removed\n" {
		t.Errorf("unlink: %d %s%s", code, out, errs)
	}
	x.await(anna, addr+"/", func(res *http.Response) bool { return res.StatusCode == http.StatusUnauthorized })
	if code, out, errs := x.run("", "serve", "unlink"); code != 0 || !strings.Contains(out, "webhall since") || strings.Contains(out, "webanna") {
		t.Errorf("the list: %d %s%s", code, out, errs)
	}
}

// browser returns a browser that has followed a link of a user.
func (x *running) browser(user, addr string) *http.Client {
	x.t.Helper()
	code, link, errs := x.run("", "serve", "link", user)
	base := "https://" + addr
	if code != 0 || !strings.HasPrefix(link, base+"/link/") {
		x.t.Fatalf("a link: %d %s%s", code, link, errs)
	}
	jar, err := cookiejar.New(nil)
	if err != nil {
		x.t.Fatal(err)
	}
	transport := &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}
	x.t.Cleanup(transport.CloseIdleConnections)
	client := &http.Client{Jar: jar, Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	for _, step := range []struct{ method, address string }{{http.MethodGet, strings.TrimSpace(link)}, {http.MethodGet, base + "/enter"}, {http.MethodPost, base + "/enter"}} {
		r, err := http.NewRequestWithContext(x.t.Context(), step.method, step.address, nil)
		if err != nil {
			x.t.Fatal(err)
		}
		r.Header.Set("Origin", base)
		res, err := client.Do(r)
		if err != nil {
			x.t.Fatal(err)
		}
		_ = res.Body.Close()
		if res.StatusCode >= http.StatusBadRequest {
			x.t.Fatalf("%s %s: %d", step.method, r.URL.Path, res.StatusCode)
		}
	}
	return client
}

// await requests a page until the answer is as expected.
func (x *running) await(client *http.Client, page string, isExpected func(*http.Response) bool) {
	x.t.Helper()
	address := "https://" + page
	for late := time.Now().Add(patienceOfTests); ; <-time.After(100 * time.Millisecond) {
		r, err := http.NewRequestWithContext(x.t.Context(), http.MethodGet, address, nil)
		if err != nil {
			x.t.Fatal(err)
		}
		res, err := client.Do(r)
		if err != nil {
			x.t.Fatal(err)
		}
		ok := isExpected(res)
		_ = res.Body.Close()
		switch {
		case ok:
			return
		case time.Now().After(late):
			x.t.Fatalf("%s: the last answer is %s", page, res.Status)
		}
	}
}
