// A process with event streams: says when they are open, and for each text that it is sent, when each stream had it.

import { openListeners } from '../delivery/listen.ts'

const [url = '', path = '', count = '0', from] = process.argv.slice(2)
const listeners = await openListeners(url, path, { count: Number(count), from })
process.on('message', async (text) => {
  const times = await listeners.hear(String(text))
  process.send?.(times.map((time) => time + performance.timeOrigin))
})
process.on('disconnect', () => process.exit(0))
process.send?.('open')
