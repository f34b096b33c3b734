// The document of the player on its own: it is handed what a recorder told, and what it shows is measured, like the page itself.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { createPlayerForm } from '@telltale/server/monitoring/replays/player-form'
import { bundleModule, type Sent } from './recorder.ts'

const console = join(import.meta.dirname, '../../packages/console')

/** Files of a site: the player, and a page around it. */
export async function playerFiles(): Promise<Record<string, string>> {
  const document = await readFile(join(console, 'replay-player/index.html'), 'utf8')
  return {
    '/player.js': await bundleModule('packages/console/src/replay-player/main.ts'),
    '/player/': document.replace('/src/replay-player/main.ts', '/player.js'),
    '/host': `<!doctype html><style>body{margin:0}iframe{border:0;width:100vw;height:100vh}</style>
<script>
  window.met = new Promise((resolve) => addEventListener('message', ({ source, data }) => {
    const { port1, port2 } = new MessageChannel()
    source.postMessage(data, location.origin, [port2])
    resolve(port1)
  }, { once: true }))
</script><iframe src="/player/"></iframe>`,
  }
}

/** Hands everything over; then moments can be shown. */
export async function openReplay(page: Page, address: string, sent: readonly Sent[]): Promise<void> {
  await page.goto(address)
  const form = createPlayerForm()
  const segments: { index: number; startedAt: number; endedAt: number; lines: string }[] = []
  for (const { header, text, bytes } of sent) {
    if (header === undefined) continue
    const { index, startedAt, endedAt, full, format } = header
    const segment = { seq: index, full, text: Buffer.from(bytes) }
    const played = format === undefined ? undefined : await form.read({ ...segment, format })
    if (played?.isBroken) throw new Error(`segment ${index} is broken`)
    segments.push({ index, startedAt, endedAt, lines: played?.lines.toString() ?? text })
  }
  const assets = sent.flatMap(({ header, bytes, hash, mime }) => (header ? [] : [{ hash, mime, bytes }]))
  await page.evaluate(
    async ({ segments, assets }) => {
      const port: MessagePort = await Reflect.get(globalThis, 'met')
      port.postMessage({ do: 'begin', run: 1 })
      for (const { hash, mime, bytes } of assets)
        port.postMessage({ do: 'asset', hash, mime, bytes: new Uint8Array(bytes).buffer })
      for (const { index, startedAt, endedAt, lines } of segments)
        port.postMessage({ do: 'segment', run: 1, index, startedAt, endedAt, lines })
      const show = (at: number) =>
        new Promise<void>((resolve, reject) => {
          port.onmessage = ({ data }) => {
            if (data.kind === 'broken') reject(new Error('the page could not be built'))
            if (data.kind === 'shown' && data.at === at) resolve()
          }
          port.postMessage({ do: 'show', run: 1, at })
        })
      Object.assign(globalThis, { show })
    },
    { segments, assets },
  )
}

export async function showMoment(page: Page, at: number): Promise<Measured> {
  await page.evaluate((at) => Reflect.get(globalThis, 'show')(at), at)
  return measure(page, 'replay')
}

export interface Measured {
  scroll: string
  /** What stands there and where: each element with its looks and its value, each text with its words and the boxes of its lines. */
  parts: { what: string; value: string; box: number[] }[]
}

/** Of the page itself, or of the one that the player rebuilt. Frames and shadow trees are looked into. */
export function measure(page: Page, of: 'page' | 'replay'): Promise<Measured> {
  return page.evaluate(async (of) => {
    // Styles and fonts that came this moment are drawn.
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    const player = document.querySelector('iframe')?.contentDocument
    const shown =
      of === 'page' ? document : player?.querySelector<HTMLIFrameElement>('.stage iframe')?.contentDocument
    if (!shown?.defaultView) throw new Error('nothing is shown')
    const unseen = new Set([
      'script',
      'style',
      'head',
      'noscript',
      'template',
      'link',
      'meta',
      'title',
      'option',
    ])
    const parts: Measured['parts'] = []
    const boxOf = ({ left, top, width, height }: DOMRect) => [left, top, width, height]
    const lookAtText = (text: Text) => {
      const words = text.data.replace(/\s+/g, ' ').trim()
      if (!words) return
      const range = text.ownerDocument.createRange()
      range.selectNodeContents(text)
      const box = [...range.getClientRects()].flatMap(boxOf)
      if (box.length > 0) parts.push({ what: 'text', value: words, box })
    }
    const look = (node: Node) => {
      if (node.nodeType === 3) lookAtText(node as Text)
      if (node.nodeType !== 1) return
      const element = node as HTMLElement & Partial<HTMLInputElement & HTMLIFrameElement>
      const { localName: name, ownerDocument } = element
      if (unseen.has(name)) return
      const view = ownerDocument.defaultView
      const style = view?.getComputedStyle(element)
      const box = boxOf(element.getBoundingClientRect())
      if (style?.visibility === 'visible' && (box[2] ?? 0) * (box[3] ?? 0) > 0) {
        const typed = name === 'input' || name === 'textarea' || name === 'select'
        const isChecked = name === 'input' && element.checked
        const value = typed ? `${element.value} ${isChecked}` : ''
        const place = element.scrollTop > 0 ? ` scrolled ${Math.round(element.scrollTop)}` : ''
        parts.push({ what: `${name}${place} ${style.color} ${style.backgroundColor}`, value, box })
      }
      if (name === 'svg') return
      for (const child of element.shadowRoot?.childNodes ?? []) look(child)
      if (name === 'iframe' && element.contentDocument?.body) look(element.contentDocument.body)
      for (const child of element.childNodes) look(child)
    }
    // Hostile recordings have pages without one.
    if (shown.body) look(shown.body)
    const { scrollX, scrollY } = shown.defaultView
    return { scroll: `${Math.round(scrollX)} ${Math.round(scrollY)}`, parts }
  }, of)
}

/** As a recording has it that masks everything: what is typed or chosen is not compared. */
export function masked({ scroll, parts }: Measured): Measured {
  const hide = (what: string, value: string) => (what === 'text' ? value.replace(/\S/gu, 'x') : '')
  return { scroll, parts: parts.map(({ what, value, box }) => ({ what, value: hide(what, value), box })) }
}

const tolerance = 1

/** Each difference in words. */
export function differences(page: Measured, replay: Measured): string[] {
  const found: string[] = []
  if (page.scroll !== replay.scroll) found.push(`scrolled to ${replay.scroll} instead of ${page.scroll}`)
  const nothing = { what: 'nothing', value: '', box: [] }
  for (let index = 0; index < Math.max(page.parts.length, replay.parts.length); index++) {
    const [one = nothing, other = nothing] = [page.parts[index], replay.parts[index]]
    const isOff = one.box.some((value, at) => !(Math.abs(value - (other.box[at] ?? Number.NaN)) <= tolerance))
    const isSame = one.what === other.what && one.value === other.value && one.box.length === other.box.length
    const tell = ({ what, value, box }: typeof one) => `${what} “${value}” at ${box.map(Math.round)}`
    if (!isSame || isOff) found.push(`${tell(other)} instead of ${tell(one)}`)
    if (found.length > 5) break
  }
  return found
}
