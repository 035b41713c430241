package setup

import (
	"slices"
	"strings"
	"testing"
)

// TestCertificatesOfEachService answers the question about an unknown certificate for each service.
// An answer counts for that service only, and the last question shows it.
func TestCertificatesOfEachService(t *testing.T) {
	t.Parallel()
	p := &platform{untrusted: map[Service]bool{RealTime: true, Configuration: true, Statistics: true}}
	s := newSession(t, 100, 30, p)
	s.login(password)
	s.want("1 Name the certificates to trust", "2 Accept any certificate")
	s.press("2")
	s.want("Configuration service (optional)")
	s.press("<enter>")
	s.want("The service cannot be used", "1 Name the certificates to trust", "2 Accept any certificate", "Continue without it")
	s.press("1")
	s.want("https://host.example/platform. It replaces")
	s.press("/rest.pem", "<enter>")
	s.want("Statistical data service")
	s.press("<enter>", "key", "<enter>")
	s.want("1 Name the certificates to trust", "2 Accept any certificate", "Continue without it")
	s.press("2")
	s.want("Connected")
	s.press("<enter>", "<enter>", "<enter>", "<enter>", "<enter>")
	s.want("Write the configuration", "certificate of https://host.example/rtd is not checked", "certificate of https://host.example/datamodel is not checked")
	if strings.Contains(s.text(), "certificate of https://host.example/platform") {
		t.Error("there is a warning about a certificate that is checked")
	}
	s.press("<enter>")
	want := [serviceCount]Trust{{Insecure: true}, {CAFile: "/rest.pem"}, {Insecure: true}}
	if p.written == nil || p.written.Trust != want {
		t.Errorf("written are %+v", p.written)
	}
}

// TestAcceptedCertificateIsForgotten accepts any certificate, and then goes back, names certificates
// or changes the address.
func TestAcceptedCertificateIsForgotten(t *testing.T) {
	t.Parallel()
	p := &platform{untrusted: map[Service]bool{RealTime: true}}
	s := newSession(t, 80, 24, p)
	s.login(password)
	s.press("2")
	s.want("Configuration service (optional)")
	s.press("<esc>")
	s.want("Password")
	s.press("<enter>")
	s.want("2 Accept any certificate") // the question is asked again
	s.guide.answers.Trust[RealTime].Insecure = true
	s.press("1", "/ca.pem", "<enter>")
	s.want("Configuration service (optional)")
	if got := s.guide.answers.Trust[RealTime]; got != (Trust{CAFile: "/ca.pem"}) {
		t.Errorf("with certificates: %+v", got)
	}
	for _, address := range []string{"https://host.example/other", "https://b.example/rtd", "http://host.example/rtd"} {
		a := Answers{URL: "https://host.example/rtd", Trust: [serviceCount]Trust{{Insecure: true}, {Insecure: true}, {Insecure: true}}}
		a.setAddress(RealTime, address)
		if a.Trust[RealTime].Insecure {
			t.Errorf("any certificate is accepted for %s", address)
		}
	}
}

func TestCAFile(t *testing.T) {
	t.Parallel()
	a := Answers{URL: "https://a.example/rtd", RESTURL: "https://a.example:8443/platform", HistoryURL: "https://b.example/datamodel"}
	a.Trust[RealTime].CAFile = "a.pem"
	if rest, history := a.CAFile(Configuration), a.CAFile(Statistics); rest != "a.pem" || history != "" {
		t.Errorf("on the same host %q, on another one %q", rest, history)
	}
}

// TestOtherPlatform answers everything for one platform, and then goes back and names another one:
// nothing of the first platform is sent to the second or vice versa, and nothing of it is written.
func TestOtherPlatform(t *testing.T) {
	t.Parallel()
	p := &platform{}
	s := newSession(t, 80, 24, p)
	s.login(password)
	s.press("<enter>", "<enter>", "key", "<enter>", "<enter>", "Sales", "<enter>")
	s.want("Service level target")
	for !strings.Contains(s.text(), "Address of the real-time") {
		s.press("<esc>")
	}
	before := len(p.tries)
	s.press("<clear>", "b.example/rtd", "<enter>", "<enter>", "<enter>")
	s.want("Password")
	s.press("<enter>")
	s.want("Type it; it is not shown.")
	s.press(password, "<enter>")
	s.want("https://b.example/platform")
	s.press("<clear>", "<enter>")
	s.want("https://b.example/datamodel")
	s.press("<enter>")
	s.want("API key")
	s.press("<enter>")
	s.want("Type it; it is not shown.")
	s.press("<esc>", "<clear>", "<enter>")
	s.want("Found: ")
	s.press("<enter>")
	if strings.Contains(s.text(), "Sales") {
		t.Error("a name of the other platform is kept")
	}
	s.press("<enter>", "<enter>", "<enter>", "<enter>", "<enter>")
	for _, a := range p.asked[before:] {
		if a.URL != "https://b.example/rtd" || strings.Contains(a.RESTURL+a.HistoryURL, "host.example") || a.APIKey != "" {
			t.Errorf("tried %+v", a)
		}
	}
	if p.written == nil || p.written.RESTURL+p.written.HistoryURL+p.written.APIKey != "" || len(p.found.Campaigns) > 0 {
		t.Errorf("written are %+v, %+v", p.written, p.found)
	}
}

