// Runs before the first paint, so that a chosen theme never flashes the other one. A file, because the content
// security policy allows no inline script.
{
  const prefersDark = matchMedia('(prefers-color-scheme: dark)')
  const apply = () => {
    let choice = null
    try {
      choice = localStorage.getItem('docent.theme')
    } catch {
      // Storage is disabled: the system's theme applies.
    }
    document.documentElement.dataset.theme = choice ?? (prefersDark.matches ? 'dark' : 'light')
  }
  apply()
  prefersDark.addEventListener('change', apply)
  addEventListener('docent:theme', apply)
}
