package alert

import "testing"

func TestNearest(t *testing.T) {
	t.Parallel()
	candidates := []string{"url", "auth", "theme", "services", "service_level_target"}
	for word, want := range map[string]string{
		"ulr": "url", "URL": "url", "aut": "auth", "teme": "theme", "service": "services", "sercives": "services",
		"service_level_taget": "service_level_target", "x": "", "": "", "database": "", "sevrices": "services",
	} {
		if got := NearestWord(word, candidates); got != want {
			t.Errorf("Nearest(%q) = %q, want %q", word, got, want)
		}
	}
}
