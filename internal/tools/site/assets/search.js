// Searches the index of all sections. It needs no server.
"use strict";
(function () {
  const field = document.getElementById("search"), results = document.getElementById("results");
  const pages = document.getElementById("pages"), root = document.body.dataset.root;

  // find returns the sections that contain all words, those with a word in a heading first.
  function find(query) {
    const words = query.toLowerCase().split(/\s+/).filter(Boolean);
    const found = [];
    for (const s of window.searchIndex) {
      const heading = (s.t + " " + s.h).toLowerCase(), text = s.x.toLowerCase();
      let score = 0;
      for (const w of words) {
        const here = (heading.includes(w) ? 10 : 0) + (text.includes(w) ? 1 : 0);
        if (!here) { score = 0; break; }
        score += here;
      }
      if (score) found.push({ score, s, at: Math.max(0, text.indexOf(words[0])) });
    }
    return found.sort((a, b) => b.score - a.score).slice(0, 30);
  }

  // excerpt returns whole words around position at of a text, and "…" where it leaves words out.
  function excerpt(text, at) {
    const from = at <= 40 ? 0 : text.indexOf(" ", at - 40) + 1;
    const end = at + 80 >= text.length ? text.length : text.lastIndexOf(" ", at + 80);
    return (from ? "… " : "") + text.slice(Math.min(from, at), Math.max(end, at)) + (end < text.length ? " …" : "");
  }

  function show() {
    const query = field.value.trim();
    results.replaceChildren();
    results.hidden = !query;
    pages.hidden = !!query;
    if (!query) return;
    const found = find(query);
    for (const { s, at } of found) {
      const item = document.createElement("li"), link = document.createElement("a"), text = document.createElement("small");
      link.href = root + s.p + "#" + s.a;
      link.textContent = s.h === s.t ? s.t : s.t + " – " + s.h;
      text.textContent = excerpt(s.x, at);
      item.append(link, text);
      results.append(item);
    }
    if (!found.length) results.append("Nothing found");
  }

  // On a narrow screen, the list of pages would push the page off the screen.
  pages.open = !matchMedia("(max-width: 50rem)").matches;
  field.addEventListener("input", show);
  document.addEventListener("keydown", (e) => {
    if (e.key === "/" && document.activeElement !== field) { e.preventDefault(); field.focus(); }
    if (e.key === "Escape" && document.activeElement === field) { field.value = ""; show(); }
  });
})();