// TestCampaignsNeedTheirService goes back and leaves out the configuration service.
func TestCampaignsNeedTheirService(t *testing.T) {
	t.Parallel()
	s := newSession(t, 80, 24, &platform{})
	s.login(password)
	s.press("<enter>")
	if len(s.guide.results.Campaigns) != 1 {
		t.Fatal("no campaign was found")
	}
	s.press("<esc>", "<clear>", "<enter>")
	s.want("Statistical data service")
	if got := s.guide.results.Campaigns; len(got) > 0 {
		t.Errorf("kept are %v", got)
	}
}

// TestPasswordForAnotherHost checks that the guide asks before it sends the password to a configuration
// service on another host.
func TestPasswordForAnotherHost(t *testing.T) {
	t.Parallel()
	p := &platform{}
	s := newSession(t, 80, 24, p)
	s.login(password)
	s.press("<clear>", "c.example/platform", "<enter>")
	s.want("another host", "your login is sent to c.example too")
	s.press("x", "<enter>")
	s.want("another host")
	if slices.Contains(p.tries, Configuration) {
		t.Fatal("the password was sent")
	}
	s.press("<enter>")
	s.want("Statistical data service")
	s.press("<esc>", "<enter>") // the viewer has already agreed
	s.want("Statistical data service")
}

// TestInvalidAddressIsNoAnswer types an invalid address of an optional service and presses esc. The
// address must not be used.
func TestInvalidAddressIsNoAnswer(t *testing.T) {
	t.Parallel()
	s := newSession(t, 80, 24, &platform{})
	s.login(password)
	s.press("<clear>", "https://half", "<esc>")
	s.want("Password")
	if got := s.guide.answers.RESTURL; got != "" {
		t.Errorf("the answer is %q", got)
	}
	s.press("<enter>")
	s.want("https://half")
}

// TestWholeAddressBehindBeginning types a whole address behind the suggested beginning, as if pasted.
func TestWholeAddressBehindBeginning(t *testing.T) {
	t.Parallel()
	for _, typed := range []string{"http://host/rtd", "https://host/rtd"} {
		s := newSession(t, 80, 24, &platform{})
		s.press("2", typed, "<enter>")
		s.want("How do you log in there?")
		if got := s.guide.answers.URL; got != typed {
			t.Errorf("%s: the answer is %q", typed, got)
		}
	}
}

// TestWholeAddressBehindSuggestion types behind the suggested address of an optional service. Only a
// whole address that begins directly behind the suggestion replaces it.
func TestWholeAddressBehindSuggestion(t *testing.T) {
	t.Parallel()
	const suggested = "https://host.example/platform"
	for typed, want := range map[string]string{
		"https://host.example/x":                "https://host.example/x",
		"http://host.example/x":                 "http://host.example/x",
		"https://host.example/x?next=https://b": "https://host.example/x?next=https://b",
		"/v2":                                   suggested + "/v2",
		"?next=https://b":                       suggested + "?next=https://b",
		"/https://b":                            suggested + "/https://b",
		"<clear>https://host.example/x?next=https://b": "https://host.example/x?next=https://b",
		"<clear>host.example/x?next=https://b":         "https://host.example/x?next=https://b",
		"<clear>https://https://host.example/x":        "https://host.example/x",
	} {
		s := newSession(t, 80, 24, &platform{})
		s.login(password)
		if rest, ok := strings.CutPrefix(typed, "<clear>"); ok {
			s.press("<clear>", rest)
		} else {
			s.press(typed)
		}
		s.press("<enter>")
		if got := s.guide.answers.RESTURL; got != want {
			t.Errorf("%s: the answer is %q, want %q", typed, got, want)
		}
	}
}

// TestEscKeepsInput leaves questions with esc after input, and finds it there again.
func TestEscKeepsInput(t *testing.T) {
	t.Parallel()
	s := newSession(t, 80, 24, &platform{})
	s.login(password)
	s.press("<clear>", "<enter>", "<clear>", "<enter>", "<enter>")
	s.press("Sales", "<down>", "Support", "<esc>")
	s.want("Connected")
	s.press("<enter>")
	s.want("Sales", "Support")
	s.press("<enter>", "<enter>")
	s.want("Average time to answer today: 0:25")
	s.press("2") // selects the usual limits, although other limits are suggested
	s.press("<esc>")
	s.want("Longest wait")
	if got := s.guide.screen.cursor; got != 1 {
		t.Errorf("the cursor is on option %d", got+1)
	}
	for !strings.Contains(s.text(), "Password") {
		s.press("<esc>")
	}
	s.press("123", "<esc>", "<enter>")
	if got := s.guide.screen.value(); got != password+"123" {
		t.Errorf("the password is %q", got)
	}
	s.press("<esc>", "<esc>", "2") // the password is not reused as a token
	if got := s.guide.screen.value(); got != "" {
		t.Errorf("the token is %q", got)
	}
}
