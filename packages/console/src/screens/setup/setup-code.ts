/** Reads the one-time code that the server printed, and takes it out of the address bar and the history. */
export function takeSetupCode(): string {
  const address = new URL(window.location.href)
  const code = address.searchParams.get('code') ?? ''
  address.searchParams.delete('code')
  window.history.replaceState(window.history.state, '', address)
  return code
}
