const NAME = 'vendor-cloud theme'

export const themes = [
  ['system', 'System theme'],
  ['light', 'Light theme'],
  ['dark', 'Dark theme'],
] as const

export function readTheme(): string {
  return localStorage.getItem(NAME) ?? 'system'
}

/** The browser stores the theme for all worlds of this server. */
export function saveTheme(theme: string): void {
  localStorage.setItem(NAME, theme)
  document.documentElement.style.colorScheme = theme === 'system' ? '' : theme
}
