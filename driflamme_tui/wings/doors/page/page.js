"use strict";
/* The page of a visitor: a form to come in by, and then the terminal.

What shows it is xterm.js, which textual.js brings and keeps to itself. So it is caught while
textual.js makes it; all that goes over the line is said here. The names that this needs of
textual.js are in `madeTerminal` and nowhere else. */

const LEAST = { cols: 60, rows: 20 };
const FONT_SIZES = { most: 16, least: 7 };
const FONT = 'ui-monospace, "Cascadia Mono", "DejaVu Sans Mono", Menlo, Consolas, "Roboto Mono", monospace';
const ROWS_TO_TAP = 36;
const HIGHEST_LINE = 1.5;
const CLOSED = { lowest: 4000, left: 4000, unknown: 4003 };
const AWAY_MS = 20_000;
/* How long the host may be silent before it is asked for a sign of life, how long it may take to
answer, and how often this is looked at. A network that has changed closes no connection. */
const LIFE_MS = { silence: 5_000, answer: 5_000, look: 1_000 };
const ALIVE = JSON.stringify(["alive"]);

const MOST_LINES = 1000;
const WIDEST = { cols: 500, rows: 24 };

const lines = location.pathname === "/text";
const byId = (id) => document.getElementById(id);
const entrance = byId("entrance");
const touched = matchMedia("(pointer: coarse)").matches;
const mount = window.onload;
window.onload = null;
delete document.createElement;

let terminal, fitting, socket, tries = 0, retry, hiddenAt = 0, heardAt = 0, askedAt = 0;

/** Have textual.js make its terminal, and return that and what fits it to its place. */
function madeTerminal() {
  let maker;
  Object.defineProperty(Object.prototype, "terminal", {
    configurable: true,
    set(made) {
      delete Object.prototype.terminal;
      maker = this;
      maker.terminal = made;
      const load = made.loadAddon.bind(made);
      // WebGL is not everywhere, and a link on the screen is nothing to open.
      const unwanted = () => [maker.webglAddon, maker.weblinksAddon, maker.clipboardAddon];
      made.loadAddon = (addon) => unwanted().includes(addon) || load(addon);
      made.options.fontFamily = FONT;
      maker.fit = fit;
      maker.connect = maker.onFocus = maker.onBlur = () => {};
    },
  });
  mount(new Event("load"));
  maker.socket = { send };
  return [maker.terminal, maker.fitAddon];
}

const decoder = new TextDecoder();
let unfinished = "";

/** Add what is told to the log, which a screen reader reads aloud. */
function tell(data) {
  const log = byId("told");
  const told = (unfinished + decoder.decode(data, { stream: true })).split(/\r?\n/);
  unfinished = told.pop();
  for (const line of told) log.appendChild(document.createElement("p")).textContent = line;
  while (log.children.length > MOST_LINES) log.firstChild.remove();
  log.scrollTop = log.scrollHeight;
}

/** Send what is typed, if somebody is there; after silence, ask whether somebody is. */
function send(text) {
  if (socket?.readyState !== WebSocket.OPEN) return;
  socket.send(text);
  if (performance.now() - heardAt > LIFE_MS.look) askForLife();
}

/** Ask the host for a sign of life, unless it has still to answer. */
function askForLife() {
  if (askedAt || socket?.readyState !== WebSocket.OPEN) return;
  askedAt = performance.now();
  socket.send(ALIVE);
}

/** Note a sign of life: the connection is open, or something has come. */
function hear() {
  heardAt = performance.now();
  askedAt = 0;
}

/** Ask a host that has been silent for a sign of life, and give up a connection without one. */
function watch() {
  const now = performance.now();
  if (!socket) return;
  if (askedAt && now - askedAt > LIFE_MS.answer) giveUp();
  else if (now - heardAt > LIFE_MS.silence) askForLife();
}

/** Give up a connection that is dead, although nobody has closed it, and open another. */
function giveUp() {
  const dead = socket;
  socket = undefined;
  // Its end may be told much later.
  dead.onopen = dead.onmessage = dead.onclose = null;
  dead.close();
  byId("lost").hidden = false;
  comeBack();
}

/** Come back to the table in a moment: each try waits longer than the one before. */
function comeBack() {
  clearTimeout(retry);
  retry = setTimeout(connect, Math.min(250 * 2 ** tries++, 8000));
}

