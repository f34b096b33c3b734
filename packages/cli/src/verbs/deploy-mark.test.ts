import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, expect, test, vi } from 'vitest'
import { reportDeploy } from './deploy-mark.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

const options = {
  version: '2.4.0',
  project: 'shop',
  env: 'production',
  token: 'secret',
  at: '2026-03-01T12:00:00.000Z',
  author: undefined,
  link: undefined,
}

async function reportTo(status: number) {
  const requests: { path: string | undefined; authorization: string | undefined; body: unknown }[] = []
  const server = createServer(async (request, response) => {
    const { url, headers } = request
    requests.push({ path: url, authorization: headers.authorization, body: JSON.parse(await text(request)) })
    response.writeHead(status).end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  vi.spyOn(console, 'log').mockImplementation(() => undefined)
  const complain = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const code = await reportDeploy({ ...options, url: `http://127.0.0.1:${port}/` })
  server.close()
  return { code, requests, complaints: complain.mock.calls.flat() }
}

test('a deploy is posted to its environment', async () => {
  const { code, requests } = await reportTo(201)
  expect(code).toBe(0)
  expect(requests).toEqual([
    {
      path: '/api/v1/projects/shop/environments/production/deploys',
      authorization: 'Bearer secret',
      body: { version: '2.4.0', at: options.at },
    },
  ])
})

test('a refusal and a missing option end the pipeline, with the reason', async () => {
  const { code, complaints } = await reportTo(403)
  expect(code).toBe(1)
  expect(complaints).toEqual([expect.stringContaining('403')])
  expect(await reportDeploy({ ...options, url: undefined })).toBe(2)
  expect(await reportDeploy({ ...options, url: 'http://127.0.0.1:9', env: undefined })).toBe(2)
})
