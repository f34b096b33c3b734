// Preloaded into a measured process: reports its resource usage so far.

process.on('message', (message) => {
  if (message !== 'measure') return
  const { user, system } = process.cpuUsage()
  process.send?.({ cpu: user + system, memory: process.memoryUsage.rss() })
})
// Exit with the measuring process.
process.on('disconnect', () => process.exit(1))
