import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { createLog } from '../../platform/process/log.ts'
import { rememberReports } from '../../release/evaluations/report-ids.ts'
import { createReportedCounts } from './report-counts.ts'

test('a report whose answer was lost counts once', async () => {
  const reports = rememberReports()
  const counted = { first: 0, second: 0, attempts: 0 }
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const part of request) text += String(part)
    counted.attempts += 1
    const { id, evaluations } = JSON.parse(text)
    if (await reports.isNew('environment', id))
      for (const { flag, count } of evaluations) counted[flag as 'first' | 'second'] += count
    if (counted.attempts === 1) request.socket.destroy()
    else response.writeHead(204).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const counts = createReportedCounts({
    server: `http://127.0.0.1:${port}`,
    keyOf: () => 'key',
    clock: () => new Date(),
    log: createLog('silent'),
  })
  for (let count = 0; count < 3; count += 1) counts.countMissing('environment', 'first')
  await counts.flush()
  expect(counted).toEqual({ first: 3, second: 0, attempts: 1 })
  for (let count = 0; count < 2; count += 1) counts.countMissing('environment', 'first')
  counts.countMissing('environment', 'second')
  await counts.stop()
  expect(counted).toEqual({ first: 5, second: 1, attempts: 3 })
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})
