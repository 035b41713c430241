package main

import (
	"os"
	"path/filepath"
	"text/template"
)

// formula is the template of the Homebrew formula. The formula builds from source, because Homebrew
// installs finished programs as casks, and macOS refuses casks that are not signed.
var formula = template.Must(template.New("formula").Parse(`class Wallboard < Formula
  desc "Contact-center wallboard for the terminal"
  homepage "{{.URL}}"
  url "{{.URL}}/{{.Source}}"
  sha256 "{{.Sum}}"
  license "MIT"

  depends_on "go" => :build

  def install
    ENV["CGO_ENABLED"] = "0"
    set = "-X wallboard/internal/app/admin."
    ldflags = "-s -w #{set}release={{.Version}} #{set}releaseHash={{.Commit}} #{set}releaseTime={{.Date}}"
    system "go", "build", *std_go_args(ldflags: ldflags), "-buildvcs=false", "-gcflags={{.CompilerFlags}}"
    system bin/"wallboard", "man", "--dir", man1
    generate_completions_from_executable(bin/"wallboard", "completion")
    doc.install "docs/user", "docs/admin", "config.example.toml"
  end

  test do
    assert_match "wallboard {{.Version}}", shell_output("#{bin}/wallboard version")
  end
end
`))

// writeFormula writes the Homebrew formula, which builds the program from the source archive.
func (r release) writeFormula(source string) error {
	sum, err := checksum(source)
	if err != nil {
		return err
	}
	f, err := os.Create(filepath.Join(r.out, "wallboard.rb"))
	if err != nil {
		return err
	}
	return closeAfter(f, formula.Execute(f, map[string]string{
		"URL": r.url, "Source": filepath.Base(source), "Sum": sum, "Version": r.version, "Commit": r.commit, "Date": r.date.Format("2006-01-02T15:04:05Z07:00"),
		"CompilerFlags": compilerFlags,
	}))
}
