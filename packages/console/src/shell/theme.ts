import { useSyncExternalStore } from 'react'

export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

// The same name is in public/theme.js, which runs before the first paint.
const storageKey = 'telltale.theme'
const listeners = new Set<() => void>()

function getTheme(): Theme {
  const stored = localStorage.getItem(storageKey)
  return themes.find((theme) => theme === stored) ?? 'system'
}

export function setTheme(theme: Theme): void {
  if (theme === 'system') {
    localStorage.removeItem(storageKey)
    delete document.documentElement.dataset.theme
  } else {
    localStorage.setItem(storageKey, theme)
    document.documentElement.dataset.theme = theme
  }
  for (const listener of listeners) listener()
}

/** Toggles the theme that is currently shown. */
export function switchTheme(): void {
  const isDark = getComputedStyle(document.documentElement).colorScheme === 'dark'
  const systemIsDark = matchMedia('(prefers-color-scheme: dark)').matches
  setTheme((getTheme() === 'system' ? systemIsDark : isDark) ? 'light' : 'dark')
}

export function useTheme(): Theme {
  return useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, getTheme)
}
