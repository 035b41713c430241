// Plays recordings of the screen (asciicast version 2) as text. It knows the sequences that
// `wallboard record cast` writes: cursor positions, colours and attributes, and erasing.
"use strict";
(function () {
  const wide = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/;

  class Screen {
    constructor(width, height) { this.w = width; this.h = height; this.pen = {}; this.clear(); }
    clear() { this.x = this.y = 0; this.cells = Array.from({ length: this.h }, () => this.blank()); }
    blank() { return Array.from({ length: this.w }, () => ({ c: " ", pen: this.pen })); }

    write(data) {
      const token = /\x1b\[([?>=]?)([0-9;:]*)([A-Za-z])|\x1b.|[\r\n]|[^\x1b\r\n]/gu;
      for (const m of data.matchAll(token)) {
        if (m[3]) { if (!m[1]) this.control(m[3], m[2].split(/[;:]/).map(Number)); }
        else if (m[0] === "\r") this.x = 0;
        else if (m[0] === "\n") this.y = Math.min(this.y + 1, this.h - 1);
        else if (m[0][0] !== "\x1b") this.put(m[0]);
      }
    }
    put(c) {
      if (this.x < this.w && this.y < this.h) this.cells[this.y][this.x] = { c, pen: this.pen };
      this.x++;
      if (wide.test(c)) { if (this.x < this.w) this.cells[this.y][this.x] = { c: "", pen: this.pen }; this.x++; }
    }
    control(letter, n) {
      const first = n[0] || 1;
      if (letter === "H") { this.y = first - 1; this.x = (n[1] || 1) - 1; }
      else if (letter === "G") this.x = first - 1;
      else if (letter === "A") this.y = Math.max(0, this.y - first);
      else if (letter === "B") this.y = Math.min(this.h - 1, this.y + first);
      else if (letter === "C") this.x += first;
      else if (letter === "D") this.x = Math.max(0, this.x - first);
      else if (letter === "J") { const { x, y } = this; this.clear(); this.x = x; this.y = y; }
      else if (letter === "K") for (let x = this.x; x < this.w; x++) this.cells[this.y][x] = { c: " ", pen: this.pen };
      else if (letter === "m") this.style(n);
    }
    style(n) {
      const pen = { ...this.pen };
      for (let i = 0; i < n.length; i++) {
        const v = n[i] || 0;
        if (v === 0) for (const k in pen) delete pen[k];
        else if (v === 1) pen.bold = true; else if (v === 2) pen.dim = true; else if (v === 3) pen.italic = true;
        else if (v === 4) pen.underline = true; else if (v === 7) pen.reverse = true; else if (v === 9) pen.strike = true;
        else if (v === 22) pen.bold = pen.dim = false; else if (v === 23) pen.italic = false;
        else if (v === 24) pen.underline = false; else if (v === 27) pen.reverse = false; else if (v === 29) pen.strike = false;
        else if (v === 39) delete pen.fg; else if (v === 49) delete pen.bg;
        else if (v >= 30 && v <= 37) pen.fg = colour(v - 30); else if (v >= 40 && v <= 47) pen.bg = colour(v - 40);
        else if (v >= 90 && v <= 97) pen.fg = colour(v - 82); else if (v >= 100 && v <= 107) pen.bg = colour(v - 92);
        else if ((v === 38 || v === 48) && n[i + 1] === 2) { pen[v === 38 ? "fg" : "bg"] = `rgb(${n[i + 2]},${n[i + 3]},${n[i + 4]})`; i += 4; }
        else if ((v === 38 || v === 48) && n[i + 1] === 5) { pen[v === 38 ? "fg" : "bg"] = colour(n[i + 2]); i += 2; }
      }
      this.pen = pen;
    }
    // draw fills an element with one span for each run of cells with the same pen. A span is as wide
    // as its cells, whatever font has its signs.
    draw(element) {
      const out = document.createDocumentFragment();
      for (const row of this.cells) {
        for (let x = 0; x < row.length;) {
          const pen = row[x].pen;
          const start = x;
          let text = "";
          for (; x < row.length && row[x].pen === pen; x++) text += row[x].c;
          const span = document.createElement("span");
          span.textContent = text;
          span.style.cssText = css(pen) + `;width:${x - start}ch`;
          out.append(span);
        }
        out.append("\n");
      }
      element.replaceChildren(out);
    }
  }

  // colour returns a colour of the palette of 256.
  function colour(n) {
    const basic = ["#000", "#c33", "#3a3", "#a80", "#36c", "#a3a", "#3aa", "#ccc", "#666", "#f55", "#5f5", "#ff5", "#58f", "#f5f", "#5ff", "#fff"];
    if (n < 16) return basic[n];
    if (n >= 232) { const g = 8 + (n - 232) * 10; return `rgb(${g},${g},${g})`; }
    const level = (v) => (v ? 55 + v * 40 : 0);
    n -= 16;
    return `rgb(${level(Math.floor(n / 36))},${level(Math.floor(n / 6) % 6)},${level(n % 6)})`;
  }

  function css(pen) {
    let fg = pen.fg || "#dcdfe9", bg = pen.bg || "#12141c";
    if (pen.reverse) [fg, bg] = [bg, fg];
    return `color:${fg};background:${bg}` + (pen.bold ? ";font-weight:bold" : "") + (pen.dim ? ";opacity:.7" : "") +
      (pen.italic ? ";font-style:italic" : "") + (pen.underline ? ";text-decoration:underline" : pen.strike ? ";text-decoration:line-through" : "");
  }

  function play(figure) {
    const lines = window.casts[figure.dataset.cast].trim().split("\n").map((l) => JSON.parse(l));
    const head = lines.shift(), frames = lines.filter((f) => f[1] === "o");
    const view = document.createElement("pre"), bar = document.createElement("input"), button = document.createElement("button");
    view.setAttribute("role", "img");
    view.setAttribute("aria-label", head.title || "screen");
    bar.type = "range"; bar.min = 0; bar.max = frames.length - 1; bar.value = 0;
    button.type = "button";
    figure.append(view, button, bar);
    let screen, shown = -1, timer = 0;
    function seek(to) {
      if (to < shown || !screen) { screen = new Screen(head.width, head.height); shown = -1; }
      while (shown < to) screen.write(frames[++shown][2]);
      screen.draw(view);
      bar.value = shown;
    }
    function label() { button.textContent = timer ? "Pause" : "Play"; }
    function stop() { clearTimeout(timer); timer = 0; label(); }
    function next() {
      if (shown + 1 >= frames.length) return stop();
      const wait = shown < 0 ? 0 : frames[shown + 1][0] - frames[shown][0];
      timer = setTimeout(() => { seek(shown + 1); next(); label(); }, Math.min(wait, 2) * 1000);
    }
    button.addEventListener("click", () => {
      if (timer) return stop();
      if (shown + 1 >= frames.length) seek(0);
      next(); label();
    });
    bar.addEventListener("input", () => { stop(); seek(Number(bar.value)); });
    seek(0); label();
  }

  for (const figure of document.querySelectorAll("[data-cast]")) play(figure);
})();
