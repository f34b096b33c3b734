// Behind a real nginx with TLS: links, cookies, origin checks and client addresses are those of the outside.

import { execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request as httpsRequest } from 'node:https'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { limits } from '@telltale/core/limits'
import { describe, expect, test } from 'vitest'
import { startTelltale, type Telltale } from '../start.ts'

const host = 'telltale.example'
const hasNginx = isThere('nginx') && isThere('openssl')

function isThere(program: string): boolean {
  try {
    execFileSync('sh', ['-c', `command -v ${program} || command -v /usr/sbin/${program}`], {
      stdio: 'ignore',
    })
    return true
  } catch {
    return false
  }
}

interface ProxyAnswer {
  status: number
  cookies: string[]
  headers: Record<string, unknown>
  body: { type?: string; url?: string }
}

interface Proxy extends AsyncDisposable {
  port: number
  request(method: string, path: string, request?: { headers?: object; body?: object }): Promise<ProxyAnswer>
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}

async function startNginx(upstream: string, port: number): Promise<Proxy> {
  const folder = await mkdtemp(join(tmpdir(), 'telltale-nginx-'))
  const [key, certificate, config] = ['key.pem', 'cert.pem', 'nginx.conf'].map((name) => join(folder, name))
  await promisify(execFile)('openssl', [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'],
    ...['-subj', `/CN=${host}`, '-keyout', `${key}`, '-out', `${certificate}`],
  ])
  await writeFile(
    `${config}`,
    nginxConfig({ folder, port, upstream, key: `${key}`, certificate: `${certificate}` }),
  )

  const path = `${process.env.PATH}:/usr/sbin`
  const nginx = spawn('nginx', ['-c', `${config}`, '-e', 'stderr', '-p', folder], {
    env: { PATH: path },
    stdio: 'inherit',
  })
  const request: Proxy['request'] = (method, target, options = {}) =>
    ask(port, method, { target, ...options })
  for (let attempt = 0; attempt < 100; attempt++) {
    const answer = await request('GET', '/health/live').catch(() => undefined)
    if (answer) break
    await pause(50)
  }
  return {
    port,
    request,
    [Symbol.asyncDispose]: async () => {
      nginx.kill('SIGTERM')
      if (nginx.exitCode === null) await once(nginx, 'exit')
      await rm(folder, { recursive: true, force: true })
    },
  }
}

interface NginxPlan {
  folder: string
  port: number
  upstream: string
  key: string
  certificate: string
}

function nginxConfig({ folder, port, upstream, key, certificate }: NginxPlan): string {
  // As root nginx would give up its rights, and with them the folder of this test.
  const asRoot = process.getuid?.() === 0 ? 'user root;' : ''
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  return `
daemon off; ${asRoot} pid ${folder}/nginx.pid; worker_processes 1;
events { worker_connections 64; }
http {
  access_log off;
  ${temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join('\n  ')}
  server {
    listen 127.0.0.1:${port} ssl;
    ssl_certificate ${certificate}; ssl_certificate_key ${key};
    location / {
      proxy_pass ${upstream};
      proxy_set_header Host $http_host;
      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
      proxy_set_header X-Forwarded-Proto $scheme;
      proxy_set_header X-Forwarded-Host $http_host;
    }
  }
}`
}

function ask(
  port: number,
  method: string,
  { target, headers, body }: { target: string; headers?: object; body?: object },
): Promise<ProxyAnswer> {
  return new Promise((resolve, reject) => {
    const sent = httpsRequest(
      {
        host: '127.0.0.1',
        port,
        path: target,
        method,
        servername: host,
        rejectUnauthorized: false,
        headers: { host, ...(body ? { 'content-type': 'application/json' } : {}), ...headers },
      },
      async (response) => {
        let text = ''
        for await (const chunk of response) text += chunk
        const isJson = String(response.headers['content-type']).includes('json')
        resolve({
          status: response.statusCode ?? 0,
          cookies: response.headers['set-cookie'] ?? [],
          headers: response.headers,
          body: isJson ? JSON.parse(text) : {},
        })
      },
    )
    sent.on('error', reject)
    sent.end(body ? JSON.stringify(body) : undefined)
  })
}

const password = 'seven green bottles'

async function setUp(telltale: Telltale, proxy: Proxy): Promise<ProxyAnswer> {
  const owner = { name: 'Mara', email: 'mara@pedal.example', password }
  return proxy.request('POST', '/api/v1/setup', { body: { code: telltale.running.setupCode, owner } })
}

describe.skipIf(!hasNginx)('behind nginx with TLS (needs nginx and openssl)', () => {
  test('with a public URL: secure cookie, own links, and only its origin may write', async () => {
    const port = await freePort()
    await using telltale = await startTelltale({
      settings: { TELLTALE_PUBLIC_URL: `https://${host}`, TELLTALE_TRUSTED_PROXIES: '127.0.0.1' },
    })
    await using proxy = await startNginx(telltale.url, port)

    const [cookie] = (await setUp(telltale, proxy)).cookies
    expect(cookie).toMatch(/^__Host-telltale_session=\S+; .*; Secure$/)
    const session = { cookie: cookie?.split(';')[0] }
    const rename = (origin: string) =>
      proxy.request('PATCH', '/api/v1/account', { headers: { ...session, origin }, body: { name: 'M' } })
    expect((await rename(`https://${host}`)).status).toBe(200)
    expect((await rename(`http://${host}`)).body.type).toBe('/errors/origin-not-allowed')
    expect((await rename(telltale.url)).body.type).toBe('/errors/origin-not-allowed')

    const person = await telltale.person()
    const link = await proxy.request('POST', `/api/v1/users/${person.id}/password-reset`, {
      headers: session,
    })
    expect(link.body.url).toMatch(new RegExp(`^https://${host}/password-reset#ttp_`))
    expect((await proxy.request('GET', '/')).headers['strict-transport-security']).toBeDefined()
  })

  test('without a public URL the forwarded host counts, as the proxy is trusted', async () => {
    await using telltale = await startTelltale({ settings: { TELLTALE_TRUSTED_PROXIES: '127.0.0.1' } })
    await using proxy = await startNginx(telltale.url, await freePort())

    const [cookie] = (await setUp(telltale, proxy)).cookies
    expect(cookie).toContain('__Host-')
    const headers = { cookie: cookie?.split(';')[0], origin: `https://${host}` }
    expect((await proxy.request('PATCH', '/api/v1/account', { headers, body: { name: 'M' } })).status).toBe(
      200,
    )
  })

  test('an untrusted proxy is ignored: its headers change neither address nor scheme', async () => {
    await using telltale = await startTelltale()
    await using proxy = await startNginx(telltale.url, await freePort())

    const [cookie] = (await setUp(telltale, proxy)).cookies
    expect(cookie).toMatch(/^telltale_session=/)
    expect(cookie).not.toContain('Secure')
  })

  test('each client address has its own attempts', async () => {
    await using telltale = await startTelltale({ settings: { TELLTALE_TRUSTED_PROXIES: '127.0.0.1' } })
    await using proxy = await startNginx(telltale.url, await freePort())
    const guess = (address: string) =>
      proxy.request('POST', '/api/v1/sign-in', {
        headers: { 'x-forwarded-for': address },
        body: { email: 'ann@example.com', password },
      })

    // nginx appends the address it sees, 127.0.0.1, which is trusted: the one before it is the client.
    for (let attempt = 0; attempt < limits.signInAttempts; attempt++) await guess('203.0.113.7')
    expect((await guess('203.0.113.7')).status).toBe(429)
    expect((await guess('203.0.113.8')).status).toBe(401)
  })
})
