/**
 * A sign-in at a provider in another tab, so that a screen keeps its input. The page to which the provider returns says
 * when it is done.
 */
const name = 'telltale-provider'

export function noteProviderDone(): void {
  const channel = new BroadcastChannel(name)
  channel.postMessage('done')
  channel.close()
}

export function listenToProvider(onDone: () => void): () => void {
  const channel = new BroadcastChannel(name)
  channel.addEventListener('message', onDone)
  return () => channel.close()
}

/** Called in a click, or browsers block the tab: it opens before its address is known. */
export async function openProviderTab(start: () => Promise<{ url: string }>): Promise<void> {
  const tab = window.open('about:blank', '_blank')
  try {
    const { url } = await start()
    if (tab === null) window.location.assign(url)
    else tab.location.replace(url)
  } catch (error) {
    tab?.close()
    throw error
  }
}
