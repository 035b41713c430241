// Keeps the page current: it shows what the server sends, and says when nothing comes.
(function () {
	"use strict";

	var patience = 3500; // milliseconds without a sign of life until the page counts as old
	var texts = document.body.dataset;
	var main = document.getElementById("main");
	var notice = document.getElementById("connection");
	var news = document.getElementById("news");
	var pause = document.getElementById("pause");
	var heardAt = Date.now();
	var newsAt = 0;
	var source = null;
	var asking = false;
	var paused = false;
	var removed = false;

	function time() {
		var at = main.querySelector("[data-at]");
		return at ? at.getAttribute("data-at") : "";
	}

	function say(element, text) {
		if (element.textContent !== text) {
			element.textContent = text;
		}
	}

	// judge says whether the figures are old.
	function judge() {
		var old = Date.now() - heardAt > patience;
		document.body.classList.toggle("stale", old || removed);
		if (removed) {
			say(notice, texts.left);
		} else if (old) {
			say(notice, texts.lost.replace("%", time()));
		} else {
			say(notice, "");
		}
		return old;
	}

	function heard() {
		heardAt = Date.now();
		judge();
	}

	// replace puts new content into an element, and keeps opened details open and the focus in place.
	function replace(old, fresh) {
		var focus = old.contains(document.activeElement) ? document.activeElement.id : "";
		old.querySelectorAll("details[open]").forEach(function (d) {
			var same = d.id && fresh.querySelector("#" + CSS.escape(d.id));
			if (same) {
				same.open = true;
			}
		});
		old.replaceWith(fresh);
		var again = focus && document.getElementById(focus);
		if (again) {
			again.focus({preventScroll: true});
		}
	}

	// comparable returns the content of a section without what the reader has opened.
	function comparable(section) {
		return section.outerHTML.replace(/ open=""/g, "");
	}

	// show replaces the sections that have changed, so that a reader of the others is not disturbed.
	function show(html) {
		var parsed = document.createElement("template");
		parsed.innerHTML = html;
		var before = headline();
		var old = Array.from(main.children);
		var fresh = Array.from(parsed.content.children);
		var same = old.length === fresh.length && old.every(function (e, i) {
			return e.id === fresh[i].id;
		});
		if (!same) {
			main.replaceChildren.apply(main, fresh);
		} else {
			old.forEach(function (e, i) {
				if (comparable(e) !== comparable(fresh[i])) {
					replace(e, fresh[i]);
				}
			});
		}
		entitle();
		if (headline() !== before && Date.now() - newsAt > 10000) { // for screen readers
			newsAt = Date.now();
			say(news, headline());
		}
	}

	// entitle puts the number of critical situations into the title.
	function entitle() {
		var named = main.querySelector("[data-title]");
		if (named) {
			document.title = named.getAttribute("data-title");
		}
	}

	function headline() {
		var h = main.querySelector("h1");
		return h ? h.textContent : "";
	}

	// ask fetches the figures once, for example through a proxy that holds events back.
	function ask() {
		if (asking || paused || removed) {
			return;
		}
		asking = true;
		var abort = new AbortController();
		var timer = setTimeout(function () { abort.abort(); }, 3000);
		fetch("/main", {signal: abort.signal, cache: "no-store"}).then(function (answer) {
			removed = answer.status === 401;
			if (answer.status === 403) { // an administrator has ended the session: the page says so
				location.reload();
			}
			return answer.ok ? answer.text() : "";
		}).then(function (html) {
			if (html && !paused) {
				show(html);
				heard();
			}
		}).catch(function () {}).then(function () {
			clearTimeout(timer);
			asking = false;
			judge();
		});
	}

	function listen() {
		if (source) {
			source.close();
		}
		if (removed) { // each attempt would count as a guess
			return;
		}
		source = new EventSource("/events");
		source.addEventListener("beat", heard);
		source.addEventListener("main", function (e) {
			if (!paused) {
				show(JSON.parse(e.data));
			}
			heard();
		});
	}

	function look() {
		if (paused) {
			return;
		}
		if (judge()) {
			ask();
			if (!source || source.readyState === EventSource.CLOSED) {
				listen();
			}
		}
	}

	pause.hidden = false;
	pause.addEventListener("click", function () {
		paused = !paused;
		say(pause, paused ? texts.resume : texts.pause);
		document.body.classList.toggle("stale", paused);
		say(notice, paused ? texts.paused.replace("%", time()) : "");
		if (!paused) {
			heardAt = 0;
			listen();
			look();
		} else {
			source.close();
		}
	});
	document.addEventListener("visibilitychange", look);
	window.addEventListener("pageshow", look);
	window.addEventListener("online", look);
	setInterval(look, 1000);
	listen();
})();
