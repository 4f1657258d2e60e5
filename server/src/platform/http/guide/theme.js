// Sets light or dark before anything is shown: as it was chosen, here or in the web UI, else as the system has it.
try {
  const chosen = localStorage.getItem('docent.theme')
  if (chosen) document.documentElement.dataset.theme = chosen
} catch {
  // A browser that keeps nothing shows what the system has.
}
