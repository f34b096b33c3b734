// biome-ignore-all lint/suspicious/noTemplateCurlyInString: source of a generated file

// The second half of a generated test: functions that pin variations, serve responses and watch the page. None of it
// contains recorded text.

export interface HelperParts {
  /** A step loads another page. */
  loads: boolean
  /** A click is expected to have an effect. */
  effects: boolean
  responses: boolean
  /** Errors that the application caught and reported. */
  reports: boolean
  errors: boolean
  requests: boolean
}

export function helpers(parts: HelperParts): string[] {
  return [
    ...types(parts),
    variations,
    ...(parts.responses ? [responses] : []),
    watch(parts),
    ...(parts.effects ? [effects] : []),
    ...(parts.loads ? [loads] : []),
    report,
  ]
    .join('\n\n')
    .split('\n')
}

const types = ({ responses: hasResponses }: HelperParts) => [
  `type Values = Record<string, Record<string, unknown>>
type Variations = Record<string, string>`,
  ...(hasResponses
    ? [
        `interface Recorded {
  method: string
  url: string
  /** Names of its parameters: values are never recorded. */
  parameters: string[]
  /** Of the request. */
  body?: string
  status: number
  mime: string
  text: string
}`,
      ]
    : []),
]

const variations = `/** Serves the variations instead of Telltale. The runs send it nothing, so they are in no figure. */
async function serveVariations(page: Page): Promise<void> {
  const headers = { 'access-control-allow-origin': '*' }
  const flagOf = (key: string) => ({
    key,
    variant: variations[key],
    value: values[key]?.[variations[key] ?? ''],
    reason: 'STATIC',
  })
  await page.route(/\\/ofrep\\/v1\\/evaluate\\/flags(\\/|$|\\?)/, async (route) => {
    const [, key] = /\\/flags\\/([^/?]+)/.exec(new URL(route.request().url()).pathname) ?? []
    if (key === undefined) return route.fulfill({ headers, json: { flags: Object.keys(values).map(flagOf) } })
    const isKnown = Object.hasOwn(values, key)
    const unknown = { key, errorCode: 'FLAG_NOT_FOUND' }
    return route.fulfill({ headers, status: isKnown ? 200 : 404, json: isKnown ? flagOf(key) : unknown })
  })
  await page.route(/\\/sdk\\/v1\\/stream(\\?|$)/, (route) => route.abort())
  await page.route(/\\/sdk\\/v1\\/config(\\?|$)/, (route) =>
    route.fulfill({ headers, json: { sampling: { session: 100, replay: 0, profile: 0 } } }),
  )
  await page.route(/\\/intake\\/v1\\//, (route) => route.fulfill({ headers, status: 202, json: {} }))
}

/** \`checkout=control,search=off\`. Flags that the session did not evaluate are for other tests. */
function readVariations(text = ''): Variations {
  const chosen: Variations = {}
  for (const pair of text.split(',')) {
    const [flag = '', variation = ''] = pair.split('=').map((part) => part.trim())
    if (!Object.hasOwn(values, flag)) continue
    if (!Object.hasOwn(values[flag] ?? {}, variation))
      throw new Error(\`TELLTALE_VARIATIONS: \${flag} has no variation "\${variation}"\`)
    chosen[flag] = variation
  }
  return chosen
}`

const responses = `/** A request with other parameters or another body than the recorded one gets the answer of the server. */
async function serveResponses(page: Page): Promise<void> {
  const isOf = (request: Request, { method, url, parameters, body }: Recorded) => {
    const address = new URL(request.url())
    const names = [...new Set(address.searchParams.keys())].sort()
    return (
      request.method() === method &&
      (url.startsWith('/') ? address.pathname : address.origin + address.pathname) === url &&
      names.join('&') === parameters.join('&') &&
      (request.postData() ?? undefined) === body
    )
  }
  await page.route('**/*', async (route) => {
    const found = responses.find((each) => isOf(route.request(), each))
    if (found === undefined) return route.fallback()
    const headers = {
      'access-control-allow-origin': route.request().headers().origin ?? '*',
      'access-control-allow-credentials': 'true',
      'content-type': found.mime,
    }
    return route.fulfill({ status: found.status, headers, body: found.text })
  })
}`

