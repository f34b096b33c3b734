// Preloaded into a measured process: reports its resource usage so far, and writes a profile when it ends.

import { writeFileSync } from 'node:fs'
import { Session } from 'node:inspector'

process.on('message', (message) => {
  if (message === 'measure') {
    const { user, system } = process.cpuUsage()
    process.send?.({ cpu: user + system, memory: process.memoryUsage.rss() })
  } else if (message.profile !== undefined) startProfile(message.profile)
})
// Exit with the measuring process.
process.on('disconnect', () => process.exit(1))

function startProfile(path) {
  const session = new Session()
  session.connect()
  session.post('Profiler.enable')
  session.post('Profiler.start', () => process.send?.('profiling'))
  // Writes the profile synchronously, before the process is gone.
  process.once('exit', () =>
    session.post('Profiler.stop', (_error, { profile }) => writeFileSync(path, JSON.stringify(profile))),
  )
}