/** Take the largest letters with which the least table fits. */
function fit() {
  if (!fitting) return;
  let size = FONT_SIZES.most + 0.5, room;
  terminal.options.lineHeight = 1;
  do {
    terminal.options.fontSize = size -= 0.5;
    room = fitting.proposeDimensions();
  } while (size > FONT_SIZES.least && (room.cols < LEAST.cols || room.rows < LEAST.rows));
  const small = room.cols < LEAST.cols || room.rows < LEAST.rows;
  document.querySelector('[data-why="small"]').hidden = !small;
  if (touched) {
    // Where there is more height than the table needs, rows are higher: easier to tap.
    terminal.options.lineHeight = Math.min(Math.max(room.rows / ROWS_TO_TAP, 1), HIGHEST_LINE);
    room = fitting.proposeDimensions();
  }
  terminal.resize(Math.max(room.cols, LEAST.cols), Math.max(room.rows, LEAST.rows));
}

/** Show the note about why the line has ended, and no other; what the host says of it stands there. */
function show(code, reason) {
  for (const note of document.querySelectorAll("section[data-why^='4']")) {
    note.hidden = note.dataset.why !== String(code);
    if (note.hidden) continue;
    const words = note.firstElementChild;
    note.dataset.usual ??= words.textContent;
    words.textContent = reason || note.dataset.usual;
    note.querySelector("button").focus();
  }
}

/** Return what a program has said at its end, where its screen was not. */
function lastWords(code) {
  if (code !== CLOSED.left || lines) return "";
  const rows = [0, 1, 2].map((at) => terminal.buffer.normal.getLine(at)?.translateToString(true));
  return rows.join(" ").trim();
}

/** Have the terminal on the page, once. */
function sit() {
  byId("room").hidden = lines;
  byId("talk").hidden = !lines;
  byId("keys").hidden = !touched || lines;
  entrance.hidden = true;
  sessionStorage.removeItem("invitation");
  show("");
  if (lines) {
    connect();
    return byId("say").focus();
  }
  if (!terminal) {
    [terminal, fitting] = madeTerminal();
    Object.assign(terminal.options, { macOptionClickForcesSelection: true, windowOptions: { pushTitle: true, popTitle: true }, theme: { background: "#1a202b" } });
    terminal.onTitleChange((title) => { document.title = title || "Driflamme"; });
    terminal.onBell(() => navigator.vibrate?.(120));
    terminal.parser.registerOscHandler(52, copied);
    terminal.attachCustomKeyEventHandler(isForTable);
    // The next Ctrl+C is for the table again.
    terminal.element.addEventListener("copy", () => terminal.clearSelection());
    if (touched) terminal.textarea.inputMode = "none";
  }
  fit();
  connect();
  terminal.focus();
}

/** Return whether a key is for the table: copying a selection and pasting are the browser's. */
function isForTable(event) {
  if (!event.ctrlKey || event.altKey || event.metaKey) return true;
  // Where the layout has other letters, browsers go by the place of the key.
  const letter = (/^[a-z]$/i.test(event.key) ? event.key : event.code.slice(-1)).toLowerCase();
  if (letter === "c" && event.shiftKey) {
    // Browsers have another use for this one.
    event.preventDefault();
    if (event.type === "keydown") document.execCommand("copy");
    return false;
  }
  return letter !== "v" && !(letter === "c" && terminal.hasSelection());
}

/** Copy what the table gives to copy (OSC 52), where the browser lets it; nothing reads back. */
function copied(told) {
  const text = told.slice(told.indexOf(";") + 1);
  if (text !== "?") {
    const bytes = Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
    navigator.clipboard?.writeText(new TextDecoder().decode(bytes)).catch(() => {});
  }
  return true;
}

/** Come to the table, or back to it. */
function connect() {
  clearTimeout(retry);
  socket?.close();
  const url = new URL(lines ? "/lines" : "/terminal", location);
  url.protocol = url.protocol.replace("http", "ws");
  url.searchParams.set("name", localStorage.getItem("name") ?? "");
  const mine = socket = new WebSocket(url);
  mine.binaryType = "arraybuffer";
  // Until it is open, that is what is waited for.
  askedAt = performance.now();
  mine.onopen = () => {
    hear();
    if (!lines) terminal.reset();
    const { cols, rows } = lines ? WIDEST : terminal;
    send(JSON.stringify(["resize", { width: cols, height: rows }]));
  };
  mine.onmessage = ({ data }) => {
    hear();
    tries = 0;
    byId("lost").hidden = true;
    if (typeof data === "string") return;
    if (lines) tell(data);
    else terminal.write(new Uint8Array(data));
  };
  mine.onclose = ({ code, reason }) => {
    if (mine !== socket) return;
    socket = undefined;
    if (code === CLOSED.unknown) return ask();
    byId("lost").hidden = code >= CLOSED.lowest;
    // What was written last may still have to be drawn.
    if (code >= CLOSED.lowest && lines) return show(code, reason);
    if (code >= CLOSED.lowest) return terminal.write("", () => show(code, reason || lastWords(code)));
    comeBack();
  };
}

