// Loaded into a measured process before its own program: answers what it has used so far.

process.on('message', (message) => {
  if (message !== 'measure') return
  const { user, system } = process.cpuUsage()
  process.send?.({ cpu: user + system, memory: process.memoryUsage.rss() })
})
// Nobody is left to measure it.
process.on('disconnect', () => process.exit(1))
