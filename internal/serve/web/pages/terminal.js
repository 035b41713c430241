// Shows the board on a terminal. The server sends what the board draws.
(function () {
	"use strict";

	var holder = document.getElementById("terminal");
	var notice = document.getElementById("connection");
	var socket = null;
	var timer = 0;
	var removed = false;
	var terminal = new Terminal({fontFamily: "monospace", fontSize: 14, scrollback: 0, screenReaderMode: true});

	// retry connects again, unless the device was removed: each attempt would count as a guess.
	function retry() {
		fetch("/terminal", {method: "HEAD", cache: "no-store"}).then(function (answer) {
			removed = answer.status === 401;
			if (removed) {
				notice.textContent = notice.dataset.left;
			} else if (answer.status === 403) { // an administrator has ended the session: the page says so
				location.reload();
			} else {
				connect();
			}
		}).catch(function () {
			timer = setTimeout(retry, 5000);
		});
	}

	function connect() {
		clearTimeout(timer);
		if (socket) {
			socket.onclose = null;
			socket.close();
		}
		var cell = holder.querySelector(".xterm-screen").getBoundingClientRect();
		var columns = Math.max(40, Math.floor(window.innerWidth * terminal.cols / cell.width));
		var rows = Math.max(12, Math.floor(window.innerHeight * terminal.rows / cell.height));
		terminal.reset();
		terminal.resize(columns, rows);
		socket = new WebSocket("wss://" + location.host + "/terminal/socket?columns=" + columns + "&rows=" + rows);
		socket.binaryType = "arraybuffer";
		socket.onmessage = function (e) {
			notice.textContent = "";
			terminal.write(new Uint8Array(e.data));
		};
		socket.onclose = function () {
			notice.textContent = notice.dataset.lost;
			timer = setTimeout(retry, 5000);
		};
	}

	terminal.open(holder);
	terminal.onData(function (keys) {
		if (socket.readyState === WebSocket.OPEN) {
			keys.match(/[^]{1,250}/gu).forEach(function (part) { // the server limits the length of messages
				socket.send(part);
			});
		}
	});
	window.addEventListener("resize", function () {
		if (!removed) {
			clearTimeout(timer);
			timer = setTimeout(connect, 500);
		}
	});
	connect();
	terminal.focus();
})();
