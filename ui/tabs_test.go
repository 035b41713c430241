package ui

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"wallboard/model"
	"wallboard/ui/frame"
	"wallboard/ui/pages"
	"wallboard/ui/panes"
	"wallboard/ui/style"
)

// manyPages returns an option for n pages, of which the last one has a configured key.
func manyPages(n int) func(*Options) {
	return func(o *Options) {
		for i := range n {
			o.Navigation.Pages = append(o.Navigation.Pages, panes.PageSpec{Name: fmt.Sprintf("Department %d", i+1), Rows: []panes.RowSpec{row("clock")}})
		}
		o.Navigation.Pages[n-1].Key = "K"
	}
}

// TestTabsOfManyPages checks that the current tab is always visible.
func TestTabsOfManyPages(t *testing.T) {
	t.Parallel()
	for _, n := range []int{11, 14, 30} {
		for _, w := range []int{40, 80, 120} {
			b := newBoard(t, w, 24, manyPages(n))
			all := pages.KioskPages{Pages: b.pages}.Len() // includes the pages that every board has
			for i := range all {
				line := strings.Split(b.text(), "\n")[1]
				name := b.pages.NameOf(pages.ID(i))
				if int(b.pages.Current) != i || !strings.Contains(line, " "+name+" ") {
					t.Fatalf("%d pages in %d cells: page %d has the tabs %q", all, w, i, line)
				}
				if style.Width(line) != w {
					t.Errorf("the tabs are %d of %d cells wide", style.Width(line), w)
				}
				b.press("right")
			}
			if b.pages.Current != 0 {
				t.Errorf("after the last page comes %d", b.pages.Current)
			}
		}
	}
}

func TestTabsByKeyAndMouse(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 80, 24, manyPages(14))
	for key, want := range map[string]pages.ID{"1": 0, "9": 8, "0": 9, "K": 13, "5": 4} {
		if b.press(key); b.pages.Current != want {
			t.Errorf("%s leads to page %d, want %d", key, b.pages.Current, want)
		}
	}
	b.press("K")
	for range 20 {
		tabs := b.pages.Tabs().Layout(b.scene.look, 80)
		if slices.ContainsFunc(tabs, func(t frame.Tab) bool { return t.To > 80 }) {
			t.Fatalf("tabs beyond the screen: %+v", tabs)
		}
		want := pages.ID(tabs[0].Page) // each click goes further to the left
		if b.click(tabs[0].From+1, 1); b.pages.Current != want {
			t.Fatalf("the click leads to %d, want %d", b.pages.Current, want)
		}
	}
	if b.pages.Current != 0 {
		t.Errorf("by mouse only page %d can be reached", b.pages.Current)
	}
}

func TestTabsNameWhatThereIsRoomFor(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 80, 24)
	line := strings.Split(b.text(), "\n")[1]
	for _, name := range []string{"1 Overview", "2 Services", "4 Agents  5 ", "7 Situations", " 0 "} {
		if !strings.Contains(line, name) {
			t.Errorf("%s is not named: %q", name, line)
		}
	}
	if b.click(strings.Index(line, "Situ"), 1); b.pages.Current != pages.Situations {
		t.Errorf("the click leads to page %d", b.pages.Current)
	}
}

// TestTabsOfASmallScreen checks that the tabs of a small screen have whole names or only keys.
func TestTabsOfASmallScreen(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 40, 12)
	for page, want := range map[string]string{
		"1": "1 Overview  2  3  4 ", "4": " 3  4 Agents  5 ", "0": "9 Feed  0 Wall",
	} {
		b.press(page)
		if line := strings.Split(b.text(), "\n")[1]; !strings.Contains(line, want) {
			t.Errorf("on page %s the tabs are %q, want %q", page, line, want)
		}
	}
}

// TestEscReturnsToTheChannel checks that esc restores the channel after closing details.
func TestEscReturnsToTheChannel(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 120, 40)
	b.press("2", "c")
	away := b.scene.floor.Channel
	if away == model.Call {
		t.Fatal("the floor has one channel")
	}
	b.shows("esc back to Calls")
	b.press("c", "C", "enter", "esc")
	if b.scene.floor.Channel != away {
		t.Errorf("the details were closed on %s, want %s", b.scene.floor.Channel, away)
	}
	b.press("esc")
	if b.scene.floor.Channel != model.Call {
		t.Errorf("esc leads to %s", b.scene.floor.Channel)
	}
	b.hides("esc back to")
}

// TestMoreTabs checks that a sign stands for the tabs that do not fit, and that the sign covers no tab.
func TestMoreTabs(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		keys []string
		want string
	}{{nil, " › "}, {[]string{"0"}, "‹›"}, {[]string{"K"}, " ‹ "}} {
		const w = 40
		b := newBoard(t, w, 24, manyPages(14))
		b.press(tt.keys...)
		line := strings.Split(b.text(), "\n")[1] + " "
		if !strings.HasSuffix(strings.TrimRight(line, " ")+" ", strings.TrimLeft(tt.want, " ")) && !strings.Contains(line, tt.want) {
			t.Errorf("the tabs of %v in %d cells end without a sign: %q", tt.keys, w, line)
		}
		tabs := b.pages.Tabs().Layout(b.scene.look, w)
		if last := tabs[len(tabs)-1].To; last > w-3 {
			t.Errorf("the last tab ends at %d of %d", last, w)
		}
	}
	if line := strings.Split(newBoard(t, 200, 24).text(), "\n")[1]; strings.ContainsAny(line, "‹›") {
		t.Errorf("all tabs fit, and yet there is a sign: %q", line)
	}
}
