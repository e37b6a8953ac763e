// What pages can do besides with a script: refresh themselves, count times on, take keys.
// Without it everything can be read, and done one by one.
"use strict";

const trusted = self.trustedTypes
  ? trustedTypes.createPolicy("console", { createHTML: (page) => page })
  : { createHTML: (page) => page };
const parse = (page) => new DOMParser().parseFromString(trusted.createHTML(page), "text/html");
const all = (selector, within = document) => [...within.querySelectorAll(selector)];
const tell = (text) => { document.getElementById("told").textContent = text; };

// Times: the same words as the server's, in the reader's zone.
const SCALES = [[86400, "day", "days"], [3600, "h", "h"], [60, "min", "min"], [1, "s", "s"]];
const span = (seconds) => {
  const whole = Math.max(0, Math.round(seconds));
  const [size, one, many] = SCALES.find(([least]) => whole >= least) || [1, "s", "s"];
  const count = Math.floor(whole / size);
  return `${count} ${count === 1 ? one : many}`;
};
const distance = (moment) => {
  const seconds = (moment - Date.now()) / 1000;
  if (Math.abs(seconds) < 1) return "now";
  return seconds > 0 ? `in ${span(seconds)}` : `${span(-seconds)} ago`;
};
const two = (number) => String(number).padStart(2, "0");
const exact = (moment) => {
  const day = `${moment.getFullYear()}-${two(moment.getMonth() + 1)}-${two(moment.getDate())}`;
  const clock = [moment.getHours(), moment.getMinutes(), moment.getSeconds()].map(two).join(":");
  const zone = new Intl.DateTimeFormat("en", { timeZoneName: "short" })
    .formatToParts(moment).find((part) => part.type === "timeZoneName").value;
  return `${day} ${clock} ${zone}`;
};
const write = (element, text) => { if (element.textContent !== text) element.textContent = text; };
function countOn() {
  for (const time of all("time[data-ago]")) write(time, distance(new Date(time.dateTime)));
}
function localise(within = document) {
  for (const time of all("time", within)) {
    time.title = exact(new Date(time.dateTime));
    if ("exact" in time.dataset) write(time, time.title);
  }
}

// Regions that refresh themselves: they wait while somebody reads, selects or writes in them.
const busy = (region) =>
  region.querySelector("input:checked") || region.matches(":hover table, :hover .scroll")
  || all(".scroll", region).some((table) => table.matches(":hover"))
  || (region.contains(document.activeElement)
      && document.activeElement.matches("input, textarea, select"));
let tag = "";
let waiting = null;

async function refresh() {
  const regions = all("[data-live]");
  if (!regions.length || document.hidden) return;
  const answer = await fetch(location.href, {
    headers: tag ? { "If-None-Match": tag } : {}, redirect: "manual", cache: "no-store",
  });
  if (answer.type === "opaqueredirect") { location.reload(); return; }
  if (answer.status !== 200) return;
  const first = !tag;
  tag = answer.headers.get("etag") || "";
  const page = parse(await answer.text());
  if (!first || page.querySelector("[data-live]")?.textContent !== regions[0].textContent) offer(page);
}
function offer(page) {
  if (all("[data-live]").some(busy)) {
    waiting = page;
    const note = document.getElementById("newer");
    if (note && note.hidden) { note.hidden = false; tell("There is something newer."); }
    return;
  }
  put(page);
}
function put(page) {
  waiting = null;
  const note = document.getElementById("newer");
  if (note) note.hidden = true;
  const open = new Set(all("details[open][id]").map((details) => details.id));
  const focus = document.activeElement?.id;
  for (const region of all("[data-live]")) {
    const next = page.getElementById(region.id);
    if (!next) continue;
    keepFrames(region, next);
    const known = new Map(all("tr[data-version]", region).map((row) => [row.id, row.dataset.version]));
    const moved = new Map(all(WIDE, region).map((one) => [one.ariaLabel, one.scrollLeft]));
    const children = [...next.childNodes].map((node) => document.adoptNode(node));
    region.replaceChildren(...children);
    for (const one of all(WIDE, region)) one.scrollLeft = moved.get(one.ariaLabel) || 0;
    for (const row of all("tr[data-version]", region)) {
      if (known.get(row.id) !== row.dataset.version) row.classList.add("fresh");
    }
    localise(region);
  }
  for (const details of all("details[id]")) if (open.has(details.id)) details.open = true;
  if (focus) document.getElementById(focus)?.focus({ preventScroll: true });
  countOn();
}
// What is wider than the screen: where somebody moved it to stays, and a picture begins with now.
const WIDE = ".scroll, .picture";
function showNow() {
  for (const picture of all(".picture")) {
    const now = picture.querySelector(".now");
    const { right } = picture.getBoundingClientRect();
    picture.scrollLeft = now ? now.getBoundingClientRect().right - right + 12 : picture.scrollWidth;
  }
}
function keepFrames(region, next) {
  // A message that is read must not jump to its beginning.
  for (const frame of all("[data-keep]", region)) {
    const place = next.querySelector(`[data-keep="${CSS.escape(frame.dataset.keep)}"]`);
    if (place && frame.outerHTML === place.outerHTML) place.replaceWith(frame);
  }
}

