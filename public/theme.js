// Runs before the page is painted, so that no other theme flashes first. What was chosen is written there by src/ui/display.ts, of
// which every view hears.
const system = matchMedia('(prefers-color-scheme: dark)')

function paint() {
  const { theme } = localStorage
  document.documentElement.dataset.theme =
    theme === 'dark' || (theme !== 'light' && system.matches) ? 'dark' : 'light'
}

paint()
system.addEventListener('change', paint)
addEventListener('storage', paint)