function watch({ errors, requests, reports }: HelperParts): string {
  return [
    '/** What fails in the page. */',
    'async function watch(page: Page) {',
    '  const seen = { errors: [] as string[], requests: [] as string[], reported: [] as string[] }',
    ...(errors
      ? ["  page.on('pageerror', ({ name, message }) => seen.errors.push(`${name || 'Error'}: ${message}`))"]
      : []),
    ...(requests
      ? [
          '  const nameOf = (method: string, url: string) => `${method} ${new URL(url).pathname}`',
          "  page.on('response', (response) => {",
          '    const request = response.request()',
          '    if (response.status() >= 400)',
          '      seen.requests.push(`${nameOf(request.method(), request.url())} ${response.status()}`)',
          '  })',
          "  page.on('requestfailed', (request) => {",
          "    if (request.failure()?.errorText !== 'net::ERR_ABORTED')",
          '      seen.requests.push(`${nameOf(request.method(), request.url())} failed`)',
          '  })',
        ]
      : []),
    ...(reports
      ? [
          '  // Errors that the application caught and reported are in what the SDK sends.',
          "  await page.exposeFunction('noteBatch', (text: string) => {",
          "    for (const line of text.split('\\n').filter((one) => one !== '')) {",
          '      const event = JSON.parse(line)',
          "      if (event.kind === 'error' && event.handled) seen.reported.push(`${event.type || 'Error'}: ${event.message}`)",
          '    }',
          '  })',
          '  await page.addInitScript(() => {',
          '    const { fetch } = globalThis',
          '    globalThis.fetch = async (input, init) => {',
          '      const body = init?.body',
          "      if (String(input).includes('/intake/v1/events') && body instanceof Blob) {",
          '        const isPacked = new Uint8Array(await body.slice(0, 1).arrayBuffer())[0] === 0x1f',
          "        const text = isPacked ? body.stream().pipeThrough(new DecompressionStream('gzip')) : body",
          "        await Reflect.get(globalThis, 'noteBatch')(await new Response(text).text())",
          '      }',
          '      return fetch(input, init)',
          '    }',
          '  })',
        ]
      : []),
    '  return seen',
    '}',
  ].join('\n')
}

const effects = `/** Whether the page responds within 1.5 s: its content, its address, or a request. */
async function hasEffect(page: Page, click: () => Promise<unknown>): Promise<boolean> {
  // What the step before changed is not counted.
  await page.waitForTimeout(1_000)
  let isAnswered = false
  const note = () => {
    isAnswered = true
  }
  const noteRequest = (request: { url(): string }) => {
    if (!/\\/(intake|sdk|ofrep)\\/v1\\//.test(request.url())) note()
  }
  page.on('request', noteRequest)
  page.on('framenavigated', note)
  await page.evaluate(() => {
    const observer = new MutationObserver(() => document.documentElement.setAttribute('data-has-effect', ''))
    const watched = { subtree: true, childList: true, characterData: true, attributes: true }
    document.documentElement.removeAttribute('data-has-effect')
    observer.observe(document.body, watched)
    setTimeout(() => observer.disconnect(), 5_000)
  })
  await click()
  await page.waitForTimeout(1_500)
  page.off('request', noteRequest)
  page.off('framenavigated', note)
  return isAnswered || (await page.locator('html[data-has-effect]').count()) > 0
}`

const loads = `/** The path of an address, whatever its parameters. */
const isAt = (wanted: string) => (url: URL) =>
  (wanted.startsWith('/') ? url.pathname : url.origin + url.pathname) === wanted`

const report = `/** Shown in the report of the run. */
function report(description: string): void {
  test.info().annotations.push({ type: 'telltale', description })
}`