// Rows by keys.
const rows = () => all("tr[data-to]");
function move(step) {
  const list = rows();
  if (!list.length) return;
  const now = list.findIndex((row) => row.classList.contains("on"));
  const next = Math.min(Math.max(now + step, 0), list.length - 1);
  list.forEach((row, place) => row.classList.toggle("on", place === next));
  list[next].querySelector("a")?.focus();
  list[next].scrollIntoView({ block: "nearest" });
}
const press = (name) => document.querySelector(`[data-key="${name}"]`)?.click();
const KEYS = {
  "/": () => document.getElementById("search")?.focus(),
  "?": () => { location.href = "/console/help"; },
  j: () => move(1), k: () => move(-1), r: () => press("r"), c: () => press("c"),
};
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Escape") { all("details.me[open]").forEach((one) => { one.open = false; }); return; }
  if (event.target.matches("input, textarea, select")) return;
  const act = KEYS[event.key];
  if (act) { event.preventDefault(); act(); }
});

// Selection of rows.
function countPicked() {
  for (const bar of all("[data-picked]")) {
    const count = all("tbody .pick input:checked").length;
    bar.hidden = !count;
    write(bar.querySelector("[data-count]"), String(count));
  }
}
document.addEventListener("change", (event) => {
  if (event.target.matches("thead .pick input")) {
    for (const box of all("tbody .pick input", event.target.closest("table"))) box.checked = event.target.checked;
  }
  if (event.target.matches(".pick input")) countPicked();
});
document.addEventListener("click", (event) => {
  if (event.target.closest("#newer button") && waiting) put(waiting);
  for (const menu of all("details.me[open]")) if (!menu.contains(event.target)) menu.open = false;
});

// A form that is sent once: a second press of its button sends nothing.
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.method !== "post") return;
  if (form.dataset.sent) { event.preventDefault(); return; }
  form.dataset.sent = "yes";
});
addEventListener("pageshow", () => {
  for (const form of all("form[data-sent]")) delete form.dataset.sent;
  for (const form of all('form[method="get"], form:not([method])')) for (const field of form.elements) field.disabled = false;
});

// The sheet of a message that is being written: what it comes to.
let typing = 0;
async function preview(form) {
  const answer = await fetch(form.dataset.preview, {
    method: "POST", body: new URLSearchParams(new FormData(form)), redirect: "manual",
  });
  const place = document.getElementById("preview");
  if (!place || answer.type === "opaqueredirect") return;
  const next = parse(await answer.text()).getElementById("preview");
  if (next) { place.replaceChildren(...[...next.childNodes].map((node) => document.adoptNode(node))); localise(place); }
}
document.addEventListener("input", (event) => {
  const form = event.target.closest("form[data-preview]");
  if (!form) return;
  clearTimeout(typing);
  typing = setTimeout(() => preview(form), 400);
});
// Times that are filled in are the reader's; beside each stands the offset of that zone.
const offset = (moment) => {
  const minutes = -moment.getTimezoneOffset();
  const size = Math.abs(minutes);
  return `${minutes < 0 ? "-" : "+"}${two(Math.floor(size / 60))}:${two(size % 60)}`;
};
const local = (moment) => {
  const shifted = new Date(moment - moment.getTimezoneOffset() * 60000);
  return shifted.toISOString().slice(0, 16);
};
function nameZones() {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  for (const name of all("[data-zone-name]")) write(name, zone);
  for (const field of all("input[data-offset-of]")) {
    const time = document.getElementById(field.dataset.offsetOf);
    if (time.value) time.value = local(new Date(`${time.value}${field.value}`));
    const follow = () => { field.value = offset(time.value ? new Date(time.value) : new Date()); };
    follow();
    time.addEventListener("input", follow);
  }
}
// An address holds what was filled in, and nothing of what was left empty.
document.addEventListener("submit", (event) => {
  if (event.target.method !== "get") return;
  for (const field of event.target.elements) {
    const time = field.dataset?.offsetOf && document.getElementById(field.dataset.offsetOf);
    if (field.name && (!field.value || (time && !time.value))) field.disabled = true;
  }
});

for (const scripted of all("[data-scripted]")) scripted.hidden = false;
localise(); countOn(); nameZones(); countPicked(); showNow();
setInterval(countOn, 1000);
const live = document.querySelector("[data-live]");
if (live) {
  const every = Number(live.dataset.every || 5) * 1000;
  const again = () => refresh().catch(() => {}).finally(() => setTimeout(again, every));
  setTimeout(again, every);
  document.addEventListener("visibilitychange", () => { if (!document.hidden) refresh().catch(() => {}); });
}
