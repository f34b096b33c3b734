let code = ''

/** Reads the one-time code printed by the server, and removes it from the address bar and the history. */
export function takeSetupCode(): void {
  const address = new URL(window.location.href)
  const found = address.searchParams.get('code')
  if (found === null || address.pathname !== '/setup') return

  code = found
  address.searchParams.delete('code')
  window.history.replaceState(window.history.state, '', address)
}

export function setupCode(): string {
  return code
}
