package model

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// TestMaskForgets adds, renames and removes users for years: a mask keeps the current users
// and some more, and still hides their names.
func TestMaskForgets(t *testing.T) {
	t.Parallel()
	const here, passing = 50, 60_000
	for name, who := range map[string]func(i int) (user, called string){
		"others":       func(i int) (string, string) { return fmt.Sprint("user", i), fmt.Sprint("Name", i) },
		"other names":  func(i int) (string, string) { return "same", fmt.Sprint("Name", i) },
		"many at once": func(i int) (string, string) { return fmt.Sprint("user", i/4), fmt.Sprintf("A%d B%d C%d", i, i, i) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := NewMask(NamesHidden, "salt", nil, "login")
			st := NewStore()
			for i := range here {
				st.Users.Put(&User{Username: TextOf(fmt.Sprint("stays", i)), Surname: TextOf(fmt.Sprint("Smith", i))})
			}
			first := m.Apply(st.Publish(time.Unix(1, 0), Health{})).Users.Get("Agent 1")
			if first == nil {
				t.Fatal("no user has number 1")
			}
			for i := range passing {
				user, called := who(i)
				st.Users.Put(&User{Username: TextOf(user), Name: TextOf(called)})
				m.Apply(st.Publish(time.Unix(1, 0), Health{}))
				st.Users.Delete(user)
			}
			if n := len(m.people); n > minPeople+here+1 {
				t.Errorf("the mask has %d people", n)
			}
			if n := len(m.hiddenWords.words); n > wordsPerPerson*(minPeople+here)+100 {
				t.Errorf("the mask has %d words", n)
			}
			out := m.Apply(st.Publish(time.Unix(1, 0), Health{Notice: "login and Smith7 of stays9"}))
			if out.Users.Len() != here || out.Users.Get("Agent 1") == nil {
				t.Errorf("a remaining user has lost the number: %d", out.Users.Len())
			}
			if strings.Contains(out.Health.Notice, "login") || strings.Contains(out.Health.Notice, "Smith7") || strings.Contains(out.Health.Notice, "stays9") {
				t.Errorf("shown: %q", out.Health.Notice)
			}
		})
	}
}
