package admin

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/config"
	"wallboard/internal/lib/safedecode"
	"wallboard/internal/textformat"
	"wallboard/model"
)

// configDraft holds the input for a new configuration file: values and names from the platform
// and the user. The rest comes from config.example.toml.
type configDraft struct {
	Example string // the text of config.example.toml
	// Values maps keys to their values in TOML syntax, for example rtd.url to "https://host/rtd" in
	// quotes. Settings that have neither a value here nor their default are commented out.
	Values map[string]string
	// Suggestions maps keys to suggested values, written as comments below the active settings.
	Suggestions map[string]string
	// Names are the display names of codes. A name of a service or group that is only its code is
	// written as a comment, because the board shows the services and groups of all users anyway.
	Names []config.Name
	// Blocks is TOML text with further active tables, for example [[builtin]]; "": none.
	Blocks     string
	HasREST    bool // whether there is a configuration service
	HasHistory bool // whether there is a statistical data service
}

// Text returns the text of the new file: the example, with its comments and the values of the
// draft. A setting is active only if Values contains its key, or if the example sets it to its
// default.
func (d configDraft) Text() (string, error) {
	c, err := config.Parse(d.Example, "", config.Options{Demo: true})
	if err != nil {
		return "", err
	}
	base := config.Default()
	w := &draftWriter{configDraft: d, nonDefaultKeys: config.ChangedKeys(&base, c)}
	w.out.WriteString("# Configuration of the wallboard, written by the program from its example.\n")
	_, body, _ := strings.Cut(d.Example, "\n#\n") // omit the instructions for copying the example
	for line := range strings.Lines("#\n" + body) {
		w.writeLine(line)
	}
	return w.out.String(), nil
}

// draftWriter converts the example to the new file, line by line.
type draftWriter struct {
	configDraft
	nonDefaultKeys []string // keys that the example sets to a value other than the default

	out            strings.Builder
	table          string // current table
	tableCommented bool   // the current table is commented out
	openBrackets   int    // number of open brackets in a multi-line value
	valueCommented bool   // the current multi-line value is commented out
	namesWritten   bool   // the names have been written
	rulesWritten   bool   // the built-in rules have been written
}

func (w *draftWriter) writeLine(line string) {
	trimmed := strings.TrimSpace(line)
	switch {
	case w.openBrackets > 0:
		w.writeValue(line, w.valueCommented)
	case strings.HasPrefix(trimmed, "["):
		w.writeHeader(line, trimmed)
	case w.table == "rtd.names" && w.namesWritten && trimmed != "":
		// Omit the line, because the discovered names replace those of the example.
	case trimmed == "":
		w.out.WriteString(line)
	case strings.HasPrefix(trimmed, "#"):
		w.writeComment(line, trimmed)
	default:
		key, _, _ := strings.Cut(trimmed, " ")
		w.writeSetting(line, safedecode.JoinKey(w.table, key))
	}
}

// writeHeader writes the header of a table and decides whether the table is commented out.
// Arrays of tables always are, because they are only examples.
func (w *draftWriter) writeHeader(line, trimmed string) {
	w.table = strings.Trim(trimmed, "[]")
	w.tableCommented = strings.HasPrefix(trimmed, "[[") || !w.HasHistory && w.table == "history" || strings.HasPrefix(w.table, "history.") ||
		!w.HasREST && (w.table == "rest" || strings.HasPrefix(w.table, "rest."))
	if w.table == "rtd.names" && len(w.Names) > 0 {
		if !w.namesWritten {
			w.writeNames()
		}
		return
	}
	if w.table == "builtin" && !w.rulesWritten {
		w.writeRules()
	}
	if w.tableCommented {
		line = "#" + line
	}
	w.out.WriteString(line)
}

// writeComment writes a comment line of the example. If the line contains a setting whose key
// is in Values, writeComment writes the setting instead.
func (w *draftWriter) writeComment(line, trimmed string) {
	key, _, isSetting := strings.Cut(strings.TrimPrefix(trimmed, "#"), " = ")
	if full := safedecode.JoinKey(w.table, key); isSetting && !w.tableCommented {
		if value, ok := w.Values[full]; ok {
			w.out.WriteString(key + " = " + value + "\n")
			return
		}
	}
	w.out.WriteString(line)
}

