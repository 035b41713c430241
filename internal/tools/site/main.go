// Command site writes the documentation as plain HTML for any web server or a folder on disk, with a
// search that works offline and recordings of the screen as text.
package main

import (
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"html/template"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

//go:embed assets
var assets embed.FS

func main() {
	root := flag.String("root", ".", "root of the source tree")
	out := flag.String("out", "", "folder of the site")
	casts := flag.String("casts", "", "folder of screen recordings (NAME.cast) for the first page")
	flag.Parse()
	if *out == "" {
		fmt.Fprintln(os.Stderr, "site: -out is missing")
		os.Exit(2)
	}
	if err := write(*root, *out, *casts); err != nil {
		fmt.Fprintln(os.Stderr, "site:", err)
		os.Exit(1)
	}
}

// page is a Markdown file with its parsed content.
type page struct {
	source   string // path below the root
	title    string
	group    string // heading in the navigation
	node     ast.Node
	text     []byte
	anchors  []string
	sections []section
}

// section is an entry of the search index: a heading and the text below it.
type section struct {
	Page    string `json:"p"` // path of the HTML file
	Title   string `json:"t"`
	Heading string `json:"h"`
	Anchor  string `json:"a"`
	Text    string `json:"x"`
}

// site is a set of pages and of other files to which they link.
type site struct {
	root    string
	pages   map[string]*page // by source
	copied  map[string]bool  // other files, by path below the root
	order   []string         // sources in the order of the navigation
	convert goldmark.Markdown
	casts   []string // names of the recordings
}

// write generates the site. It returns an error for a link that leads nowhere.
func write(root, out, casts string) error {
	s := &site{
		root: root, pages: make(map[string]*page), copied: make(map[string]bool),
		convert: goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithParserOptions(parser.WithAutoHeadingID())),
	}
	if err := s.readPages(); err != nil {
		return err
	}
	var problems []error
	for _, source := range s.order {
		problems = append(problems, s.resolveLinks(s.pages[source])...)
	}
	if err := errors.Join(problems...); err != nil {
		return err
	}
	if err := s.writeCasts(out, casts); err != nil {
		return err
	}
	if err := s.writePages(out); err != nil {
		return err
	}
	return s.writeFiles(out)
}

