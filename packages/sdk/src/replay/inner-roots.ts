// Roots within a page: shadow roots, open and closed, and the documents of frames of the same origin.

import { guarded } from '../browser/guard.ts'
import { toolbarTag } from '../browser/listen.ts'
import { shadowOf } from './natives.ts'

export interface InnerRootWatcher {
  onShadow(host: Element): void
  /** A frame shows another document. */
  onDocument(frame: Element): void
}

export interface InnerRoots {
  shadowOf(host: Node): ShadowRoot | undefined
  documentOf(frame: Node): Document | undefined
  /** The document that was recorded, which a frame no longer shows when it was removed. */
  recordedDocumentOf(frame: Node): Document | undefined
  /** A document is recorded: it is told of the shadow roots that are attached in it. */
  watch(document: Document): void
  /** Does nothing for other elements. */
  watchFrame(frame: Element): void
  /** That were watched, until they are deleted from it. */
  readonly frames: Set<Element>
  stop(): void
}

export function createInnerRoots({ onShadow, onDocument }: InnerRootWatcher): InnerRoots {
  const closed = new WeakMap<Node, ShadowRoot>()
  const documents = new WeakMap<Node, Document | undefined>()
  const frames = new Set<Element>()
  const patched = new WeakSet<object>()
  const stopping = new AbortController()
  const undo: (() => void)[] = []
  /** The parser attaches declarative ones without a call, also to hosts that are recorded already. */
  const onParsed = (root: Document | undefined) => {
    for (const host of root?.querySelectorAll('*') ?? []) if (shadowOf(host)) onShadow(host)
  }
  const onLoad = guarded(({ currentTarget }: Event) => {
    onDocument(currentTarget as Element)
    onParsed(documentOf(currentTarget as Element))
  })
  if (document.readyState === 'loading')
    document.addEventListener(
      'DOMContentLoaded',
      guarded(() => onParsed(document)),
      { signal: stopping.signal },
    )

  /** Also for closed roots, and for those that come when their host is recorded already. */
  const patch = guarded((view: Window | null) => {
    const { prototype } = Object(view).Element ?? {}
    if (!prototype || patched.has(prototype)) return
    patched.add(prototype)
    const original: Element['attachShadow'] = prototype.attachShadow
    const told = guarded((host: Element, root: ShadowRoot) => {
      if (host.localName === toolbarTag) return
      closed.set(host, root)
      onShadow(host)
    })
    const attachShadow = function (this: Element, init: ShadowRootInit) {
      const root = original.call(this, init)
      told(this, root)
      return root
    }
    prototype.attachShadow = attachShadow
    undo.push(() => {
      if (prototype.attachShadow === attachShadow) prototype.attachShadow = original
    })
  })
  return {
    shadowOf: (host) => shadowOf(host as Element) ?? closed.get(host),
    documentOf,
    recordedDocumentOf: (frame) => documents.get(frame),
    frames,
    watch: (document) => patch(document.defaultView),
    watchFrame(frame) {
      if (!isFrame(frame)) return
      documents.set(frame, documentOf(frame))
      frames.add(frame)
      frame.addEventListener('load', onLoad, { signal: stopping.signal })
    },
    stop() {
      stopping.abort()
      for (const each of undo) guarded(each)()
    },
  }
}

const isFrame = ({ nodeName }: Node): boolean => /^i?frame$/i.test(nodeName)

function documentOf(frame: Node): Document | undefined {
  if (!isFrame(frame)) return undefined
  try {
    return (frame as HTMLIFrameElement).contentDocument ?? undefined
  } catch {
    // Of another origin.
    return undefined
  }
}
