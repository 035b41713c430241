package config

import (
	"slices"
	"strconv"
	"strings"

	"wallboard/internal/alert"
	"wallboard/internal/alert/situation"
	"wallboard/internal/alert/statefile"
	"wallboard/model"
)

// Playbook says what to do in the situations that a rule causes. A playbook that names the place
// is preferred.
type Playbook struct {
	Rule     string   `toml:"rule"`      // Name of the rule.
	Services []string `toml:"services"`  // Codes of services; empty: all.
	Groups   []string `toml:"groups"`    // Codes of groups; empty: all.
	Sites    []string `toml:"sites"`     // Names of [[platform]] blocks; empty: all.
	Checks   []string `toml:"checks"`    // What to check first.
	Steps    []string `toml:"steps"`     // Measures, in order.
	Inform   []string `toml:"inform"`    // People to inform.
	OverWhen string   `toml:"over_when"` // When the situation is over.
}

// Limits of playbooks.
const (
	maxPlaybooks     = 100
	maxPlaybookItems = 30
)

// checkPlaybooks adds the problems of the playbooks. rules holds the rules that a playbook may
// name.
func (c *Config) checkPlaybooks(r *report, rules []alert.Rule) {
	names := ruleNames(rules)
	for i := range c.PlaybookList {
		p, path := &c.PlaybookList[i], elementKey("playbook", i)
		checkCount(r, path, i, maxPlaybooks)
		if p.Rule == "" {
			r.add(joinKey(path, "rule"), "is missing", "write the name of the rule whose alerts the playbook is for")
		} else {
			checkOneOf(r, joinKey(path, "rule"), p.Rule, names)
		}
		checkCodes(r, joinKey(path, "services"), p.Services)
		checkCodes(r, joinKey(path, "groups"), p.Groups)
		if len(p.Sites) > 0 && r.platformPath == "" {
			r.add(joinKey(path, "sites"), "needs [[platform]] blocks", "remove it, or list the platforms")
		}
		p.checkItems(r, path)
	}
}

// checkSites adds a problem for each site in a playbook that is not the name of a platform.
func (c *Config) checkSites(r *report) {
	for i := range c.PlaybookList {
		for j, site := range c.PlaybookList[i].Sites {
			checkOneOf(r, elementKey(joinKey(elementKey("playbook", i), "sites"), j), site, c.PlatformNames())
		}
	}
}

// checkItems adds the problems of the texts of a playbook.
func (p *Playbook) checkItems(r *report, path string) {
	var all []string
	for _, list := range []struct {
		key   string
		texts []string
	}{{"checks", p.Checks}, {"steps", p.Steps}, {"inform", p.Inform}} {
		for i, text := range list.texts {
			key := elementKey(joinKey(path, list.key), i)
			switch {
			case strings.TrimSpace(text) == "":
				r.add(key, "is empty", "write what to do, or remove it")
			case len([]rune(text)) > statefile.MaxNoteText:
				r.add(key, "is too long", "allowed: "+strconv.Itoa(statefile.MaxNoteText)+" characters")
			case slices.Contains(all, text):
				r.add(key, quoteValue(text)+" is listed twice", "keep one of them")
			default:
				checkPrintable(r, key, text)
			}
			all = append(all, text)
		}
	}
	checkPrintable(r, joinKey(path, "over_when"), p.OverWhen)
	switch {
	case len(all) == 0:
		r.add(path, "has no items", "set checks, steps or inform")
	case len(all) > maxPlaybookItems:
		r.add(path, "has too many items", "allowed: "+strconv.Itoa(maxPlaybookItems))
	}
}

// Playbooks returns the playbooks that apply to the platform.
func (c *Config) Playbooks() []situation.Playbook {
	var out []situation.Playbook
	for i := range c.PlaybookList {
		p := &c.PlaybookList[i]
		if len(p.Sites) > 0 && !slices.Contains(p.Sites, c.Platform) {
			continue
		}
		out = append(out, situation.Playbook{
			Rule: p.Rule, Services: p.Services, Groups: p.Groups, Checks: p.Checks, Steps: p.Steps, PeopleToInform: p.Inform,
			EndCondition: model.CleanText(p.OverWhen, model.MaxBody),
		})
	}
	return out
}

// ruleNames returns the names of rules without duplicates.
func ruleNames(rules []alert.Rule) []string {
	var names []string
	for _, rule := range rules {
		if !slices.Contains(names, rule.Name) {
			names = append(names, rule.Name)
		}
	}
	return names
}
