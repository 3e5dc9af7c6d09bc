// The replay: phase after phase by itself, at the reader's pace. Each of them is the page that its own address shows.

const bar = document.querySelector("[data-replay]");
const button = bar?.querySelector("button");
const pace = bar?.querySelector("select");
let waiting = null;

const nextPhase = () => document.querySelector('#replay a[data-key="ArrowRight"]');
const isLast = (link) => !link?.pathname.includes("/phases/");

function show(playing) {
  button.setAttribute("aria-pressed", String(playing));
  button.querySelector("span").textContent = playing ? "Pause" : "Play";
}

function pause() {
  clearTimeout(waiting);
  waiting = null;
  show(false);
}

async function step() {
  const link = nextPhase();
  if (isLast(link)) return pause();
  const address = link.href;
  await window.htmx.ajax("GET", address, { target: "#replay", select: "#replay", swap: "outerHTML show:none" });
  if (waiting === null) return undefined;
  history.replaceState(history.state, "", address);
  return isLast(nextPhase()) ? pause() : wait();
}

function wait() {
  clearTimeout(waiting);
  waiting = setTimeout(step, Number(pace.value));
}

function play() {
  if (isLast(nextPhase())) return;
  show(true);
  wait();
}

button?.addEventListener("click", () => (waiting === null ? play() : pause()));
pace?.addEventListener("change", () => {
  if (waiting !== null) wait();
});
// Whoever steps by hand does not want to be carried on.
document.addEventListener("click", (event) => {
  if (waiting !== null && event.target.closest("#replay a[href]")) pause();
});
if (button && location.hash === "#play") play();
