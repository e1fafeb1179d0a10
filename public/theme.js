const system = matchMedia('(prefers-color-scheme: dark)')
const paint = () => {
  const { theme } = localStorage
  const isDark = theme === 'dark' || (theme !== 'light' && system.matches)
  document.documentElement.dataset.theme = isDark ? 'dark' : 'light'
}
paint()
system.addEventListener('change', paint)
addEventListener('storage', paint)