/** Take the invitation that a link brings behind its #, so that no history and no picture has it. */
function takeInvitation() {
  if (location.hash.length < 2) return;
  sessionStorage.setItem("invitation", location.hash.slice(1));
  history.replaceState(null, "", location.pathname + location.search);
}

/** Ask for a name and the code, unless a link has brought an invitation. */
function ask() {
  byId("room").hidden = byId("talk").hidden = byId("keys").hidden = byId("lost").hidden = true;
  entrance.hidden = false;
  const { name, code } = entrance.elements;
  code.value = sessionStorage.getItem("invitation") ?? "";
  code.parentElement.hidden = code.value !== "";
  name.value = localStorage.getItem("name") ?? "";
  (name.value && !code.value ? code : name).focus();
}

/** Ask the host to let somebody in; return its sentence why it does not. */
async function refused(wish) {
  try {
    const answer = await fetch("/enter", {
      method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(wish),
    });
    return answer.status === 204 ? "" : answer.text();
  } catch {
    return byId("lost").textContent;
  }
}

entrance.onsubmit = async (event) => {
  event.preventDefault();
  const { name, code } = entrance.elements;
  const alert = entrance.querySelector("[role=alert]");
  alert.textContent = await refused({ name: name.value.trim(), code: code.value });
  if (!alert.textContent) {
    localStorage.setItem("name", name.value.trim());
    return sit();
  }
  sessionStorage.removeItem("invitation");
  code.parentElement.hidden = false;
};

byId("text").hidden = lines;
byId("answer").onsubmit = (event) => {
  event.preventDefault();
  const said = byId("say").value;
  byId("say").value = "";
  const mine = byId("told").appendChild(document.createElement("p"));
  mine.textContent = `> ${said}`;
  mine.ariaHidden = "true";
  send(JSON.stringify(["stdin", `${said}\n`]));
};

for (const button of document.querySelectorAll("section button")) button.onclick = sit;

for (const key of document.querySelectorAll("#keys button")) {
  // The letters keep the focus, so that no keyboard comes up.
  key.onpointerdown = (event) => event.preventDefault();
  if (key.dataset.sends) key.onclick = () => terminal.input(key.dataset.sends);
}
byId("paste").onclick = async () => terminal.paste(await navigator.clipboard?.readText().catch(() => "") ?? "");
byId("type").onclick = ({ currentTarget }) => {
  const typing = terminal.textarea.inputMode === "none";
  terminal.textarea.inputMode = typing ? "text" : "none";
  currentTarget.setAttribute("aria-pressed", typing);
  terminal.blur();
  terminal.focus();
};

/* A finger that goes up and down is a wheel; a tap is a click already. */
let fingerAt;
byId("room").addEventListener("touchstart", ({ touches }) => { fingerAt = touches[0].clientY; }, { passive: true });
byId("room").addEventListener("touchmove", ({ touches: [{ clientX, clientY }], target }) => {
  const deltaY = fingerAt - clientY;
  if (Math.abs(deltaY) < 24) return;
  fingerAt = clientY;
  target.dispatchEvent(new WheelEvent("wheel", { deltaY, clientX, clientY, bubbles: true, cancelable: true }));
}, { passive: true });

new ResizeObserver(fit).observe(byId("room"));
document.addEventListener("visibilitychange", () => {
  if (document.hidden) hiddenAt = Date.now();
  // The line of a phone that slept may be dead without anybody having told it.
  else if (terminal && !byId("room").hidden && Date.now() - hiddenAt > AWAY_MS) connect();
});
window.addEventListener("online", () => (byId("lost").hidden ? askForLife() : connect()));
window.addEventListener("hashchange", () => {
  takeInvitation();
  if (!entrance.hidden) ask();
});
setInterval(watch, LIFE_MS.look);
takeInvitation();

refused({ name: localStorage.getItem("name") ?? "" }).then((why) => (why ? ask() : sit()));
