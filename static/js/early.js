// Before the first paint, so that pages show controls that need scripts only if scripts run.
document.documentElement.classList.add("js");