// readPages reads README.md, the pages below docs and those below .github.
func (s *site) readPages() error {
	sources := []string{"README.md"}
	for _, dir := range []string{"docs", ".github"} {
		err := filepath.WalkDir(filepath.Join(s.root, dir), func(p string, d fs.DirEntry, err error) error {
			if err == nil && strings.HasSuffix(p, ".md") {
				source, relErr := filepath.Rel(s.root, p)
				sources, err = append(sources, filepath.ToSlash(source)), relErr
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	for _, source := range sources {
		raw, err := os.ReadFile(filepath.Join(s.root, source))
		if err != nil {
			return err
		}
		s.pages[source] = s.parse(source, raw)
		s.order = append(s.order, source)
	}
	rank := func(source string) int {
		return slices.Index([]string{"Start", "For supervisors", "For administrators", "For developers"}, s.pages[source].group)
	}
	slices.SortStableFunc(s.order, func(a, b string) int { return rank(a) - rank(b) })
	return nil
}

// parse parses a page. Headings get the anchors that GitHub gives them.
func (s *site) parse(source string, raw []byte) *page {
	p := &page{source: source, title: source, text: raw, group: groupOf(source)}
	context := parser.NewContext(parser.WithIDs(&anchors{used: make(map[string]int)}))
	p.node = s.convert.Parser().Parse(text.NewReader(raw), parser.WithContext(context))
	for n := p.node.FirstChild(); n != nil; n = n.NextSibling() {
		heading, isHeading := n.(*ast.Heading)
		if !isHeading {
			if len(p.sections) > 0 {
				last := &p.sections[len(p.sections)-1]
				last.Text = strings.TrimSpace(last.Text + " " + plainText(n, raw))
			}
			continue
		}
		title := plainText(n, raw)
		if heading.Level == 1 {
			p.title = title
		}
		id, _ := heading.AttributeString("id")
		anchor, _ := id.([]byte)
		p.anchors = append(p.anchors, string(anchor))
		p.sections = append(p.sections, section{Page: htmlPath(source), Heading: title, Anchor: string(anchor)})
	}
	for i := range p.sections {
		p.sections[i].Title = p.title
	}
	return p
}

func groupOf(source string) string {
	switch {
	case strings.HasPrefix(source, "docs/user/"):
		return "For supervisors"
	case strings.HasPrefix(source, "docs/admin/"):
		return "For administrators"
	case strings.HasPrefix(source, "docs/dev/"), strings.HasPrefix(source, ".github/") && source != ".github/CHANGELOG.md":
		return "For developers"
	}
	return "Start"
}

// htmlPath returns the path of the HTML file of a page. README.md is the first page.
func htmlPath(source string) string {
	if source == "README.md" {
		return "index.html"
	}
	return strings.TrimPrefix(strings.TrimSuffix(source, ".md")+".html", ".")
}

// plainText returns the text of a node without markup.
func plainText(n ast.Node, source []byte) string {
	var b strings.Builder
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) { // the function returns no error
		switch n := n.(type) {
		case *ast.Text:
			if entering {
				b.Write(n.Segment.Value(source))
				if n.SoftLineBreak() {
					b.WriteByte(' ')
				}
			}
		case *ast.String:
			if entering {
				b.Write(n.Value)
			}
		case *ast.FencedCodeBlock, *ast.CodeBlock:
			if entering {
				b.Write(n.Lines().Value(source))
			}
		default:
			if !entering && n.Type() == ast.TypeBlock {
				b.WriteByte(' ')
			}
		}
		return ast.WalkContinue, nil
	})
	return strings.Join(strings.Fields(b.String()), " ")
}

// anchors makes the anchors of headings as GitHub does.
type anchors struct{ used map[string]int }

// Generate implements [parser.IDs].
func (a *anchors) Generate(value []byte, _ ast.NodeKind) []byte {
	var b strings.Builder
	for _, c := range strings.ToLower(strings.TrimSpace(string(value))) {
		switch {
		case c == ' ':
			b.WriteByte('-')
		case c == '-', c == '_', c >= '0' && c <= '9', c >= 'a' && c <= 'z', c > 127 && !strings.ContainsRune("→…–“”", c):
			b.WriteRune(c)
		}
	}
	id := b.String()
	n := a.used[id]
	a.used[id]++
	if n > 0 {
		id = fmt.Sprintf("%s-%d", id, n)
	}
	return []byte(id)
}

// Put implements [parser.IDs].
func (a *anchors) Put(value []byte) { a.used[string(value)]++ }

// resolveLinks makes the links of a page lead to files of the site, and returns those that lead
// nowhere.
func (s *site) resolveLinks(p *page) (problems []error) {
	resolve := func(to []byte) []byte {
		target, err := s.resolve(p, string(to))
		if err != nil {
			problems = append(problems, fmt.Errorf("%s: %w", p.source, err))
		}
		return []byte(target)
	}
	_ = ast.Walk(p.node, func(n ast.Node, entering bool) (ast.WalkStatus, error) { // the function returns no error
		if entering {
			switch n := n.(type) {
			case *ast.Link:
				n.Destination = resolve(n.Destination)
			case *ast.Image:
				n.Destination = resolve(n.Destination)
			}
		}
		return ast.WalkContinue, nil
	})
	return problems
}

// resolve returns the destination of a link in the site.
func (s *site) resolve(p *page, to string) (string, error) {
	if strings.Contains(to, "://") || strings.HasPrefix(to, "mailto:") {
		return to, nil
	}
	file, anchor, hasAnchor := strings.Cut(to, "#")
	source := p.source
	if file != "" {
		source = path.Join(path.Dir(p.source), file)
	}
	if other, isPage := s.pages[source]; isPage {
		if hasAnchor && !slices.Contains(other.anchors, anchor) {
			return "", fmt.Errorf("no heading for the link %s", to)
		}
		target := relative(htmlPath(p.source), htmlPath(source))
		if hasAnchor {
			target += "#" + anchor
		}
		return target, nil
	}
	info, err := os.Stat(filepath.Join(s.root, source))
	if err != nil || !filepath.IsLocal(source) {
		return "", fmt.Errorf("no file for the link %s", to)
	}
	if info.IsDir() {
		return relative(htmlPath(p.source), source+"/index.html"), s.copyFolder(source)
	}
	s.copied[source] = true
	return relative(htmlPath(p.source), copyPath(source)), nil
}

// copyPath returns the path of a copied file. Go files get another name, because the site may be in the
// source tree, where the Go command would take them for a package.
func copyPath(source string) string {
	if strings.HasSuffix(source, ".go") {
		return source + ".txt"
	}
	return source
}

// copyFolder records that the files of a folder must be copied, and adds a page that lists them.
func (s *site) copyFolder(dir string) error {
	entries, err := os.ReadDir(filepath.Join(s.root, dir))
	if err != nil {
		return err
	}
	var list strings.Builder
	list.WriteString("# Files in " + dir + "\n\n")
	for _, e := range entries {
		if !e.IsDir() {
			list.WriteString("- [" + e.Name() + "](<" + copyPath(e.Name()) + ">)\n")
			s.copied[path.Join(dir, e.Name())] = true
		}
	}
	source := dir + "/index.md"
	s.pages[source] = s.parse(source, []byte(list.String()))
	return nil
}

// relative returns the link from one file of the site to another.
func relative(from, to string) string {
	up := strings.Repeat("../", strings.Count(from, "/"))
	return up + to
}

// writeCasts writes the recordings of the screen as scripts, because a page on disk may not read
// other files.
func (s *site) writeCasts(out, dir string) error {
	if dir == "" {
		return nil
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.cast"))
	if err != nil {
		return err
	}
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		name := strings.TrimSuffix(filepath.Base(file), ".cast")
		key, err := json.Marshal(name)
		if err != nil {
			return err
		}
		text, err := json.Marshal(string(raw))
		if err != nil {
			return err
		}
		s.casts = append(s.casts, name)
		script := fmt.Sprintf("(window.casts = window.casts || {})[%s] = %s;\n", key, text)
		if err := writeFile(filepath.Join(out, "casts", name+".js"), []byte(script)); err != nil {
			return err
		}
	}
	return nil
}

// entry is a page in the navigation.
type entry struct {
	Title, Link string
	Current     bool
}

// group is a heading in the navigation with its pages.
type group struct {
	Title   string
	Entries []entry
}

func (s *site) navigation(current *page) []group {
	var out []group
	for _, source := range s.order {
		p := s.pages[source]
		if len(out) == 0 || out[len(out)-1].Title != p.group {
			out = append(out, group{Title: p.group})
		}
		last := &out[len(out)-1]
		last.Entries = append(last.Entries, entry{p.title, relative(htmlPath(current.source), htmlPath(source)), p == current})
	}
	return out
}

// writePages writes the HTML files.
func (s *site) writePages(out string) error {
	layout, err := template.ParseFS(assets, "assets/page.html")
	if err != nil {
		return err
	}
	for _, p := range s.pages {
		var body, html bytes.Buffer
		if err := s.convert.Renderer().Render(&body, p.text, p.node); err != nil {
			return err
		}
		casts := s.casts
		if p.source != "README.md" {
			casts = nil
		}
		err := layout.Execute(&html, map[string]any{
			"Title": p.title, "Root": strings.Repeat("../", strings.Count(htmlPath(p.source), "/")), "Groups": s.navigation(p), "Casts": casts,
			"Body": template.HTML(body.String()), //nolint:gosec // from the pages of the project; goldmark drops raw HTML
		})
		if err != nil {
			return err
		}
		if err := writeFile(filepath.Join(out, filepath.FromSlash(htmlPath(p.source))), html.Bytes()); err != nil {
			return err
		}
	}
	return nil
}

// writeFiles writes the search index, the scripts and the files to which pages link.
func (s *site) writeFiles(out string) error {
	var index []section
	for _, source := range s.order {
		index = append(index, s.pages[source].sections...)
	}
	text, err := json.Marshal(index)
	if err != nil {
		return err
	}
	if err := writeFile(filepath.Join(out, "assets", "index.js"), []byte("window.searchIndex = "+string(text)+";\n")); err != nil {
		return err
	}
	for _, name := range []string{"style.css", "search.js", "player.js"} {
		text, err := assets.ReadFile("assets/" + name)
		if err != nil {
			return err
		}
		if err := writeFile(filepath.Join(out, "assets", name), text); err != nil {
			return err
		}
	}
	for file := range s.copied {
		text, err := os.ReadFile(filepath.Join(s.root, file))
		if err != nil {
			return err
		}
		if err := writeFile(filepath.Join(out, filepath.FromSlash(copyPath(file))), text); err != nil {
			return err
		}
	}
	return nil
}

func writeFile(path string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil { //nolint:gosec // a public site
		return err
	}
	return os.WriteFile(path, text, 0o644) //nolint:gosec // a public site
}
