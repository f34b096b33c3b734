// Runs before the first paint, so that the chosen theme never flashes. The rest is in src/shell/theme.ts.
try {
  const theme = localStorage.getItem('telltale.theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
} catch {
  // Without storage, the system theme applies.
}
