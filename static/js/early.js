// Before the first paint: pages show their controls for scripts only when scripts run.
document.documentElement.classList.add("js");