// writeSetting writes a setting of the example. If Values contains its key, the setting is active
// and has that value. Otherwise it is active only if the example sets it to its default. A
// suggested value is written as a comment below it.
func (w *draftWriter) writeSetting(line, key string) {
	name := key[strings.LastIndexByte(key, '.')+1:]
	if value, ok := w.Values[key]; ok && !w.tableCommented {
		w.out.WriteString(name + " = " + value + "\n")
	} else {
		w.writeValue(line, w.tableCommented || slices.Contains(w.nonDefaultKeys, key))
	}
	if value, ok := w.Suggestions[key]; ok && !w.tableCommented {
		w.out.WriteString("#" + name + " = " + value + "\n")
	}
}

// writeValue writes a line of a setting of the example. If hide is true, the line is commented out.
func (w *draftWriter) writeValue(line string, hide bool) {
	if hide {
		w.out.WriteString("#")
	}
	w.out.WriteString(line)
	w.openBrackets += strings.Count(line, "[") - strings.Count(line, "]")
	w.valueCommented = hide
}

// writeNames writes the discovered names. Names of campaigns are active, because the real-time
// service does not send them. Other names that merely repeat the code are comments.
func (w *draftWriter) writeNames() {
	w.namesWritten = true
	w.tableCommented = true
	blocks := 0
	for _, n := range w.Names {
		mark := "#"
		if n.Kind == "campaign" || n.Name != n.Code {
			mark = ""
		}
		if blocks++; blocks > 1 {
			w.out.WriteString("\n")
		}
		fmt.Fprintf(&w.out, "%[1]s[[rtd.names]]\n%[1]skind = %[2]q\n%[1]scode = %[3]s\n%[1]sname = %[4]s\n",
			mark, n.Kind, config.Quoted(n.Code), config.Quoted(n.Name))
	}
}

// writeRules writes comments with the built-in rules and their levels, and then w.Blocks.
func (w *draftWriter) writeRules() {
	w.rulesWritten = true
	rules := alert.DefaultRules()
	engine, err := alert.New(alert.Options{Rules: rules, Goal: alert.DefaultGoal()})
	if err != nil {
		panic("draft: the built-in rules are broken: " + err.Error()) // a test of package alert compiles them
	}
	w.out.WriteString("# Today they are:\n")
	for i := range rules {
		r := &rules[i]
		fmt.Fprintf(&w.out, "#[[builtin]]\n#rule = %q\n#scope = %q\n", r.Name, r.Scope)
		if format, ok := engine.FormatOf(r.Name, r.Scope); ok {
			for _, l := range []struct {
				key   string
				level model.Float
			}{{"warning", r.Thresholds.Warning}, {"critical", r.Thresholds.Critical}, {"recovery", r.Thresholds.Recovery}} {
				if v, ok := l.level.Get(); ok {
					fmt.Fprintf(&w.out, "#%s = %s\n", l.key, tomlLevel(v, format))
				}
			}
		} else {
			fmt.Fprintf(&w.out, "#severity = %q\n", r.Severity)
		}
		if r.For > 0 {
			fmt.Fprintf(&w.out, "#for = %q\n", textformat.ConfigDuration(r.For))
		}
		w.out.WriteString("\n")
	}
	if w.Blocks != "" {
		w.out.WriteString("# In force:\n" + w.Blocks + "\n")
	}
	w.out.WriteString("# Examples of every setting:\n")
}

// tomlLevel returns a level in the TOML syntax that [config.Limit] accepts.
func tomlLevel(v float64, f alert.Format) string {
	switch f {
	case alert.Percent:
		return strconv.Quote(strconv.FormatFloat(math.Round(v*1e6)/1e4, 'f', -1, 64) + "%")
	case alert.Duration:
		return strconv.Quote(textformat.ConfigDuration(time.Duration(v * float64(time.Second))))
	case alert.Number:
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}
